"""How passwords are kept."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2(Argon2PasswordHasher):
    """OWASP's smallest recommended setting: 19 MiB, two passes; a log-in must not cost 100 MB of a small server."""

    memory_cost = 19 * 1024  # KiB
    time_cost = 2
    parallelism = 1
