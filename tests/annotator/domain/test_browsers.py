"""What a browser is called by those who use it."""

import pytest

from annotator.domain.browsers import browser_name

SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile Safari/604.1"
CHROME = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36"


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
        (SAFARI, "Safari on iPhone"),
        (CHROME, "Chrome on macOS"),
        (f"{CHROME} Edg/140.0", "Edge on macOS"),
        ("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"),
        ("Firefox/1.0", "Firefox"),
        ("python-requests/2.32", ""),
        ("", ""),
    ],
)
def test_a_browser_has_a_short_name(agent: str, name: str) -> None:
    assert browser_name(agent) == name
