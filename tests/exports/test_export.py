"""What leaves the house: SWS JSON by tokens, and everything as Assay JSONL, in and out without loss."""

import json
import os
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from adjudication.actions.deciding import decide_passage, decide_span
from adjudication.actions.merging import merge_project
from adjudication.models import Target
from annotator.actions.assignments import (
    discard_assignment,
    reopen_assignment,
    save_answer,
    submit_assignment,
    withdraw_assignment,
)
from annotator.actions.people import change_roles
from annotator.models import Assignment, Membership, Passage, Project, User
from exports.queries.gold import kept_tokens
from tests.annotator.test_commands import run
from tests.factories import TEXT, TEXTS, Cast, load_cast, mark
from tests.kept import once
from tests.seeds import do_waiting_jobs

AT = "2026-01-02T03:04:05+00:00"


def row_of(user: User, number: int) -> Assignment:
    rows = Assignment.objects.select_related("membership", "passage__project")
    return rows.get(membership__user=user, passage__external_id=f"essays-{number}")


def answer(user: User, number: int, *marks: dict[str, Any]) -> Assignment:
    row = row_of(user, number)
    said = {"marks": list(marks)} if marks else {"none": True}
    submit_assignment(row, by=user, version=row.version, save_id=uuid4(), active_ms=0, answer=said)
    return row


@pytest.fixture
def answered(cast: Cast) -> Cast:
    once(_answer, cast)
    return load_cast()


def _answer(cast: Cast) -> None:
    for user in (cast.ann, cast.ben):
        answer(user, 1, mark(TEXT, "uncle", "relative"))
        answer(user, 2)


def exported(tmp_path: Path, slug: str = "essays", **given: bool) -> Any:
    out = tmp_path / "gold.json"
    call_command("export", slug, format="sws", out=out, **given)
    return json.loads(out.read_text())


def test_sws_json_counts_in_tokens_and_holds_passages_without_targets(answered: Cast, tmp_path: Path) -> None:
    merge_project(answered.project, by=answered.lead)

    found = exported(tmp_path)

    assert list(found) == ["essays-1", "essays-2"]  # the others have no answers, and are no gold
    assert found["essays-1"]["sentence_split"][:3] == ["😀", "My", "uncle"]
    assert found["essays-1"]["substitutes"] == [[[2, 3], {"relative": 2}, 1]]
    assert found["essays-2"] == {
        "sentence": TEXTS[1],
        "sentence_split": [*TEXTS[1].removesuffix(".").split(), "."],
        "substitutes": [],
    }


def test_given_tokens_win(answered: Cast, tmp_path: Path) -> None:
    start = TEXT.index("uncle")
    tokens = [[0, 1], [2, start + 5], [start + 6, len(TEXT)]]
    answered.project.passages.filter(external_id="essays-1").update(tokens=tokens)
    merge_project(answered.project, by=answered.lead)

    with pytest.raises(CommandError, match=r"no spans of tokens: essays-1 \[5, 10\) “uncle”"):
        exported(tmp_path)
    assert list(tmp_path.iterdir()) == []  # nothing half written

    result = run("export", "essays", "--format=sws", f"--out={tmp_path / 'g.json'}", "--leave-out-off-token")
    assert (result["targets"], result["left_out"]) == (0, ["essays-1 [5, 10) “uncle”"])


def test_kept_tokens_give_the_same_file_as_tokens_made_anew(answered: Cast, tmp_path: Path) -> None:
    """Quotes that tokens say otherwise, a language of its own, and tokens that were given."""
    texts = {1: f'{TEXT} "Well, don\'t," she said.', 2: "กินข้าว 漢字 e\u0301 ''fin''", 3: TEXTS[2], 4: "a “b” c"}
    for number, text in texts.items():
        answered.project.passages.filter(external_id=f"essays-{number}").update(text=text)
    answered.project.passages.filter(external_id="essays-2").update(lang="th")
    answered.project.passages.filter(external_id="essays-4").update(tokens=[[0, 1], [2, 3, "``"], [3, 4], [4, 5, "''"]])
    for user in (answered.ann, answered.ben):
        answer(user, 4)
    merge_project(answered.project, by=answered.lead)
    call_command("export", "essays", format="sws", out=tmp_path / "anew.json")

    do_waiting_jobs()
    assert kept_tokens(list(answered.project.passages.values_list("pk", flat=True))).keys() != set()
    call_command("export", "essays", format="sws", out=tmp_path / "kept.json")

    assert (tmp_path / "kept.json").read_bytes() == (tmp_path / "anew.json").read_bytes()


def test_kept_tokens_are_not_made_again(answered: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    merge_project(answered.project, by=answered.lead)
    do_waiting_jobs()
    monkeypatch.delattr("exports.queries.gold.made_tokens")

    assert exported(tmp_path)["essays-1"]["sentence_split"][:3] == ["😀", "My", "uncle"]


def test_tokens_kept_for_another_language_do_not_count(answered: Cast, tmp_path: Path) -> None:
    merge_project(answered.project, by=answered.lead)
    answered.project.passages.filter(external_id="essays-1").update(text="I don't.")
    do_waiting_jobs()

    answered.project.passages.filter(external_id="essays-1").update(lang="fr")
    answered.project.refresh_from_db()
    found = run("export", "essays", "--format=sws", f"--out={tmp_path / 'g.json'}", "--leave-out-off-token")

    assert found["left_out"] == ["essays-1 [5, 10) “uncle”"]
    assert json.loads((tmp_path / "g.json").read_text())["essays-1"]["sentence_split"] == ["I", "don't", "."]


def test_the_export_says_whether_it_is_up_to_date(answered: Cast, tmp_path: Path) -> None:
    merge_project(answered.project, by=answered.lead)
    words = ("export", "essays", "--format=sws", f"--out={tmp_path / 'g.json'}")
    assert run(*words)["is_up_to_date"] is True

    answer(answered.ann, 3)

    assert run(*words)["is_up_to_date"] is False


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"format": "sws"}, "There is no merge yet: run `manage.py merge essays`"),
        ({"format": "xml"}, "There is no format “xml”"),
        ({"format": "sws", "split": "test"}, "has no release yet"),
        ({"format": "sws", "split": "train"}, "no release yet"),
        ({"format": "assay", "out": Path("/nowhere/x.jsonl")}, "cannot be written"),
    ],
)
def test_bad_words_are_one_clear_line(cast: Cast, tmp_path: Path, given: dict[str, Any], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("export", "essays", **{"out": tmp_path / "x", **given})


@pytest.fixture
def varied(answered: Cast) -> Cast:
    """Reopened, discarded, begun and withdrawn work; notes and doubts; tokens and an archived passage."""
    ann, ben = answered.ann, answered.ben
    row = row_of(ann, 1)
    reopen_assignment(row, by=ann, version=row.version, save_id=uuid4())
    unsure = {**mark(TEXT, "party", "feast"), "note": "or “ball”? 😀", "unsure": True}
    save_answer(row, by=ann, version=row.version, save_id=uuid4(), active_ms=0, answer={"marks": [unsure]})
    row = row_of(ben, 3)
    discard_assignment(row, by=ben, version=0, save_id=uuid4(), reason="other", remark="too odd")
    withdraw_assignment(row_of(ben, 4), by=answered.lead)
    answered.project.passages.filter(external_id="essays-3").update(
        tokens=[[0, 1, "I"], [2, 7]],
        group="g",
        archived_at="2026-01-02T03:04:05.678901Z",
        screening="refused",
        screening_reason="grammar",
    )
    answered.project.passages.filter(external_id="essays-2").update(screening="accepted")
    return answered


def test_t19_everything_goes_out_and_comes_in_and_goes_out_the_same(varied: Cast, tmp_path: Path) -> None:
    """T19, T21"""
    first, second = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    call_command("export", "essays", format="assay", out=first)

    result = run("import_project", "copied", str(first), "--lead=new@example.org")
    call_command("export", "copied", format="assay", out=second)

    assert first.read_bytes() == second.read_bytes()
    assert (result["passages"], result["lead_created"]) == (4, True)
    copied = Project.objects.get(slug="copied")
    assert copied.memberships.filter(user=None).count() == 3  # ann, ben, and the one who left
    one, _ = merge_project(varied.project, by=None)
    two, _ = merge_project(copied, by=None)
    assert (one.targets, one.kept, one.answers) == (two.targets, two.kept, two.answers)
    said = dict(copied.passages.values_list("external_id", "screening"))
    assert said == {"essays-1": "", "essays-2": "accepted", "essays-3": "refused", "essays-4": ""}
    assert run("doctor")["ok"]


def plainly(project: Project) -> Iterator[dict[str, Any]]:
    """The records of Assay JSONL, read row by row through the models."""
    names = ("name", "language", "time_zone", "guidelines", "guidelines_version", "look_up_policy")
    yield {
        "assay": 2,
        "project": {**{name: getattr(project, name) for name in names}, "protocol": project.protocol.as_dict()},
    }
    for passage in project.passages.order_by("pk"):
        names = ("text", "group", "lang", "context_before", "context_after", "source_text", "kind", "split", "tokens")
        values = {name: getattr(passage, name) for name in (*names, "key_answer")}
        at = passage.archived_at and passage.archived_at.astimezone(UTC).isoformat()
        said = passage.screening_reason or passage.screening
        screened = {"screening": said} if said else {}
        yield {"passage": {**values, "id": passage.external_id, "archived_at": at, **screened}}
    people = sorted((m for m in project.memberships.all() if m.is_annotator), key=lambda m: m.pseudonym)
    yield from ({"annotator": member.pseudonym} for member in people)
    for member in people:
        for row in member.assignments.order_by("number"):
            names = ("round", "number", "state", "draft", "active_ms", "discard_reason", "discard_remark")
            submissions = [
                {"answer": item.answer, "at": item.at.astimezone(UTC).isoformat()}
                for item in row.submissions.order_by("number")
            ]
            values = {name: getattr(row, name) for name in names}
            person = {"annotator": member.pseudonym, "passage": row.passage.external_id}
            yield {"assignment": {**values, **person, "submissions": submissions}}


def test_everything_is_written_as_a_plain_writer_would(varied: Cast, tmp_path: Path) -> None:
    """The export reads JSON as text and puts lines together by hand; odd data must not show it."""
    odd = {"😀\u2028": ["\x7f\u2029", "\U0010ffff", 1, 1.5, -0.0, 1e16, 1e-7, 10**25, True, None, {"b": 1, "a": {}}]}
    row = row_of(varied.ann, 1)
    for number in range(10, 13):  # more than one, and not in the order of their text
        row.submissions.create(number=number, answer={**odd, "n": -number}, sha256="")
    Assignment.objects.filter(pk=row.pk).update(draft=odd, discard_remark='"\\\u2028😀')
    varied.project.passages.filter(external_id="essays-2").update(key_answer=odd, source_text="\u2028 <&> 😀")

    call_command("export", "essays", format="assay", out=tmp_path / "all.jsonl")

    written = (tmp_path / "all.jsonl").read_bytes().split(b"\n")
    options: Any = {"sort_keys": True, "separators": (",", ":"), "ensure_ascii": False}
    expected = [json.dumps(record, **options).encode() for record in plainly(varied.project)]
    assert written == [*expected, b""]


@pytest.mark.parametrize("same_as", [1, 2, None])
def test_a_draft_is_written_whichever_submission_it_equals(answered: Cast, tmp_path: Path, same_as: int | None) -> None:
    """Where it is a submission's answer, the database sends it once."""
    row = row_of(answered.ann, 1)
    other = {"marks": [mark(TEXT, "uncle", "kinsman")]}
    row.submissions.create(number=2, answer=other, sha256="")
    draft = {1: row.draft, 2: other, None: {"marks": []}}[same_as]
    Assignment.objects.filter(pk=row.pk).update(draft=draft, submissions_made=2)

    call_command("export", "essays", format="assay", out=tmp_path / "all.jsonl")

    lines = map(json.loads, (tmp_path / "all.jsonl").read_text().splitlines())
    written = [line["assignment"] for line in lines if "assignment" in line]
    [found] = [item for item in written if len(item["submissions"]) == 2]
    assert (found["draft"], found["submissions"][1]["answer"]) == (draft, other)


def test_assignments_are_read_in_chunks_whatever_their_numbers(
    varied: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = Assignment.objects.own(varied.ann).order_by("-number").first()
    assert last is not None
    Assignment.objects.filter(pk=last.pk).update(number=2_000_000_000)
    call_command("export", "essays", format="assay", out=tmp_path / "whole.jsonl")
    monkeypatch.setattr("exports.queries.answers.ANSWERS_CHUNK", 3)

    call_command("export", "essays", format="assay", out=tmp_path / "chunks.jsonl")

    assert (tmp_path / "chunks.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert "2000000000" in (tmp_path / "whole.jsonl").read_text()


def test_who_has_another_role_by_now_is_exported_too(varied: Cast, tmp_path: Path) -> None:
    change_roles(varied.membership("ben"), by=varied.lead, roles={"adjudicator"})
    first = tmp_path / "one.jsonl"
    call_command("export", "essays", format="assay", out=first)

    run("import_project", "copied", str(first), "--lead=new@example.org")

    one, _ = merge_project(varied.project, by=None)
    two, _ = merge_project(Project.objects.get(slug="copied"), by=None)
    assert (one.answers, one.kept) == (two.answers, two.kept) == (4, 1)


def test_a_lead_never_takes_the_name_of_a_voice(varied: Cast, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    call_command("export", "essays", format="assay", out=path)
    lines = path.read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith('{"annotator"'))
    names = {json.loads(line)["annotator"] for line in lines if line.startswith('{"annotator"')}
    more = [json.dumps({"annotator": f"A{n:02d}"}) for n in range(1, 100) if f"A{n:02d}" not in names]
    path.write_text("\n".join([*lines[:at], *more, *lines[at:]]) + "\n")

    run("import_project", "copied", str(path), "--lead=new@example.org")

    assert Membership.objects.get(project__slug="copied", is_lead=True).pseudonym not in {*names, "A01", "A99"}


def test_an_export_overtaken_by_a_merge_says_so(
    answered: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another merge may remove the rows that are just being written."""
    merge, _ = merge_project(answered.project, by=answered.lead)
    Target.objects.filter(merge=merge).delete()

    with pytest.raises(CommandError, match="Another merge took the place"):
        exported(tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_links_are_followed_and_what_is_no_file_is_left_alone(answered: Cast, tmp_path: Path) -> None:
    real, link, pipe = tmp_path / "real.jsonl", tmp_path / "link.jsonl", tmp_path / "pipe"
    real.write_text("old")
    link.symlink_to(real)
    os.mkfifo(pipe)

    call_command("export", "essays", format="assay", out=link)

    assert link.is_symlink()
    assert real.read_text() != "old"
    for path in (pipe, tmp_path):
        with pytest.raises(CommandError, match="name a file to write"):
            call_command("export", "essays", format="assay", out=path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.jsonl", "pipe", "real.jsonl"]


def test_no_name_and_no_address_is_exported(varied: Cast, tmp_path: Path) -> None:
    out = tmp_path / "all.jsonl"
    call_command("export", "essays", format="assay", out=out)

    text = out.read_text()

    assert not [word for word in ("@example.org", "Ann", "Ben", varied.project.seed) if word in text]


@pytest.mark.parametrize(
    ("change", "line", "reason"),
    [
        (lambda rows: rows.pop(0), 1, "The first line is"),
        (lambda rows: rows[1]["passage"].update(text="a\x01"), 2, "control character"),
        (lambda rows: rows[1]["passage"].update(more=1), 2, "just the keys"),
        (lambda rows: rows[2]["passage"].update(id="essays-1"), 3, "is already in the file"),
        (lambda rows: rows[1]["passage"].update(tokens=[[5, 2]]), 2, "Tokens are"),
        (lambda rows: rows[1]["passage"].update(kind="fun"), 2, "no kind “fun”"),
        (lambda rows: rows[3]["passage"].update(archived_at="yesterday"), 4, "no instant"),
        (lambda rows: rows[3]["passage"].update(screening="refused"), 4, "nothing that screening says"),
        (lambda rows: rows.append({"annotator": 5}), None, "nobody's name"),
        (lambda rows: rows.append({"other": 5}), None, "one key of"),
        (lambda rows: rows[-1]["assignment"].update(passage="none"), None, "There is no passage “none”"),
        (lambda rows: rows[-1]["assignment"].update(number=1), None, "such an assignment already"),
        (lambda rows: rows[-1]["assignment"].update(state="lost"), None, "is no state"),
        (lambda rows: rows[-1]["assignment"].update(draft={}), None, "either marks or none"),
        (lambda rows: rows[-1]["assignment"].update(round=True), None, "no whole number"),
        (lambda rows: rows[0]["project"]["protocol"].update(keep_at="two"), 1, "“keep_at” makes no sense"),
        (lambda rows: rows[0]["project"]["protocol"].update(preset=["sws"]), 1, "“preset” makes no sense"),
        (lambda rows: rows[0]["project"]["protocol"]["types"][0].update(code="x"), 1, "“types” makes no sense"),
        (lambda rows: rows[0].update(assay=True), 1, "The first line is"),
        (lambda rows: rows[3]["passage"].update(archived_at="9999-12-31T23:59:59-10:00"), 4, "no instant"),
        (lambda rows: rows[1]["passage"].update(group="a\x00b"), 2, "NUL"),
        (lambda rows: rows[1]["passage"].update(tokens=[[0, 2], [1, 3]]), 2, "Tokens are"),
        (lambda rows: rows[-1]["assignment"].update(discard_reason="foo"), None, "is no state"),
        (lambda rows: rows[-1]["assignment"].update(round=40000), None, "is the most"),
        (
            lambda rows: rows[-1]["assignment"]["submissions"].append({"answer": {"marks": []}, "at": AT}),
            None,
            "Nothing is marked",
        ),
        (lambda rows: rows[0]["project"]["protocol"].update(kind="judging"), 1, "cannot work by these rules yet"),
    ],
)
def test_a_bad_line_is_named_and_nothing_comes(
    varied: Cast, tmp_path: Path, change: Any, line: int | None, reason: str, capsys: Any
) -> None:
    path = tmp_path / "all.jsonl"
    call_command("export", "essays", format="assay", out=path)
    rows = [json.loads(row) for row in path.read_text().splitlines()]
    change(rows)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    before = Membership.objects.count(), User.objects.count()

    with pytest.raises(CommandError, match="nothing was imported"):
        call_command("import_project", "copied", str(path), "--lead=new@example.org")

    assert f"all.jsonl:{line or len(rows)}: " in (said := capsys.readouterr().err)
    assert reason in said
    assert (Membership.objects.count(), User.objects.count()) == before


def decide(cast: Cast, quote: str, content: dict[str, Any], name: str = "essays-1") -> None:
    passage = Passage.objects.select_related("project").get(project=cast.project, external_id=name)
    start = passage.text.index(quote)
    span = (start, start + len(quote))
    decide_span(passage, span, by=cast.lead, version=0, act=uuid4(), content={"verdict": None, **content})


def test_the_gold_is_exported_with_what_was_decided(answered: Cast, tmp_path: Path) -> None:
    """An added suggestion has one vote in the file; the bare merge can still be had."""
    merge_project(answered.project, by=answered.lead)
    bare = exported(tmp_path, without_decisions=True)
    decide(answered, "uncle", {"suggestions": [{"text": "kin", "from": []}], "type": "diversify-expression"})
    decide(answered, "house", {"verdict": "keep", "suggestions": [{"text": "home", "from": []}]})

    gold = exported(tmp_path)
    told = run("export", "essays", "--format=sws", f"--out={tmp_path / 'g.json'}")

    assert exported(tmp_path, without_decisions=True) == bare
    before = {tuple(span): (votes, type_) for span, votes, type_ in bare["essays-1"]["substitutes"]}
    after = {tuple(span): (votes, type_) for span, votes, type_ in gold["essays-1"]["substitutes"]}
    [uncle] = before
    assert after[uncle] == ({**before[uncle][0], "kin": 1}, 2)
    [house] = after.keys() - before.keys()
    assert after[house] == ({"home": 1}, 1)
    assert (told["added"], told["with_decisions"], told["targets"]) == (2, True, len(after))


def test_a_passage_discarded_by_a_decision_is_not_in_the_file(answered: Cast, tmp_path: Path) -> None:
    merge_project(answered.project, by=answered.lead)
    passage = Passage.objects.select_related("project").get(project=answered.project, external_id="essays-1")
    content = {"verdict": "discard"}
    decide_passage(passage, by=answered.lead, version=0, act=uuid4(), content=content, reason="Not English.")

    assert "essays-1" not in exported(tmp_path)
    assert "essays-1" in exported(tmp_path, without_decisions=True)
