"""Tokens of passages, made once and kept: by a job after an import, or by the first other job that needs them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Exists, OuterRef

from annotator.actions.jobs import _enqueue
from annotator.actions.log import locked
from annotator.actions.running import Result, Run
from annotator.bulk import BATCH, READ, insert_rows
from annotator.domain.formats.reading import counted
from annotator.domain.jobs import JobKind, JobState
from annotator.domain.language import made_tokens
from annotator.domain.tokens import pack_tokens
from annotator.models import Passage, PassageTokens, Project, User
from annotator.models.projects import PassageQuerySet

COLUMNS = ("passage_id", "lang", "spans", "rewritten")
Row = tuple[int, str, bytes, str]  # as COLUMNS


def _ask_for_tokens(project: Project, *, by: User | None) -> None:
    """In the transaction that brings passages in."""
    if _without_tokens(project).exists():
        _enqueue(MAKE_TOKENS.name, by=by, project=project)


def _without_tokens(project: Project) -> PassageQuerySet:
    """Also those whose tokens were made for another language."""
    there = PassageTokens.objects.fitting().filter(passage=OuterRef("pk"))
    return Passage.objects.filter(project=project).filter(~Exists(there))


def _make_tokens(run: Run) -> Result:
    """The job. Begun again after a crash, it finds what is left."""
    project = run.job.project
    assert project is not None
    left = list(_without_tokens(project).order_by("pk").values_list("pk", flat=True))
    done, total = run.job.done, run.job.done + len(left)
    made = (run.job.result or {}).get("passages", 0)
    for start in range(0, len(left), BATCH):
        batch = left[start : start + BATCH]
        rows = _made(project, batch)
        done += len(batch)
        with run.step(done=done, total=total, can_be_lost=True):
            made += _keep(project, rows)
            run.keep({"passages": made})
    return {"passages": made}


def _tokens_of(run: Run, passages: Sequence[int]) -> dict[int, bytes]:
    """The packed spans by passage, for another job of the same project. What is lacking is made and kept; a passage
    that was taken back meanwhile has none."""
    project = run.job.project
    assert project is not None
    found = _kept(passages)
    lacking = [pk for pk in passages if pk not in found]
    for start in range(0, len(lacking), BATCH):
        rows = _made(project, lacking[start : start + BATCH])
        with run.step(done=run.job.done, total=run.job.total, can_be_lost=True):
            _keep(project, rows)
    return found | _kept(lacking)


def _kept(passages: Sequence[int]) -> dict[int, bytes]:
    found: dict[int, bytes] = {}
    for start in range(0, len(passages), READ):
        rows = PassageTokens.objects.fitting().filter(pk__in=passages[start : start + READ])
        found |= {pk: bytes(spans) for pk, spans in rows.values_list("pk", "spans")}
    return found


def _made(project: Project, passages: Sequence[int]) -> list[Row]:
    """Before any transaction begins: this is what takes the time."""
    rows = []
    found = Passage.objects.filter(pk__in=passages).order_by("pk").values_list("pk", "text", "lang", "tokens")
    for pk, text, own_lang, given in found:
        lang = own_lang or project.language
        spans, rewritten = pack_tokens(text, made_tokens(text, lang) if given is None else given)
        rows.append((pk, lang, spans, json.dumps(rewritten)))
    return rows


def _keep(project: Project, rows: Sequence[Row]) -> int:
    """One batch, the project locked: another job may have been quicker, or the passages taken back; how many."""
    lacking = _without_tokens(locked(project)).filter(pk__in=[row[0] for row in rows])
    wanted = set(lacking.values_list("pk", flat=True))
    PassageTokens.objects.filter(pk__in=wanted).delete()  # of another language
    insert_rows(PassageTokens, COLUMNS, [row for row in rows if row[0] in wanted])
    return len(wanted)


def _says(state: JobState, result: Mapping[str, Any]) -> str:
    made = result.get("passages", 0)
    if state == JobState.DONE:
        return f"Tokens of {counted(made, 'passage')} made." if made else "Every passage had its tokens already."
    if state == JobState.CANCELLED and made:
        return f"Tokens of {counted(made, 'passage')} were made and stay. Trying again goes on from there."
    return ""


MAKE_TOKENS = JobKind("make_tokens", "Make tokens", _make_tokens, _says)
