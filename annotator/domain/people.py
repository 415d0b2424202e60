"""Pseudonyms, the order of work, and where people come from: small rules that must not give anyone away."""

import hashlib
import random
import re
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

ROLES = ("annotator", "adjudicator", "lead", "submitter")  # a submitter brings systems, and sees no gold


class MemberState(StrEnum):
    """Where somebody stands in a project, as its leads see it."""

    TESTING = "testing"
    FAILED = "failed the test"
    WORKING = "working"
    PAUSED = "paused"
    REMOVED = "removed"


def pseudonym(seed: str, ordinal: int) -> str:
    """The pseudonym of the `ordinal`-th person (from 0) ever to join: A01… in an order only the seed knows.

    Numbers come from shuffled blocks (1–99, 100–999, …), so a number is never used twice and never tells who
    came first within its block.
    """
    first, size = 1, 99
    while ordinal >= size:
        ordinal, first, size = ordinal - size, first + size, size * 10 if size > 99 else 900
    return f"A{_shuffled(seed, first, size)[ordinal]:02d}"


@lru_cache(maxsize=16)  # a whole class that joins asks for it one by one
def _shuffled(seed: str, first: int, size: int) -> tuple[int, ...]:
    numbers = list(range(first, first + size))
    random.Random(f"{seed}:{first}").shuffle(numbers)  # noqa: S311 (a shuffle to hide order, not a secret)
    return tuple(numbers)


def type_order(seed: str, pseudonym: str, keys: Iterable[str]) -> list[str]:
    """Types in this person's own order: the same every time, so that no type always comes first for all."""
    return sorted(keys, key=lambda key: hashlib.sha256("\x1f".join((seed, "types", pseudonym, key)).encode()).digest())


def work_order(seed: str, pseudonym: str, external_ids: Iterable[str]) -> list[str]:
    """External ids in this person's own order: shuffled by the project's seed, the same every time."""

    def place(external_id: str) -> bytes:
        return hashlib.sha256("\x1f".join((seed, pseudonym, external_id)).encode()).digest()

    return sorted(external_ids, key=place)


def addresses_in(text: str) -> list[str]:
    """E-mail addresses as people paste them: parted by lines, commas, semicolons or spaces, bare or as `Lee, Ann
    <ann@example.org>`. What is no address is given as it stands, so that it can be named; nothing is passed over."""
    found = list[str]()
    for line in text.splitlines():
        chunks = [chunk.strip() for chunk in re.split("[,;]", line)]
        for chunk, following in zip(chunks, [*chunks[1:], ""], strict=True):
            if bracketed := re.findall(r"<([^<>]*)>", chunk):
                found += [address.strip().removeprefix("mailto:") for address in bracketed]
            elif "@" in chunk:
                words = [word.strip("\"'().").removeprefix("mailto:") for word in chunk.split()]
                found += [word for word in words if "@" in word or "." in word]  # the rest is a name
            elif chunk and ("." in chunk or "<" not in following):  # else the first half of a name
                found.append(chunk)
    return found


def hash_of_token(token: str) -> str:
    """What is kept of the token in a link: nobody who reads it can make the link of it."""
    return hashlib.sha256(token.encode()).hexdigest()


def network_of(address: str) -> str:
    """Whose address it is, as far as that can be told: IPv6 is handed out by /64, any address of which is to be had for
    nothing. What is no address, which a proxy may send, is one source for all."""
    bare = address.partition("%")[0]
    host = bare.rpartition(":")[0] if bare.count(":") == 1 or "]:" in bare else bare  # with the port, from some proxies
    try:
        found = ip_address(host.strip("[]"))
    except ValueError:
        return "unknown"
    if not isinstance(found, IPv6Address):
        return str(found)
    return str(found.ipv4_mapped or ip_network((found, 64), strict=False))
