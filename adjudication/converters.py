"""Pseudonyms in addresses: imported voices keep the names their file gave them, with whatever is in them."""


class Pseudonym:
    """A slash would end the word, and a browser takes dots alone for a way up."""

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        return value.replace("~2F", "/").replace("~2E", ".").replace("~7E", "~")

    def to_url(self, value: str) -> str:
        safe = value.replace("~", "~7E").replace("/", "~2F")
        return safe.replace(".", "~2E") if set(safe) == {"."} else safe
