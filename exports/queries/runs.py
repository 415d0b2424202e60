"""Runs of systems as pages show them: the gold they are scored against, two of them side by side, what went wrong."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from uuid import UUID

from django.db.models import Q
from msgspec import Struct
from msgspec.json import Decoder

from adjudication.domain.lanes import Piece, pieces
from adjudication.domain.packing import unpack_arrays
from annotator.domain.errors import Conflict
from annotator.domain.formats.sws_json import SwsSentence, SwsTarget, write_sws_json
from annotator.models import Passage, Project, User
from exports.domain.bootstrap import Difference, paired
from exports.domain.runs import Mistake
from exports.domain.scoring import names_by_code
from exports.models import Release, RunSentence, SystemRun
from exports.queries.releases import text_of

PAGE = 12  # sentences of the error browser
SHOWN_SUGGESTIONS = 4


class _Marked(Struct):
    """What a row of `<split>.jsonl` tells of a target and SWS JSON does not."""

    token_start: int
    token_end: int
    annotators: int


class _Row(Struct):
    id: str
    targets: list[_Marked]


_rows = Decoder(_Row)


class _Sentence(Struct):
    """Of `<split>.json`. We wrote it and it never changes, so it is not looked at as a stranger's file is."""

    sentence: str
    sentence_split: tuple[str, ...]
    substitutes: list[tuple[tuple[int, int], dict[str, int], int]]


_sentences = Decoder(dict[str, _Sentence])


def gold_of(release: Release, split: str) -> list[SwsSentence]:
    """As it was released, with the voting index in persons where the release tells it."""
    persons = {
        (row.id, target.token_start, target.token_end): target.annotators
        for row in _rows.decode_lines(text_of(release, f"{split}.jsonl"))
        for target in row.targets
        if target.annotators >= 0
    }
    return [
        SwsSentence(
            name,
            item.sentence,
            item.sentence_split,
            tuple(
                SwsTarget(span, tuple(votes.items()), type_, persons.get((name, *span)))
                for span, votes, type_ in item.substitutes
            ),
        )
        for name, item in _sentences.decode(text_of(release, f"{split}.json")).items()
    ]


def sentences_of(release: Release, split: str) -> tuple[str, str]:
    """What systems are asked about, as SWS JSON without its targets: no gold; and the name of that file."""
    text = "".join(write_sws_json(replace(sentence, targets=()) for sentence in gold_of(release, split)))
    return text, f"{release.folder}-{split}-sentences.json"


def measured_releases(project: Project, user: User) -> list[Release]:
    """That systems are scored on, the newest first."""
    found = Release.objects.measured_by(user).of(project).select_related("project")
    return list(found.order_by("-number"))


def chosen(releases: Sequence[Release], *, number: str = "", split: str | None = None) -> tuple[Release, str] | None:
    """As somebody asks; else the newest of our own that is not withdrawn, and its last split, which is test as a
    rule."""
    rows = [row for row in releases if not number or str(row.number) == number]
    if not rows:
        return None
    found = max(rows, key=lambda row: (row.is_frozen, row.is_own, row.number))
    wanted = found.splits[-1] if split is None else split
    return (found, wanted) if wanted in found.splits else None


def type_names(release: Release) -> dict[int, str]:
    return names_by_code({item.key: item.code for item in release.project.protocol.types})


@lru_cache(maxsize=64)
def _compared(one: UUID, two: UUID) -> dict[str, Difference]:
    """Of two scored runs, which never change."""
    arrays = []
    for uuid in (one, two):
        packed = SystemRun.objects.values_list("by_sentence", flat=True).get(uuid=uuid)
        arrays.append(unpack_arrays(bytes(packed))[1]["rows"])
    return paired(*arrays)


def compared_runs(one: SystemRun, two: SystemRun) -> dict[str, Difference]:
    if not (one.is_scored and two.is_scored):
        raise Conflict("Both have to be scored first.", code="not_scored")
    if (one.release_id, one.split) != (two.release_id, two.split):
        raise Conflict("The two were not scored on the same sentences.", code="other_split")
    return _compared(one.uuid, two.uuid)


@dataclass(frozen=True)
class Shown:
    """A sentence of the error browser, cut for the gold above it and the system below."""

    id: str
    pieces: list[Piece]
    says: str


def wrong_sentences(run: SystemRun, kind: Mistake, *, after: tuple[int, int] | None, most: int) -> list[RunSentence]:
    """So many of them, the heaviest first: by votes for what was missed, then by their order in the split."""
    weight = f"{kind}_weight"
    rows = RunSentence.objects.filter(run=run, **{f"{kind}__gt": 0}).order_by(f"-{weight}", "number")
    if after is not None:
        rows = rows.filter(Q(**{f"{weight}__lt": after[0]}) | Q(**{weight: after[0], "number__gt": after[1]}))
    return list(rows[:most])


def passages_named(release: Release, names: Sequence[str]) -> dict[str, UUID]:
    """The passages that sentences were; of gold from elsewhere there are none."""
    if not release.is_own:
        return {}
    rows = Passage.objects.filter(project=release.project, external_id__in=names)
    return dict(rows.values_list("external_id", "uuid"))


def shown(row: RunSentence, types: Mapping[int, str]) -> Shown:
    content = row.content
    said = {tuple(item["span"]): item["suggestions"][:SHOWN_SUGGESTIONS] for item in content["system"]}
    type_of = {tuple(item["span"]): types.get(item["type"], str(item["type"])) for item in content["gold"]}
    gold = {}
    for item in content["gold"]:
        span = tuple(item["span"])
        ordered = sorted(item["suggestions"], key=lambda found: (-found[1], found[0]))
        # Also what is further down, where the system says it: it is said by both.
        told = [(text, votes) for place, (text, votes) in enumerate(ordered)
                if place < SHOWN_SUGGESTIONS or text in said.get(span, ())]  # fmt: skip
        gold[span] = {text: (f"{text} {votes}", type_of[span]) for text, votes in told}
    system = {
        span: {text: (text, "") for text in offers} or {"": ("no suggestion", "")} for span, offers in said.items()
    }
    return Shown(row.external_id, pieces(content["text"], gold, system), ", ".join(_says(row)))


def _says(row: RunSentence) -> Iterator[str]:
    if row.missed:
        yield f"{row.missed} missed"
    if row.spurious:
        yield f"{row.spurious} spurious"
    if row.other:
        yield f"{row.other} other suggestion{'' if row.other == 1 else 's'}"
