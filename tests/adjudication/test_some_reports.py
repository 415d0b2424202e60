"""Reports on some people or groups: nobody who has still to annotate reads one, and every page of one stays with it."""

import pytest
from django.urls import reverse

from adjudication.actions.measuring import agreement_settings, ask_for_agreement, measure_agreement
from adjudication.actions.merging import merge_project
from adjudication.domain.agreement.hiding import without_few
from adjudication.models import AgreementReport
from annotator.actions.people import change_roles
from annotator.actions.projects import add_passages
from annotator.domain.errors import Conflict
from annotator.domain.jobs import JobState, sentence_of
from annotator.domain.passages import NewPassage
from annotator.models import Job, Passage
from tests.adjudication.conftest import submit
from tests.adjudication.test_views import page, signed_in
from tests.factories import TEXT, Cast, mark


@pytest.fixture
def grouped(three: Cast) -> Cast:
    Passage.objects.filter(external_id="essays-1").update(group="g")
    merge_project(three.project, by=None)
    for given in ({}, {"groups": ("g",)}, {"people": pair_of(three)}):
        measure_agreement(three.project, by=None, settings=agreement_settings(three.project, **given))
    return three


def pair_of(cast: Cast) -> tuple[str, ...]:
    return tuple(sorted(cast.membership(name).pseudonym for name in ("ann", "ben")))


def begin_to_annotate(cast: Cast, name: str) -> None:
    change_roles(cast.membership(name), by=cast.lead, roles={name, "annotator"})


@pytest.mark.parametrize("name", ["lead", "adjudicator"])
def test_who_has_still_to_annotate_reads_no_report_on_some(grouped: Cast, name: str) -> None:
    """As page, table, JSON or by the API, whoever measured it."""
    a, b = pair_of(grouped)
    some = AgreementReport.objects.filter(is_whole=False)
    queries = ("groups=g", f"people={a}&people={b}")
    addresses = [
        f"/p/essays/{address}?{query}"
        for query in queries
        for address in ("agreement.json", "agreement-pairs.csv", "agreement-people.csv", f"agreement/{a}/{b}")
    ]
    doors = [f"/api/v1/agreement/{row.uuid}{tail}" for row in some for tail in ("", f"/pairs/{a}/{b}")]
    client = signed_in(grouped, name)
    assert {client.get(address).status_code for address in [*addresses, *doors]} == {200}
    assert len(client.get("/api/v1/projects/essays/agreement").json()["results"]) == 3

    begin_to_annotate(grouped, name)

    assert {client.get(address).status_code for address in [*addresses, *doors]} == {404}
    assert len(client.get("/api/v1/projects/essays/agreement").json()["results"]) == 1
    for query in queries:
        shown = page(grouped, f"agreement?{query}", name)
        assert "Not yet for you." in shown
        assert "PA<sub>det</sub>" not in shown
        assert "Refresh</button>" not in shown


def test_the_line_of_a_job_tells_figures_of_the_whole_project_only(grouped: Cast) -> None:
    jobs = Job.objects.filter(kind="agreement", state="done").order_by("pk")

    said = [sentence_of(job.kind, JobState(job.state), job.result or {}) for job in jobs]

    assert [("%" in line, "Of some people or groups." in line) for line in said] == [
        (True, False),
        (False, True),
        (False, True),
    ]
    older = {"report": "…", "made": True, "pa_det": 0.123, "pa_sug": None}
    assert sentence_of("agreement", JobState.DONE, older) == "Measured."


@pytest.mark.parametrize("given", ["people", "groups"])
def test_who_has_still_to_annotate_measures_the_whole_project_only(grouped: Cast, given: str) -> None:
    begin_to_annotate(grouped, "lead")
    chosen = {"people": pair_of(grouped), "groups": ("g",)}
    settings = agreement_settings(grouped.project, **{given: chosen[given]})

    with pytest.raises(Conflict, match="only figures of the whole project"):
        ask_for_agreement(grouped.project, by=grouped.lead, settings=settings)
    assert ask_for_agreement(grouped.project, by=grouped.lead, settings=agreement_settings(grouped.project))


def test_of_few_passages_who_has_still_to_annotate_sees_no_figure(grouped: Cast) -> None:
    """In the report on everybody, too: two people may have met over one passage, which is theirs to annotate."""
    a, b = pair_of(grouped)
    begin_to_annotate(grouped, "adjudicator")
    client = signed_in(grouped, "adjudicator")

    found = client.get("/p/essays/agreement.json").json()

    assert found["pa_det"] is not None
    assert {row["pa_det"] for row in found["pairs"]} == {row["m"] for row in found["pairs"]} == {None}
    assert {row["marks"] for row in found["annotators"]} == {None}
    assert found["human_performance"]["with_filter"]["annotators"] == {}
    uuid = AgreementReport.objects.get(is_whole=True).uuid
    assert client.get(f"/api/v1/agreement/{uuid}").json()["result"] == found
    for address in ("agreement", f"agreement/{a}/{b}", f"agreement/{a}"):
        shown = page(grouped, address, "adjudicator")
        assert "fewer than 10 passages" in shown
        assert "None" not in shown
    table = client.get("/p/essays/agreement-pairs.csv").content.decode().splitlines()
    assert table[1].startswith(f"{a},{b},,")
    assert AgreementReport.objects.get(is_whole=True).result["pairs"][0]["pa_det"] is not None  # stays as it was made


def test_of_many_passages_everybody_sees_the_figures() -> None:
    pair = {"a": "A01", "b": "A02", "n": 10, "m": 3, "pa_det": 0.5, "is_few": False}
    few = {**pair, "b": "A03", "n": 9, "is_few": True}
    people = [
        {"name": "A01", "passages": 10, "marks": 7, "discards": 0, "types": {"x": 1}, "look": []},
        {"name": "A03", "passages": 9, "marks": 7, "discards": 2, "types": {"x": 1}, "look": ["marks much"]},
    ]
    human = {"with_filter": {"p_detection": 0.5, "annotators": {"A01": {}, "A03": {}}}}
    found = {"pa_det": 0.5, "pairs": [pair, few], "annotators": people, "human_performance": human}

    shown = without_few(found, least=10)

    assert (shown["pa_det"], shown["pairs"][0], shown["annotators"][0]) == (0.5, pair, people[0])
    assert shown["pairs"][1] == {**few, "m": None, "pa_det": None, "is_hidden": True}
    assert shown["annotators"][1] == {
        **{"name": "A03", "passages": 9, "marks": None, "discards": 2, "types": {}, "look": [], "is_hidden": True}
    }
    assert shown["human_performance"] == {"with_filter": {"p_detection": 0.5, "annotators": {"A01": {}}}}


def test_the_others_of_a_person_are_those_of_the_report(grouped: Cast) -> None:
    """All three marked *uncle* in the first passage; Ann and Ben alone make no majority of the others."""
    a, b = pair_of(grouped)
    ann = grouped.membership("ann").pseudonym

    assert "relative 2" in page(grouped, f"agreement/{ann}")
    assert "relative 2" not in page(grouped, f"agreement/{ann}?people={a}&people={b}")


def test_another_pair_stays_with_the_choice(three: Cast) -> None:
    there = three.project.memberships.filter(is_annotator=True, removed_at=None)
    names = sorted(there.values_list("pseudonym", flat=True))
    assert len(names) == 3
    settings = agreement_settings(three.project, people=tuple(names))
    measure_agreement(three.project, by=None, settings=settings)
    query = "&amp;".join(f"people={name}" for name in names)

    shown = page(three, f"agreement/{names[0]}/{names[1]}?{query.replace('amp;', '')}")

    for other in (names[0], names[1]):
        address = reverse("agreement_pair", args=["essays", other, names[2]])
        assert f'href="{address}?{query}"' in shown


def test_of_very_many_groups_the_first_are_listed_and_the_page_says_so(three: Cast) -> None:
    passages = [NewPassage(f"more-{n}", f"The text of number {n}.", group=f"g{n:03d}") for n in range(203, 0, -1)]
    add_passages(three.project, by=three.lead, passages=passages)
    measure_agreement(three.project, by=None, settings=agreement_settings(three.project))

    shown = page(three, "agreement")

    assert 'value="g001"' in shown
    assert 'value="g200"' in shown
    assert 'value="g201"' not in shown
    assert "The first 200; one of the other 3" in shown
    assert 'value="g203" checked' in page(three, "agreement?groups=g203")


def test_a_pair_with_many_passages_shows_a_blind_reader_its_figures(three: Cast) -> None:
    """A line says how many passages are left out; none of them is there."""
    passages = [NewPassage(f"more-{number}", f"{TEXT} {number}") for number in range(10)]
    add_passages(three.project, by=three.lead, passages=passages)
    for number in range(10):
        for name in ("ann", "ben"):
            submit(three, three.person(name), mark(TEXT, "party", f"{name}s word"), passage=f"more-{number}")
    measure_agreement(three.project, by=None, settings=agreement_settings(three.project))
    begin_to_annotate(three, "adjudicator")
    a, b = pair_of(three)

    shown = page(three, f"agreement/{a}/{b}", "adjudicator")

    assert "12 passages that you have still to annotate yourself are not shown" in shown
    assert "fewer than 10 passages" not in shown
    assert "anns word" not in shown
    pairs = signed_in(three, "adjudicator").get("/p/essays/agreement.json").json()["pairs"]
    assert {(row["a"], row["b"]): row["pa_det"] is not None for row in pairs}[a, b]
