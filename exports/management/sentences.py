"""The sentences that a system is asked about: those of an SWS JSON, or the passages of a project."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.core.management.base import CommandError

from annotator.domain.errors import Refused
from annotator.domain.formats.reading import whole
from annotator.domain.formats.sws_json import read_sws_json
from annotator.domain.language import is_english, made_tokens
from annotator.domain.tokens import texts_of
from annotator.management.files import opened
from annotator.models import Project
from exports.queries.gold import CHUNK, kept_tokens


@dataclass(frozen=True)
class Sentence:
    id: str
    tokens: list[str]
    is_english: bool = True


def names_a_file(name: str) -> bool:
    """No project has an address with a dot or a stroke in it."""
    return name.endswith(".json") or "/" in name


def sentences_of_file(path: Path) -> list[Sentence]:
    try:
        with opened(path) as source:
            return [Sentence(sentence.id, list(sentence.tokens)) for sentence in read_sws_json(whole(source))]
    except Refused as error:
        raise CommandError(f"{path}: {error.message} Nothing was made.") from None


def sentences_of_project(project: Project) -> Iterator[Sentence]:
    """The passages that count, whether merged or not, with their tokens as exports have them."""
    ids = list(project.passages.work().order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(ids), CHUNK):
        chunk = ids[start : start + CHUNK]
        kept = kept_tokens(chunk)
        for passage in project.passages.filter(pk__in=chunk).order_by("pk"):
            lang = passage.lang or project.language
            stored = kept.get(passage.pk) if passage.tokens is None else passage.tokens
            if stored is None:  # the job that makes them has not come so far
                stored = made_tokens(passage.text, lang)
            yield Sentence(passage.external_id, texts_of(passage.text, stored), is_english(lang))
