"""Every figure of the report on its page: as the command prints it, with its meaning, in the order asked for."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.core.management.base import OutputWrapper

from adjudication.actions.curves import CURVE
from adjudication.actions.measuring import AGREEMENT, agreement_settings, ask_for_agreement, measure_agreement
from adjudication.actions.merging import MERGE, merge_project
from adjudication.domain.agreement.look import MIDDLE
from adjudication.domain.agreement.orders import Order, ordered
from adjudication.domain.agreement.resampling import FEW_UNITS
from adjudication.models import AgreementReport
from adjudication.queries.reports import counting_answers
from annotator.actions.running import work_here
from annotator.domain.jobs import JobKind
from annotator.management import base
from annotator.models import Job, Passage, Project, User
from tests.adjudication.domain.agreement.plain import report_of
from tests.adjudication.domain.answered import AnsweredPassage
from tests.adjudication.test_views import measured, page, signed_in  # noqa: F401 (a fixture)
from tests.annotator.test_commands import run
from tests.conformance.data import SWS
from tests.conformance.test_sws_pipeline import ten  # noqa: F401 (a fixture)
from tests.document import CheckedClient
from tests.factories import Cast

WORDS = ("uncle", "house", "party", "summer")


def import_people(cast: Cast, tmp_path: Path, said: dict[str, list[str]], *, passages: int = 1) -> None:
    """Of each person the words marked in every passage, with *one* offered for each."""
    table = tmp_path / "t.csv"
    names = [row.external_id for row in cast.project.passages.order_by("pk")[:passages]]
    Passage.objects.filter(external_id__in=names).update(text=cast.project.passages.earliest("pk").text)
    lines = [f"{name},{who},{word},one,refine-usage" for name in names for who, own in said.items() for word in own]
    head = "sentence_id,annotator,word to change,substitutes,type"
    table.write_text("\n".join([head, *lines]) + "\n")
    call_command("import_annotations", "essays", str(table), "--sparse")


def texts(shown: str) -> str:
    """What a reader sees of a page; what a “?” opens apart."""
    closed = re.sub(r'<details class="meaning">.*?</details>', "", shown, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", closed)))


@pytest.mark.slow
def test_the_screen_shows_what_the_command_prints(measured: Cast) -> None:  # noqa: F811
    """Figures of all kinds, to the digits that either shows."""
    found = run("agreement", "essays")

    whole = unescape(page(measured, "agreement"))
    shown = texts(whole)

    for key in ("pa_det", "pa_sug", "pa_det_w", "pa_sug_w", "pa_sug_ceiling"):
        assert f"{100 * found[key]:.1f} %" in shown, key
    assert f"Krippendorff’s α on {found['words_are']}" in shown
    assert f"{found['alpha']:.3f}" in shown
    assert f"type agreement {100 * found['types']['agreement']:.1f} %" in shown
    for row in found["pairs"]:
        sug = "–" if row["pa_sug"] is None else f"{100 * row['pa_sug']:.1f}"
        assert f"{row['a']} and {row['b']}: PA_sug {sug} %, M = {row['m']} spans" in whole
    for row in found["annotators"]:
        mine = shown.partition("Each person")[2].partition("Over time")[2].partition(f"{row['name']} ")[2]
        assert mine.split()[0] == f"{100 * row['pa_det']:.1f}"
    for row in (found["human_performance"]["with_filter"], found["human_performance"]["without_filter"]):
        for key in ("p_detection", "r_detection", "f_detection_05", "acc_recommendation", "improvable_ratio"):
            assert ("–" if row[key] is None else f"{100 * row[key]:.1f}") in shown, key
    assert f"Neither marked anything in {100 * found['both_empty']['share']:.1f} % of pairs and passages." in shown
    undefined = found["types"]["kappa_undefined"]
    assert undefined
    assert f"κ undefined for {undefined} pair" in shown


def test_the_command_prints_what_the_method_gives(measured: Cast) -> None:  # noqa: F811
    """Every figure: the method alone on the same answers, with no database between."""
    answers = counting_answers(list(measured.project.passages.values_list("pk", flat=True)))
    passages = [
        AnsweredPassage(row.external_id, row.text, {who: said for (pk, who), said in answers.items() if pk == row.pk})
        for row in measured.project.passages.order_by("pk")
        if any(pk == row.pk for pk, _ in answers)
    ]
    found = report_of(passages, sorted({who for _, who in answers}), agreement_settings(measured.project))

    printed = run("agreement", "essays")

    assert {name for name in found if found[name] != printed[name]} == set()
    assert found["alpha"] is not None
    assert found["types"]["matrix"] != [[0, 0], [0, 0]]


def test_the_page_tells_the_thresholds_that_the_code_has(measured: Cast) -> None:  # noqa: F811
    shown = page(measured, "agreement")

    assert "The middle is the median of all with 10 passages or more; below 3 such people nobody is marked." in shown
    assert f"<p>{MIDDLE}</p>" in shown
    assert f"* fewer than {FEW_UNITS}, a hint" in shown


def test_letters_are_called_letters_where_a_script_has_no_spaces(measured: Cast) -> None:  # noqa: F811
    assert "α on words" in texts(page(measured, "agreement"))
    AgreementReport.objects.all().delete()
    Passage.objects.update(lang="ja")

    measure_agreement(measured.project, by=None, settings=agreement_settings(measured.project))

    assert "α on letters" in texts(page(measured, "agreement"))


def test_people_stand_in_the_order_that_is_asked_for(cast: Cast, tmp_path: Path) -> None:
    said = {"P1": ["uncle"], "P2": ["summer", "party"], "P3": ["uncle", "house"], "P4": ["summer"], "P5": ["uncle"]}
    import_people(cast, tmp_path, said)
    report, _ = measure_agreement(cast.project, by=None, settings=agreement_settings(cast.project))
    orders = {}

    for order in Order:
        shown = page(cast, f"agreement?order={order.value}")
        orders[order] = re.findall(r'<th scope="row" title="(P\d)">', shown)
        assert orders[order] == ordered(report.result["annotators"], report.result["pairs"], order)

    assert len({tuple(names) for names in orders.values()}) == 3
    assert orders[Order.NAME] == re.findall(r'<th scope="row" title="(P\d)">', page(cast, "agreement?order=nonsense"))


def test_pairs_with_few_passages_are_pale_in_the_matrix_and_in_the_list(measured: Cast) -> None:  # noqa: F811
    shown = page(measured, "agreement")

    assert len(re.findall(r'<td class="l\d few', shown)) == 6
    assert shown.count('<tr class="off">') == 3
    assert "3 pairs with fewer than 10 passages in common are pale." in shown


def test_an_interval_on_few_units_is_called_a_hint_on_every_page(cast: Cast, tmp_path: Path) -> None:
    """Four passages, and two words that both marked in each."""
    import_people(cast, tmp_path, {"P1": ["uncle", "house"], "P2": ["uncle", "house"]}, passages=4)
    measure_agreement(cast.project, by=None, settings=agreement_settings(cast.project))

    shown = page(cast, "agreement")

    assert "over 4 passages, a hint" in shown  # the cell's title
    assert '<td class="num dim">4*</td>' in shown  # the list
    assert "take their intervals as a hint" in shown
    pair = page(cast, "agreement/P1/P2")
    assert pair.count('over 4 passages, <b class="warn">a hint</b>') == 2


def test_with_fewer_annotators_it_is_said_what_would_be_kept(cast: Cast, tmp_path: Path) -> None:
    import_people(cast, tmp_path, {f"P{number}": list(WORDS[:2]) for number in range(4)}, passages=4)
    job = ask_for_agreement(cast.project, by=cast.lead, settings=agreement_settings(cast.project))
    work_here(job.pk, AGREEMENT.work)
    assert "Being worked out" in page(cast, "agreement")
    work_here(Job.objects.get(kind=CURVE.name).pk, CURVE.work)

    shown = texts(page(cast, "agreement"))

    assert "With 2 annotators instead of 4 you would keep about 8 targets, not 8, on 4 passages" in shown
    assert "100.0 % of them would be the same with another 2" in shown


def test_no_name_stands_on_the_printed_pages_of_a_pair_and_a_person(measured: Cast) -> None:  # noqa: F811
    """Shown on the screen, and marked as not to be printed wherever it stands."""
    a, b = sorted(measured.membership(name).pseudonym for name in ("ann", "ben"))

    for address in (f"agreement/{a}/{b}", f"agreement/{a}"):
        shown = page(measured, f"{address}?names=1")
        assert re.search(r"\b(Ann|Ben)\b", texts(shown))
        printed = re.sub(r'<(\w+)[^>]*class="[^"]*no-print[^"]*"[^>]*>.*?</\1>', "", shown, flags=re.DOTALL)
        assert not re.search(r"\b(Ann|Ben|Cleo)\b", texts(printed))


def test_every_figure_has_its_meaning(measured: Cast) -> None:  # noqa: F811
    """In each card, at the shares of the gold, and in the head of each panel of figures."""
    a, b = sorted(measured.membership(name).pseudonym for name in ("ann", "ben"))
    pages = {
        address: page(measured, address) for address in ("agreement", "merge", f"agreement/{a}/{b}", f"agreement/{a}")
    }

    for shown in pages.values():
        cards = re.findall(r"<div><dt>(.*?)</dt>", shown, flags=re.DOTALL)
        assert len(cards) == 4
        assert [card for card in cards if 'class="meaning"' not in card] == []
    firm = re.search(r'<table class="firm">.*?</table>', pages["agreement"], flags=re.DOTALL)
    assert firm is not None
    shares = re.findall(r'<th scope="row">(.*?)</th>', firm[0], flags=re.DOTALL)
    bare = [share for share in shares if 'class="meaning"' not in share]
    assert len(bare) == 3  # the shares of the gold: the head of their panel explains them
    heads = re.findall(r"<header><h2>.*?</h2>", "".join(pages.values()), flags=re.DOTALL)
    lists = ("What changed", "Passages", "What would be merged")
    assert [head for head in heads if 'class="meaning"' not in head and not any(name in head for name in lists)] == []


def test_a_pair_has_a_table_of_its_passages_and_each_leads_to_its_votes(measured: Cast) -> None:  # noqa: F811
    a, b = sorted(measured.membership(name).pseudonym for name in ("ann", "ben"))
    passage = Passage.objects.get(external_id="essays-1")

    table = signed_in(measured).get(f"/p/essays/agreement/{b}/{a}/passages.csv").content.decode().splitlines()

    assert table == ["passage,number,common,either,shared,retyped", "essays-1,0,1,2,1,1", "essays-2,1,0,0,0,0"]
    link = f'<a class="dim" href="/p/essays/merge/passages/{passage.uuid}">essays-1</a>'
    for address in (f"agreement/{a}/{b}", f"agreement/{a}"):
        assert link in page(measured, address)
    assert signed_in(measured).get(f"/p/essays/agreement/{a}/nobody/passages.csv").status_code == 404


def test_a_persons_passages_come_by_kind(measured: Cast) -> None:  # noqa: F811
    """Of Ann's two passages the first is where she differs; in the second nobody marked anything."""
    ann = measured.membership("ann").pseudonym
    there: dict[str, set[int]] = {"all": {1, 2}, "differ": {1}, "one": {1}, "same": {2}, "type": {1}, "words": set()}

    for kind, passages in there.items():
        shown = page(measured, f"agreement/{ann}?show={kind}")
        assert {number for number in (1, 2) if f">essays-{number}</a>" in shown} == passages, kind
        assert f'show={kind}" aria-current="true">' in shown

    assert "No such passages." in page(measured, f"agreement/{ann}?show=words")
    assert ">essays-1</a>" in page(measured, f"agreement/{ann}?show=nonsense")


def test_of_two_people_the_other_one_is_the_others(cast: Cast, tmp_path: Path) -> None:
    """There is no majority of one, and yet something to compare with."""
    import_people(cast, tmp_path, {"P1": ["uncle", "house"], "P2": ["uncle", "party"]})
    measure_agreement(cast.project, by=None, settings=agreement_settings(cast.project))

    shown = texts(page(cast, "agreement/P1"))

    assert "1 of 3 marks as most" in shown
    assert "Only P1 house" in shown
    assert "Only others party" in shown


def test_bad_shards_of_a_merge_are_one_clear_line(measured: Cast) -> None:  # noqa: F811
    with pytest.raises(CommandError, match="shards is between 1 and 10,000"):
        call_command("merge", "essays", "--shards=0")


@pytest.mark.parametrize("kind", [MERGE, AGREEMENT], ids=["merge", "agreement"])
def test_who_waits_for_the_workers_sees_a_bar(
    three: Cast, kind: JobKind, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """Instead of waiting, this process is the worker."""

    def work_instead(seconds: float) -> None:
        for pk in Job.objects.waiting().filter(kind=kind.name).values_list("pk", flat=True):
            work_here(pk, kind.work)

    monkeypatch.setattr(base.time, "sleep", work_instead)
    monkeypatch.setattr(OutputWrapper, "isatty", lambda self: True)

    call_command(kind.name, "essays", "--queue", no_color=True)

    said = capsys.readouterr().err
    assert f"[{' ' * 30}]   0 %" in said
    assert f"[{'#' * 30}] 100 %" in said


@pytest.mark.slow
def test_ten_annotators_have_the_figures_of_the_method(ten: None) -> None:  # noqa: F811
    """The page of real sentences: PA of `agreement.json`, in the cards and in every cell."""
    expected = SWS.load("ten_annotators/agreement.json")
    project = Project.objects.get(slug="ten")
    merge_project(project, by=None)
    measure_agreement(project, by=None, settings=agreement_settings(project))
    client = CheckedClient()
    client.force_login(User.objects.get(email="lead@example.com"))

    shown = unescape(client.get("/p/ten/agreement").content.decode())

    for key in ("pa_det", "pa_sug"):
        assert f"<dd>{100 * expected[key]:.1f} %</dd>" in shown
    for kind, name in (("det", "PA_det"), ("sug", "PA_sug")):
        for pair, value in expected[kind].items():
            a, b = sorted(pair.split("|"))
            assert f"{a} and {b}: {name} {100 * value:.1f} %" in shown
    assert "1,440" in client.get("/p/ten/merge").content.decode()
