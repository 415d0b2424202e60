"""The guide for leads explains every figure that the page does."""

from pathlib import Path

from adjudication.domain.agreement.meanings import MEANINGS

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_guide_explains_every_figure() -> None:
    text = (ROOT / "docs" / "leads.md").read_text(encoding="utf-8")

    rows = [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("| ")]

    assert [meaning.name for meaning in MEANINGS.values() if meaning.name not in rows] == []
