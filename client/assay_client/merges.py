"""What several people's answers say together: merges, and how far they agree."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from assay_client.thing import Thing, data_frame
from assay_client.wire import Wire

KINDS = ("pairs", "annotators")  # tables of a report


class Merge(Thing):
    """The votes of one moment; its counts stand in `data`."""

    def __init__(self, wire: Wire, data: dict[str, Any], *, slug: str) -> None:
        super().__init__(wire, data)
        self.slug = slug

    def _address(self) -> str:
        return f"projects/{self.slug}/merges/{self.uuid}"

    def _told(self) -> str:
        return f"{self.data.get('kept')} of {self.data.get('targets')} targets kept"

    @property
    def is_current(self) -> bool:
        return bool(self.data["is_current"])

    def targets(self, *, kept: bool | None = None) -> Iterator[dict[str, Any]]:
        """One by one, with voting index, votes, voters and suggestions."""
        query = {"limit": 100, "kept": None if kept is None else "yes" if kept else "no"}
        return self._wire.pages(f"{self._address()}/targets", query)

    def rows(self, *, kept: bool | None = None) -> list[dict[str, Any]]:
        return list(self.targets(kept=kept))

    def to_pandas(self, *, kept: bool | None = None) -> Any:
        """A line for each target."""
        return data_frame(self.rows(kept=kept))


FIRST = ("name", "a", "b", "pa_det", "pa_sug", "n", "m")


class Report(Thing):
    """How far the annotators agree."""

    def _address(self) -> str:
        return f"agreement/{self.uuid}"

    def _told(self) -> str:
        return f"PA_det {_figure(self.data.get('pa_det'))}, PA_sug {_figure(self.data.get('pa_sug'))}"

    @property
    def pa_det(self) -> float | None:
        """On which words are to be replaced."""
        return self._number("pa_det")

    @property
    def pa_sug(self) -> float | None:
        """On what they are replaced by."""
        return self._number("pa_sug")

    def _number(self, name: str) -> float | None:
        found = self.data[name]
        return None if found is None else float(found)

    @property
    def result(self) -> dict[str, Any]:
        """Every figure: what `agreement --json` prints."""
        if "result" not in self.data:  # a line of a list lacks it
            self.refresh()
        found: dict[str, Any] = self.data["result"]
        return found

    def rows(self, of: str = "pairs") -> list[dict[str, Any]]:
        """`pairs`: two annotators in a line; `annotators`: one."""
        if of not in KINDS:
            raise ValueError(f"A report has {' and '.join(KINDS)}, not {of!r}.")
        return list(self.result[of])

    def to_pandas(self, of: str = "pairs") -> Any:
        """Who it is about and how far they agree come first, then all the rest."""
        rows = self.rows(of)
        first = [name for name in FIRST if rows and name in rows[0]]
        return data_frame([{**{name: row[name] for name in first}, **row} for row in rows])

    def pair(self, a: str, b: str) -> Iterator[dict[str, Any]]:
        """What two people share, passage by passage."""
        one, two = (quote(name.replace("~", "~7E").replace("/", "~2F"), safe="~") for name in (a, b))
        return self._wire.pages(f"{self._address()}/pairs/{one}/{two}", {"limit": 100})


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
