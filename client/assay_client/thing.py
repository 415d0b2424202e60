"""What all things of the server have in common here: what it said of them, and how it is asked again."""

from typing import Any, Self

from assay_client.errors import AssayError, PandasMissing
from assay_client.wire import Wire


class Thing:
    """`data` is all that the server has said, by the names of the API's document; `thing["name"]` is one of it."""

    def __init__(self, wire: Wire, data: dict[str, Any], *, version: int | None = None) -> None:
        self._wire, self.data, self._version = wire, data, version

    def __getitem__(self, name: str) -> Any:
        return self.data[name]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._told()}>"

    def _told(self) -> str:
        return self.uuid

    @property
    def uuid(self) -> str:
        return str(self.data["uuid"])

    def _address(self) -> str:
        raise NotImplementedError

    def refresh(self) -> Self:
        """As it stands now."""
        answer = self._wire.call("GET", self._address())
        self.data, self._version = answer.body, answer.version
        return self

    def _seen_version(self) -> int:
        """What the next change names as seen: a change of somebody else's in between is refused, never written over."""
        if self._version is None:
            self.refresh()
        if self._version is None:
            raise AssayError(f"The server gives no version of {self!r}: only a lead changes it.")
        return self._version


def data_frame(rows: list[dict[str, Any]]) -> Any:
    """A pandas DataFrame."""
    try:
        import pandas
    except ImportError:
        raise PandasMissing("to_pandas() needs pandas (pip install pandas); rows() gives the same as a list.") from None
    return pandas.DataFrame(rows)
