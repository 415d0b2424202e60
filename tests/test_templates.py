"""Rules for all pages that can be read off their templates."""

import re
from pathlib import Path

TEMPLATES = Path(__file__).resolve().parent.parent / "templates"


def pages() -> dict[str, str]:
    found = {str(path.relative_to(TEMPLATES)): path.read_text(encoding="utf-8") for path in TEMPLATES.rglob("*.html")}
    return {name: text for name, text in found.items() if "{% extends" in text}


def test_where_a_part_refreshes_itself_the_page_can_say_that_the_server_is_silent() -> None:
    for name, text in pages().items():
        if re.search(r"\shx-(get|post)=", text):
            assert '{% include "_htmx.html" %}' in text, name
            assert '{% include "_live.html" %}' in text, name
