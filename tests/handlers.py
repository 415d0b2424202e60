"""One set of middleware for all test clients of a process, as the server has one."""

from typing import Any

from django.core.signals import setting_changed
from django.test.client import ClientHandler

_load = ClientHandler.load_middleware
_loaded: dict[str, Any] = {}


def share_middleware() -> None:
    """Django loads it anew for every client, and each time WhiteNoise reads its whole folder: 30 ms, for the
    thousands of clients that the tests make."""
    ClientHandler.load_middleware = _load_once  # type: ignore[method-assign]
    setting_changed.connect(_forget)


def _load_once(self: ClientHandler, is_async: bool = False) -> None:
    if not _loaded:
        _load(self, is_async)
        # Whether a client must show its form token stays its own.
        _loaded.update({name: value for name, value in vars(self).items() if "_middleware" in name})
    vars(self).update(_loaded)


def _forget(**changed: Any) -> None:
    """Middleware may have read a setting when it was made."""
    _loaded.clear()
