"""Gold from elsewhere and systems on it, as tests need them."""

import io
import json
from typing import Any

from django.test import Client

from annotator import uploads
from annotator.models import User
from exports.actions.runs import measure_system
from exports.domain.runs import System
from exports.models import Release, SystemRun
from exports.queries.runs import gold_of
from tests.document import CheckedClient


def gold(start: int, count: int) -> dict[str, Any]:
    """Sentences with two targets each; the first word has one to three votes."""
    return {
        f"s{number}": {
            "sentence": f"Word{number} and more.",
            "sentence_split": [f"Word{number}", "and", "more", "."],
            "substitutes": [[[0, 1], {"<b>term</b>": 1 + number % 3}, 1], [[2, 3], {"extra": 2, "further": 1}, 2]],
        }
        for number in range(start, start + count)
    }


def predictions(release: Release, split: str = "test", *, right: bool = True, skip: int = 0) -> dict[str, Any]:
    """Every target of the gold with its suggestions, best first, but the first `skip`; or one span that is none."""
    found: dict[str, Any] = {}
    for sentence in gold_of(release, split):
        offers = [
            [[" ".join(sentence.tokens[slice(*target.span)]), *target.span], [text for text, _ in target.suggestions]]
            for target in sentence.targets
        ]
        found[sentence.id] = {
            "input_words": list(sentence.tokens),
            "substitute_topk": offers[skip:] if right else [[["x", 0, 1], ["zzz"]]],
        }
    return found


def kept(data: Any) -> uploads.KeptFile:
    text = data if isinstance(data, str) else json.dumps(data)
    return uploads.keep(io.BytesIO(text.encode()))


def scored(release: Release, by: User | None, name: str = "quill", split: str = "test", **given: Any) -> SystemRun:
    return measure_system(
        release, by=by, split=split, system=System(name), file=kept(predictions(release, split, **given))
    )


def client_of(user: User) -> Client:
    client = CheckedClient()
    client.force_login(user)
    return client


def files() -> list[str]:
    folders = [uploads.folder(), uploads.folder().parent / "files" / "runs"]
    return [path.name for folder in folders if folder.exists() for path in folder.iterdir()]
