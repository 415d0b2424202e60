"""Django's SQLite backend, with writers that queue in the order they came."""
