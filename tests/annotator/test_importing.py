"""Files: passages and voices' answers, whole or not at all, every bad line named."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotator.actions.importing.answers import add_voices, import_annotations
from annotator.actions.importing.passages import import_passages
from annotator.domain.answers import Answer, parse_answer
from annotator.domain.errors import Conflict, Invalid, NotAllowed
from annotator.domain.formats.reading import BadFile, Report
from annotator.domain.passage_findings import text_digest
from annotator.domain.protocols import SWS
from annotator.models import Assignment, Membership, Submission
from tests.annotator.test_commands import run
from tests.factories import TEXT, TEXTS, Cast, mark

HEAD = "sentence_id,annotator,word to change,substitutes,type\n"


def file_of(text: str) -> io.BytesIO:
    return io.BytesIO(text.encode())


def table(cast: Cast, rows: str, **given: Any) -> Any:
    return import_annotations(cast.project, by=cast.lead, source=file_of(HEAD + rows), name="t.csv", **given)


def answer(value: dict[str, Any], text: str = TEXT) -> Answer:
    return parse_answer(value, text=text, protocol=SWS)


def test_passages_come_with_their_tokens_and_groups(cast: Cast) -> None:
    line = {"id": "n1", "text": "Do n't.", "group": "g", "tokens": ["Do", "n't", "."], "context_before": "Well."}

    done = import_passages(cast.project, by=cast.lead, source=file_of(json.dumps(line)), name="p.jsonl")

    row = cast.project.passages.get(external_id="n1")
    assert (done.made, row.group, row.context_before, row.tokens) == (1, "g", "Well.", [[0, 2], [3, 6], [6, 7]])


def test_what_was_written_many_at_once_is_as_any_other_passage(cast: Cast) -> None:
    import_passages(cast.project, by=cast.lead, source=file_of("id,text\nn1,“One”  more.\nn2,Two.\n"), name="p.csv")

    one, two = cast.project.passages.filter(external_id__startswith="n").order_by("pk")
    assert one.uuid != two.uuid
    assert (one.tokens, one.key_answer, one.version, one.screening, one.replaces) == (None, None, 0, "", None)
    assert one.text_digest == text_digest('"one" more.')
    one.full_clean()


def test_t27_another_text_under_a_known_id_is_named_by_line_and_nothing_comes(cast: Cast) -> None:
    """T27"""
    data = f"id,text\nnew-1,A new one.\nessays-1,Another text.\nessays-2,{TEXTS[1]}\n"

    with pytest.raises(BadFile) as refused:
        import_passages(cast.project, by=cast.lead, source=file_of(data), name="p.csv")

    [problem] = refused.value.report.problems
    assert (problem.line, "is there already with another text" in problem.reason) == (3, True)
    assert not cast.project.passages.filter(external_id="new-1").exists()


def test_a_table_makes_every_voice_answer_every_passage(cast: Cast) -> None:
    rows = "essays-1,V1,uncle,relative; kinsman,refine-usage\nessays-2,V2,bad,awful,diversify-expression\n"

    done = table(cast, rows, is_sparse=False)

    assert (done.made, done.voices, done.empty) == (8, 2, 6)
    assert done.says == (
        "8 answers imported, 2 new voices. 6 answers without a row were taken as “nothing to improve”."
    )
    voice = cast.project.memberships.get(pseudonym="V1")
    assert (voice.user, voice.roles) == (None, ["annotator"])
    answers = dict(voice.assignments.values_list("passage__external_id", "submissions__answer"))
    assert answers["essays-2"] == {"none": True}
    assert [s["text"] for s in answers["essays-1"]["marks"][0]["substitutes"]] == ["relative", "kinsman"]
    assert set(voice.assignments.values_list("state", flat=True)) == {"submitted"}


def test_sparse_makes_only_what_has_a_row(cast: Cast) -> None:
    assert table(cast, "essays-1,V1,uncle,relative,refine-usage\n", is_sparse=True).made == 1


def test_the_same_table_again_changes_nothing(cast: Cast) -> None:
    rows = "essays-1,V1,uncle,relative,refine-usage\n"
    table(cast, rows, is_sparse=False)
    before = list(Assignment.objects.values()), list(Submission.objects.values()), list(Membership.objects.values())

    done = table(cast, rows, is_sparse=False)

    assert (done.made, done.already, done.voices, done.empty) == (0, 1, 0, 0)
    after = list(Assignment.objects.values()), list(Submission.objects.values()), list(Membership.objects.values())
    assert after == before


def test_something_else_is_a_conflict_and_nothing_is_written(cast: Cast) -> None:
    table(cast, "essays-1,V1,uncle,relative,refine-usage\n", is_sparse=True)
    before = Submission.objects.count(), Membership.objects.count()

    with pytest.raises(Conflict, match="V1 has answered essays-1 otherwise"):
        table(cast, "essays-1,V1,uncle,kinsman,refine-usage\nessays-1,V0,uncle,kinsman,refine-usage\n")

    assert (Submission.objects.count(), Membership.objects.count()) == before


def test_passages_added_since_are_answered_by_the_same_table(cast: Cast) -> None:
    rows = "essays-1,V1,uncle,relative,refine-usage\n"
    table(cast, rows, is_sparse=False)
    import_passages(cast.project, by=cast.lead, source=file_of("A late one.\n"), name="late.txt")

    assert table(cast, rows, is_sparse=False).made == 1


def test_the_same_table_after_a_passage_was_added_assumes_nothing(cast: Cast) -> None:
    rows = "".join(f"essays-{n},V1,{word},x,refine-usage\n" for n, word in ((1, "uncle"), (2, "bad"), (3, "good")))
    assert table(cast, rows).empty == 1
    import_passages(cast.project, by=cast.lead, source=file_of("A late one.\n"), name="late.txt")

    done = table(cast, rows)

    assert (done.made, done.already, done.empty) == (0, 3, 0)


def test_passages_of_another_kind_are_no_repetition(cast: Cast) -> None:
    import_passages(cast.project, by=cast.lead, source=file_of("A late one.\n"), name="late.txt")

    with pytest.raises(BadFile) as refused:
        import_passages(cast.project, by=cast.lead, source=file_of("A late one.\n"), name="late.txt", kind="practice")

    assert refused.value.report.problems[0].reason == "The id “late-1” is there already with another kind."


def test_a_table_for_later_passages_leaves_alone_what_it_does_not_mention(cast: Cast) -> None:
    table(cast, "essays-1,V1,uncle,relative,refine-usage\n", is_sparse=False)
    import_passages(cast.project, by=cast.lead, source=file_of("A late one.\n"), name="late.txt")

    done = table(cast, "late-1,V1,late,belated,refine-usage\n")

    assert (done.made, done.empty, done.already) == (1, 0, 0)
    kept = Submission.objects.get(assignment__membership__pseudonym="V1", assignment__passage__external_id="essays-1")
    assert kept.answer["marks"][0]["quote"] == "uncle"


def test_an_import_asks_what_no_row_means_where_it_matters(cast: Cast) -> None:
    rows = "essays-1,V1,uncle,relative,refine-usage\nessays-2,V1,bad,awful,refine-usage\n"
    before = Membership.objects.count()

    with pytest.raises(Conflict, match=r"2 of 4 answers have no row in the table.*“not asked”") as refused:
        table(cast, rows)

    assert refused.value.code == "dense_or_sparse"
    assert Membership.objects.count() == before
    third = "essays-3,V1,good,fine,refine-usage\n"
    done = table(cast, rows + third)
    assert (done.made, done.empty) == (4, 1)


def test_names_that_are_nearly_equal_are_likely_one_person(cast: Cast) -> None:
    rows = "essays-1,Mia,uncle,relative,refine-usage\nessays-1,mia ,party,feast,refine-usage\n"
    with pytest.raises(Conflict, match="Likely one person each: “Mia” and “mia”"):
        table(cast, rows, is_sparse=True)

    assert table(cast, rows, is_sparse=True, names_differ=True).voices == 2

    with pytest.raises(Conflict, match="Likely one person"):
        table(cast, "essays-2,MIA,bad,awful,refine-usage\n", is_sparse=True)


def test_what_the_workbench_would_point_out_is_a_warning(cast: Cast) -> None:
    done = table(cast, 'essays-1,V1,uncle,"relative, kinsman",refine-usage\n', is_sparse=True)

    assert (done.made, done.warnings) == (1, 1)
    [warning] = done.arrival.report["warnings"]
    assert (warning["line"], "comma" in warning["reason"]) == (2, True)


def test_nobody_speaks_under_a_members_pseudonym(cast: Cast) -> None:
    name = cast.membership("ann").pseudonym

    with pytest.raises(Conflict, match="somebody who works in this project"):
        table(cast, f"essays-1,{name},uncle,relative,refine-usage\n")


def test_a_lead_who_has_never_annotated_gives_way_to_a_voice_of_that_name(cast: Cast) -> None:
    lead = cast.membership("lead")
    names = [lead.pseudonym, "V2"]

    rows = "".join(f"essays-1,{name},uncle,relative,refine-usage\n" for name in names)
    done = table(cast, rows, is_sparse=True)

    renamed = cast.membership("lead")
    assert done.voices == 2
    assert renamed.pseudonym not in names
    assert renamed.version == lead.version + 1
    assert Membership.objects.get(project=cast.project, pseudonym=lead.pseudonym).is_voice
    assert len(set(cast.project.memberships.values_list("pseudonym", flat=True))) == cast.project.memberships.count()


def test_every_bad_row_is_named_and_nothing_comes(cast: Cast) -> None:
    rows = (
        "essays-1,V1,aunt,relative,refine-usage\n"  # not in the sentence
        "essays-1,V1,big,large,refine-usage\n"  # twice in the sentence
        "essays-1,V1,uncle,relative,improve\n"  # no such type
        "essays-9,V1,uncle,relative,refine-usage\n"  # no such passage
        "essays-1,V1,uncle,;,refine-usage\n"  # no substitute
        f"essays-1,V1,uncle,{'x' * 201},refine-usage\n"
        "essays-1,V2,uncle,relative,refine-usage\n"
    )

    with pytest.raises(BadFile) as refused:
        table(cast, rows)

    assert [problem.line for problem in refused.value.report.problems] == [2, 3, 4, 5, 6, 7]
    assert not Membership.objects.filter(user=None).exists()


def test_only_a_lead_imports(cast: Cast) -> None:
    for who in (cast.ann, cast.adjudicator, cast.other_lead):
        with pytest.raises(NotAllowed):
            import_passages(cast.project, by=who, source=file_of("A.\n"), name="a.txt")
        with pytest.raises(NotAllowed):
            import_annotations(cast.project, by=who, source=file_of(HEAD), name="a.csv")
        with pytest.raises(NotAllowed):
            add_voices(cast.project, by=who, answers={})


def test_a_voice_with_one_bad_answer_is_not_taken_at_all(cast: Cast) -> None:
    good, bad = answer({"marks": [mark(TEXT, "uncle", "relative")]}), answer({"marks": []})

    with pytest.raises(Invalid):
        add_voices(cast.project, by=cast.lead, answers={"V1": {"essays-1": good, "essays-2": bad}})
    with pytest.raises(Invalid, match="no passage “essays-9”"):
        add_voices(cast.project, by=cast.lead, answers={"V1": {"essays-9": good}})

    assert not Assignment.objects.filter(membership__user=None).exists()


def test_t27_the_same_text_with_another_group_is_named_too(cast: Cast) -> None:
    """T27"""
    data = f"id,text,group\nessays-2,{TEXTS[1]},g\n"

    with pytest.raises(BadFile) as refused:
        import_passages(cast.project, by=cast.lead, source=file_of(data), name="p.csv")

    assert refused.value.report.problems[0].reason == "The id “essays-2” is there already with another group."


def test_a_report_never_overwrites_what_was_to_be_imported(cast: Cast, tmp_path: Path, capsys: Any) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text(HEAD + "essays-1,V1,aunt,relative,refine-usage\n")
    before = bad.read_text()

    for report in (bad, tmp_path, tmp_path / "no" / "such.csv"):
        with pytest.raises(CommandError, match="nothing was imported"):
            call_command("import_annotations", "essays", str(bad), report=report)

    assert bad.read_text() == before
    assert capsys.readouterr().err.count("cannot be written") == 3


def test_a_report_is_no_spreadsheet_of_formulas(cast: Cast) -> None:
    with pytest.raises(BadFile) as refused:
        table(cast, "".join(f"essays-1,=HYPERLINK(1),big,w{n},refine-usage,\n" for n in range(1)))
    assert refused.value.report.as_csv().splitlines()[1].startswith("2,")
    report = Report()
    report.add(1, "=1+1")
    assert report.as_csv().splitlines()[1] == "1,problem,'=1+1"


def test_the_commands_say_it_in_words_in_json_and_in_a_table(cast: Cast, tmp_path: Path, capsys: Any) -> None:
    good, bad, report = tmp_path / "good.csv", tmp_path / "bad.csv", tmp_path / "report.csv"
    good.write_text(HEAD + "essays-1,V1,uncle,relative,refine-usage\n")
    bad.write_text(HEAD + "essays-1,V1,aunt,relative,refine-usage\n")

    assert run("import_annotations", "essays", str(good), "--everyone")["imported"] == 4
    with pytest.raises(CommandError, match="exclude each other"):
        call_command("import_annotations", "essays", str(good), "--everyone", "--sparse")
    with pytest.raises(CommandError, match="1 problem in the file; nothing was imported"):
        call_command("import_annotations", "essays", str(bad), report=report)
    assert "bad.csv:2: “aunt” does not occur in the sentence." in capsys.readouterr().err
    assert report.read_text().splitlines()[1].startswith("2,")
    with pytest.raises(CommandError):
        call_command("import_annotations", "essays", str(bad), json=True)
    assert json.loads(capsys.readouterr().out)["problems"][0]["line"] == 2


def test_what_is_wrong_with_many_rows_is_said_once(cast: Cast, tmp_path: Path, capsys: Any) -> None:
    """By the shell in one line, in JSON row by row."""
    coded = tmp_path / "coded.csv"
    coded.write_text(HEAD + "essays-1,V1,uncle,relative,1\n" * 24)

    with pytest.raises(CommandError, match="24 problems in the file"):
        call_command("import_annotations", "essays", str(coded))
    known = "refine-usage (Refine usage), diversify-expression (Diversify expression)"
    assert capsys.readouterr().err == (
        f"{coded}:2: There is no type “1”: the project has {known}. (24 lines: 2, 3, 4, 5, 6 … 25)\n"
    )
    with pytest.raises(CommandError):
        call_command("import_annotations", "essays", str(coded), json=True)
    assert len(json.loads(capsys.readouterr().out)["problems"]) == 24


def test_only_so_many_reasons_are_shown_and_the_rest_counted(cast: Cast, tmp_path: Path, capsys: Any) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text(HEAD + "".join(f"essays-1,V1,w{n},x,refine-usage\n" for n in range(53)))

    with pytest.raises(CommandError):
        call_command("import_annotations", "essays", str(bad))

    said = capsys.readouterr().err.splitlines()
    assert (len(said), said[-1]) == (51, "… and 3 more (--report FILE writes all of them).")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("import_passages", "none", "x.txt"), "There is no project “none”"),
        (("import_passages", "essays", "/nowhere/x.txt"), "cannot be read"),
        (("import_passages", "essays", __file__), "ends in none of"),
        (("import_annotations", "essays", __file__), "ends in none of .csv, .tsv, .xlsx"),
    ],
)
def test_bad_words_are_one_clear_line(cast: Cast, words: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        call_command(*words)
