"""Files that a lead looks at: what is shown, what may be changed, and what then comes in."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotator import uploads
from annotator.actions.importing.arrivals import IMPORT, forget_old_uploads
from annotator.actions.importing.previews import LOOK_AT_FILE, take_in
from annotator.actions.running import work_here, work_on
from annotator.domain.errors import Conflict
from annotator.domain.jobs import JobState
from annotator.models import Arrival, Event, Job, Preview, Upload
from tests.conftest import nothing_written
from tests.factories import TEXTS, Cast

ESSAYS = f"""essay_line,sentence,previous,essay,cefr
e1-01,In my opinion the school should give more time.,I think about it.,e1,B1
e1-02,Thank you very much.,,e1,B1
e1-03,She has a garden & beans. She grows them there.,,e1,B1
e1-04,Every weekend we drive\u200b to her big house.,,e1,B1
e1-05,Bread &amp; cheese is all that we need.,,e1,B1
e1-06,in my opinion  the school should give more time.,,e1,B1
e1-07,"{TEXTS[1]}",,e1,B1
e1-08,,,e1,B1
e1-01,Another one with an id that is taken.,,e1,B1
"""
ANSWERS = "sentence_id,annotator,word to change,substitutes,type\n"


@pytest.fixture(autouse=True)
def own_folder(settings: Any, tmp_path: Any) -> None:
    settings.DATA_DIR = tmp_path


class Desk:
    """The lead, and a worker who does what they ask for at once."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def send(self, data: str | bytes, name: str = "essays.csv") -> Preview:
        content = data.encode() if isinstance(data, str) else data
        got = self.client.post("/p/essays/passages/add", {"file": SimpleUploadedFile(name, content)})
        assert got.status_code == 302, got.content.decode()
        return self.work()

    def work(self) -> Preview:
        preview = Preview.objects.select_related("job", "project").get()
        assert preview.job is not None
        if not preview.job.is_over:
            work_on(preview.job.pk, LOOK_AT_FILE.work, worker="w")
        preview.refresh_from_db()
        return preview

    def page(self, query: str = "") -> str:
        with nothing_written():
            got = self.client.get(f"/p/essays/previews/{Preview.objects.get().uuid}{query}")
        assert got.status_code == 200
        return str(got.content.decode())

    def post(self, act: str, **given: Any) -> Any:
        return self.client.post(f"/p/essays/previews/{Preview.objects.get().uuid}/{act}", given)

    def take(self, **given: Any) -> Arrival:
        got = self.post("take", **given)
        assert got.status_code == 302, got.content.decode()
        arrival = Arrival.objects.select_related("job").latest("pk")
        assert arrival.job is not None
        assert got["Location"] == f"/p/essays/jobs/{arrival.job.uuid}"
        work_here(arrival.job.pk, IMPORT.work)
        arrival.refresh_from_db()
        return arrival


@pytest.fixture
def desk(cast: Cast, client_of: Any) -> Desk:
    return Desk(client_of("lead"))


def test_a_look_shows_what_is_in_a_file_and_changes_nothing(desk: Desk, cast: Cast) -> None:
    before = cast.project.passages.count()

    found = desk.send(ESSAYS).result

    assert found is not None
    assert found["counts"] == {"rows": 9, "fresh": 7, "already": 0, "found": 6, "errors": 2}
    assert found["kinds"] == {"same": 2, "short": 1, "several": 1, "hidden": 1, "entity": 1}
    assert [column["role"] for column in found["columns"]] == ["id", "text", "context_before", "group", ""]
    assert [row[:2] for row in found["errors"]] == [
        [9, "The passage has no text."],
        [10, "The id “e1-01” is already in line 2."],
    ]
    assert found["errors"][0][2] == "e1-08,,,e1,B1"
    assert cast.project.passages.count() == before


def test_every_finding_stands_by_its_row(desk: Desk) -> None:
    desk.send(ESSAYS)

    page = desk.page("?rows=found")

    for said in (
        "4 words, fewer than 5",
        "Two sentences",
        "A zero-width space after “drive”; it is kept",
        "Reads “&amp;amp;”: meant “&amp;”?",
        "Same text as line 2",
        "Same text as passage essays-2",
        '<span class="hidden-char" title="zero-width space">ZWSP</span>',
        "<mark>&amp;amp;</mark>",
        "7 passages",
    ):
        assert said in page
    assert "Thank you very much." in desk.page("?rows=found&kind=short")
    assert "Bread" not in desk.page("?rows=found&kind=short")


def test_the_report_names_every_error_and_finding_by_line(desk: Desk) -> None:
    preview = desk.send(ESSAYS)

    got = desk.client.get(f"/p/essays/previews/{preview.uuid}/report.csv")

    assert got["Content-Disposition"] == 'attachment; filename="essays-report.csv"'
    assert got.content.decode().splitlines()[:3] == [
        "line,kind,what",
        '3,finding,"4 words, fewer than 5"',
        "4,finding,Two sentences",
    ]
    assert "9,error,The passage has no text." in got.content.decode()


def test_the_report_names_errors_that_no_page_has_room_for(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotator.domain.formats.looking.MAX_KEPT", 2)
    preview = desk.send("id,text\n" + ",Without an id it stays out here.\n" * 5)

    told = desk.client.get(f"/p/essays/previews/{preview.uuid}/report.csv").content.decode().splitlines()[1:]

    assert sorted({line.partition(",")[0] for line in told if ",error," in line}) == ["2", "3", "4", "5", "6"]
    assert not [line for line in told if "more" in line]
    result = preview.result or {}
    assert (len(result["errors"]), result["more_errors"]) == (
        2,
        len(told) - 2,
    )


def test_what_was_seen_comes_in_and_rows_that_are_wrong_stay_out(desk: Desk, cast: Cast) -> None:
    desk.send(ESSAYS)

    arrival = desk.take()

    row = cast.project.passages.get(external_id="e1-01")
    assert (row.text, row.group, row.context_before) == (
        "In my opinion the school should give more time.", "e1", "I think about it.",
    )  # fmt: skip
    assert arrival.result is not None
    assert arrival.result["says"] == "7 passages imported. 2 rows stayed out: the report names them."
    assert (arrival.rows, len((arrival.report or {})["problems"])) == (7, 2)
    assert (Preview.objects.count(), Upload.objects.count(), list(uploads.folder().iterdir())) == (0, 0, [])


def test_findings_never_block(desk: Desk, cast: Cast) -> None:
    desk.send("text\nShort.\nShort.\n", "short.csv")

    assert desk.take().rows == 2


def test_columns_are_chosen_anew_before_anything_comes_in(desk: Desk, cast: Cast) -> None:
    desk.send(ESSAYS)
    roles = ["group", "text", "", "id", ""]

    got = desk.post("take", role=roles)

    assert (got.status_code, Arrival.objects.count()) == (302, 0)
    found = desk.work().result
    assert found is not None
    assert [column["role"] for column in found["columns"]] == roles
    assert found["counts"]["errors"] == 8  # one id for all rows
    assert desk.take(role=roles).rows == 1
    assert cast.project.passages.get(external_id="e1").group == "e1-01"


def test_what_was_changed_before_taking_in_is_told_with_what_to_press(desk: Desk, cast: Cast) -> None:
    desk.send("title\nOne more thing that is new.\n", "a.csv")

    got = desk.post("take", role=["text"], has_header="no", kind="passages", sheet="")

    assert Arrival.objects.count() == 0
    assert desk.client.get(got["Location"]).status_code == 200  # while it waits
    desk.work()
    page = desk.client.get(got["Location"]).content.decode()
    assert "You had changed how the file is read" in page
    assert "press “Take in 2 passages”" in page
    assert "You had changed" not in desk.page()
    assert desk.take(role=["text"], has_header="no", kind="passages").rows == 2


def test_a_column_chosen_by_hand_stays_when_the_first_row_is_read_otherwise(desk: Desk) -> None:
    desk.send("1;One more thing that is new.;e1\n2;Two more things that are new.;e1\n")

    for has_header, roles in (("yes", ["id", "text", "group"]), ("no", ["", "text", "group"]), ("yes", [])):
        desk.post("look", role=roles, has_header=has_header, kind="passages")
        found = desk.work().result
        assert found is not None
        assert found["has_header"] == (has_header == "yes")
        assert [column["role"] for column in found["columns"]] == (roles or ["", "text", "group"])


@pytest.mark.parametrize(
    ("roles", "message"),
    [
        (["id", "", "", "", ""], "Say which column is the text."),
        (["text", "text", "", "", ""], "Only one column can be “Text”."),
        (["text", "nonsense", "", "", ""], "A column cannot be “nonsense”."),
    ],
)
def test_columns_that_make_no_passage_are_refused_and_stay_chosen(desk: Desk, roles: list[str], message: str) -> None:
    desk.send(ESSAYS)

    for has_header in ("yes", "no"):
        got = desk.post("look", role=roles, has_header=has_header)

        assert got.status_code == 422
        assert message in got.content.decode()
    assert desk.work().result is not None


def test_a_first_row_that_is_a_passage_is_one(desk: Desk, cast: Cast) -> None:
    desk.send("title\nOne more thing that is new.\n", "a.csv")

    desk.post("look", role=["text"], has_header="no", kind="passages")

    found = desk.work().result
    assert found is not None
    assert (found["has_header"], found["counts"]["rows"]) == (False, 2)
    assert desk.take().rows == 2
    assert cast.project.passages.get(external_id="a-1").text == "title"


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        ("id,text\na,One.\n".encode("utf-16"), "a.csv", "The file is UTF-16"),
        (b"PK\x03\x04" + b"x" * 100, "a.csv", "The file is a workbook or an archive, whatever its name says"),
        (b"PK\x03\x04" + b"x" * 100, "a.xlsx", "The workbook"),
        ("", "a.csv", "The file is empty."),
        ("id,text\n", "a.csv", "The file holds no passage."),
        ("text\n" + "x" * 1_100_000 + "\n", "a.csv", "No row can come in."),
        ("{", "a.json", "This is not JSON"),
    ],
)
def test_a_broken_file_leaves_the_project_as_it_was(
    desk: Desk, cast: Cast, data: str | bytes, name: str, message: str
) -> None:
    before = list(cast.project.passages.values())
    preview = desk.send(data, name)

    page = desk.page()

    assert message in page
    assert "Take in" not in page
    with pytest.raises(Conflict):
        take_in(preview, by=cast.lead)
    assert (list(cast.project.passages.values()), Arrival.objects.count()) == (before, 0)


def test_two_columns_named_alike_are_told_apart_by_their_place(desk: Desk) -> None:
    desk.send("text,text\nOne more thing that is new.,Another thing\n")

    assert "Columns 1 and 2 are both called “text”" in desk.page()


def test_the_same_rows_again_are_there_already(desk: Desk, cast: Cast) -> None:
    desk.send(ESSAYS)
    desk.take()

    found = desk.send(ESSAYS + "e1-09,Something that is new in the file.,,e1,B1\n").result

    assert found is not None
    assert (found["counts"]["fresh"], found["counts"]["already"]) == (1, 7)
    other = desk.send(ESSAYS.replace("Thank you", "Thanks to you")).result
    assert other is not None
    assert "The id “e1-02” is there already with another text." in [reason for _, reason, _ in other["errors"]]


def test_lines_of_text_and_of_json_are_looked_at_in_the_same_way(desk: Desk, cast: Cast) -> None:
    rows = [{"id": "j1", "text": "One more thing that is new.", "group": "g"}, {"id": "j2"}]

    found = desk.send("\n".join(map(json.dumps, rows)), "a.jsonl").result

    assert found is not None
    assert [column["name"] for column in found["columns"]] == ["id", "text", "group"]
    assert (found["counts"]["fresh"], found["counts"]["errors"]) == (1, 1)
    assert "Use column" not in desk.page()
    assert desk.take().rows == 1
    desk.send("One line that is a passage.\n", "b.txt")
    assert desk.take().rows == 1
    assert set(cast.project.passages.values_list("external_id", flat=True)) >= {"j1", "b-1"}


def test_annotations_are_known_by_their_header_and_come_the_same_way(desk: Desk, cast: Cast) -> None:
    preview = desk.send(ANSWERS + "essays-1,V1,uncle,relative,refine-usage\n", "old.csv")

    assert preview.kind == "answers"
    page = desk.page()
    assert "say whether no row means “not asked” or “nothing to improve”" in page
    assert "Take in" not in page

    desk.post("look", kind="answers", no_row="sparse")
    desk.work()

    assert "Take in 1 answer<" in desk.page()
    assert desk.take().result == {
        "made": 1, "already": 0, "voices": 1, "empty": 0, "repeated": 0, "warnings": 0,
        "says": "1 answer imported, 1 new voice.",
    }  # fmt: skip


def test_a_table_of_answers_with_a_wrong_row_stays_out_whole(desk: Desk) -> None:
    rows = "essays-1,V1,<b>aunt</b>,x,refine-usage\nessays-1,V1,uncle,relative,refine-usage\n"

    desk.send(ANSWERS + rows, "old.csv")

    page = desk.page("?rows=errors")
    assert "“&lt;b&gt;aunt&lt;/b&gt;” does not occur in the sentence." in page
    assert "mend the rows that are wrong" in page
    assert "Take in" not in page


def test_what_is_in_a_file_is_text_and_never_part_of_the_page(desk: Desk) -> None:
    desk.send("<script>a</script>,sentence\n<img src=x>,<b>One</b> more thing that is new.\n", "<i>.csv")

    page = desk.page()

    assert not any(tag in page for tag in ("<script>a", "<img src=x", "<b>One", "<i>.csv"))


def test_while_it_is_looked_at_the_page_waits_and_then_comes_anew(desk: Desk, client_of: Any, cast: Cast) -> None:
    file = SimpleUploadedFile("a.txt", b"One more thing that is new.\n")
    desk.client.post("/p/essays/passages/add", {"file": file})
    here = f"/p/essays/previews/{Preview.objects.get().uuid}"

    waiting = desk.client.get(here, headers={"HX-Request": "true"})

    assert "No worker is running." in waiting.content.decode()
    assert "<html" not in waiting.content.decode()
    desk.work()
    assert desk.client.get(here, headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    assert "You were looking at “a.txt”." in desk.client.get("/p/essays/setup/passages").content.decode()


def test_a_file_that_is_given_up_is_gone(desk: Desk, django_capture_on_commit_callbacks: Any) -> None:
    desk.send(ESSAYS)

    with django_capture_on_commit_callbacks(execute=True):
        got = desk.post("drop")

    assert got["Location"] == "/p/essays/setup/passages"
    assert (Preview.objects.count(), Upload.objects.count(), list(uploads.folder().iterdir())) == (0, 0, [])
    assert Event.objects.filter(kind="preview.given_up").count() == 1


def test_given_up_while_it_waits_its_job_is_cancelled(desk: Desk) -> None:
    desk.client.post("/p/essays/passages/add", {"file": SimpleUploadedFile("a.txt", b"One.\n")})

    desk.post("drop")

    assert Job.objects.get(kind="look_at_file").state == JobState.CANCELLED


def test_after_a_day_a_file_and_its_preview_are_forgotten(desk: Desk) -> None:
    preview = desk.send(ESSAYS)
    long_ago = preview.at.replace(year=preview.at.year - 1)
    Preview.objects.update(at=long_ago)
    Upload.objects.update(at=long_ago)

    forget_old_uploads()

    assert (Preview.objects.count(), Upload.objects.count()) == (0, 0)


def test_it_comes_in_once(desk: Desk, cast: Cast) -> None:
    preview = desk.send(ESSAYS)
    take_in(preview, by=cast.lead)

    with pytest.raises(Preview.DoesNotExist):
        take_in(preview, by=cast.lead)
    assert Arrival.objects.count() == 1
