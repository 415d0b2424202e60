"""docs/accessibility.md: every criterion, every page, and checks that are there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs" / "accessibility.md").read_text(encoding="utf-8")
# WCAG 2.2, levels A and AA (4.1.1 is gone since 2.2).
CRITERIA = {
    *("1.1.1", "1.2.1", "1.2.2", "1.2.3", "1.2.4", "1.2.5", "1.3.1", "1.3.2", "1.3.3", "1.3.4", "1.3.5"),
    *("1.4.1", "1.4.2", "1.4.3", "1.4.4", "1.4.5", "1.4.10", "1.4.11", "1.4.12", "1.4.13"),
    *("2.1.1", "2.1.2", "2.1.4", "2.2.1", "2.2.2", "2.3.1"),
    *("2.4.1", "2.4.2", "2.4.3", "2.4.4", "2.4.5", "2.4.6", "2.4.7", "2.4.11"),
    *("2.5.1", "2.5.2", "2.5.3", "2.5.4", "2.5.7", "2.5.8"),
    *("3.1.1", "3.1.2", "3.2.1", "3.2.2", "3.2.3", "3.2.4", "3.2.6"),
    *("3.3.1", "3.3.2", "3.3.3", "3.3.4", "3.3.7", "3.3.8", "4.1.2", "4.1.3"),
}


def test_every_criterion_stands_there_once_with_a_check() -> None:
    rows = re.findall(r"^\| (\d\.\d\.\d+) [^|]+\| ([^|]+)\| ([^|]+)\|$", TEXT, re.MULTILINE)

    assert sorted(number for number, _, _ in rows) == sorted(CRITERIA)
    assert all("`test_" in check or check.strip() == "by eye" for _, _, check in rows)


def test_every_check_that_is_named_exists() -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))

    for name in re.findall(r"`(test_\w+)`", TEXT):
        assert f"def {name}(" in tests, name


def test_every_page_is_named() -> None:
    """A new page without a line fails."""
    folders = [ROOT / "templates" / app for app in ("annotator", "adjudication", "exports")]
    pages = {path for folder in folders for path in folder.rglob("*.html") if not path.name.startswith("_")}
    whole = {path.stem for path in pages if "{% extends" in path.read_text(encoding="utf-8")}
    named = set(re.findall(r"`(\w+)`", TEXT.partition("## Pages of their own")[2]))

    assert whole - named == set()
