"""Addresses of several people's work; the URL name is the view's name."""

from django.urls import path, register_converter

from adjudication.api import decisions as decisions_api
from adjudication.api import merges as api
from adjudication.converters import Pseudonym
from adjudication.views import adjudicating, agreement, gold, merges

register_converter(Pseudonym, "pseudonym")

urlpatterns = [
    path("p/<slug:slug>/merge", merges.merge, name="merge"),
    path("p/<slug:slug>/merge/passages", merges.merge_passages, name="merge_passages"),
    path("p/<slug:slug>/merge/passages/<uuid:uuid>", merges.merge_passage, name="merge_passage"),
    path("p/<slug:slug>/adjudicate", adjudicating.adjudicate, name="adjudicate"),
    path("p/<slug:slug>/adjudicate/quiet", adjudicating.adjudicate_quiet, name="adjudicate_quiet"),
    path("p/<slug:slug>/adjudicate/twice", adjudicating.adjudicate_twice, name="adjudicate_twice"),
    path("p/<slug:slug>/adjudicate/undo/<uuid:act>", adjudicating.adjudicate_undo, name="adjudicate_undo"),
    path("p/<slug:slug>/adjudicate/<uuid:uuid>", adjudicating.adjudicate_passage, name="adjudicate_passage"),
    path("p/<slug:slug>/adjudicate/<uuid:uuid>/next", adjudicating.adjudicate_next, name="adjudicate_next"),
    path("p/<slug:slug>/gold", gold.gold, name="gold"),
    path("p/<slug:slug>/gold/<uuid:uuid>", gold.gold_passage, name="gold_passage"),
    path("p/<slug:slug>/agreement", agreement.agreement, name="agreement"),
    path("p/<slug:slug>/agreement.json", agreement.agreement_json, name="agreement_json"),
    path("p/<slug:slug>/agreement-<slug:what>.csv", agreement.agreement_csv, name="agreement_csv"),
    path("p/<slug:slug>/agreement/<pseudonym:a>", agreement.agreement_person, name="agreement_person"),
    path("p/<slug:slug>/agreement/<pseudonym:a>/<pseudonym:b>", agreement.agreement_pair, name="agreement_pair"),
    path(
        "p/<slug:slug>/agreement/<pseudonym:a>/<pseudonym:b>/passages.csv",
        agreement.agreement_pair_csv,
        name="agreement_pair_csv",
    ),
    path("api/v1/projects/<slug:slug>/merges", api.merges, name="api_merges"),
    path("api/v1/projects/<slug:slug>/merges/<uuid:uuid>", api.merge, name="api_merge"),
    path("api/v1/projects/<slug:slug>/merges/<uuid:uuid>/targets", api.targets, name="api_targets"),
    path("api/v1/projects/<slug:slug>/agreement", api.reports, name="api_reports"),
    path("api/v1/agreement/<uuid:uuid>", api.report, name="api_report"),
    path("api/v1/agreement/<uuid:uuid>/pairs/<pseudonym:a>/<pseudonym:b>", api.pair, name="api_pair"),
    path("api/v1/projects/<slug:slug>/passages/<uuid:uuid>", decisions_api.passage, name="api_passage"),
    path(
        "api/v1/projects/<slug:slug>/passages/<uuid:uuid>/decisions/<int:start>-<int:end>",
        decisions_api.decision,
        name="api_decision",
    ),
    path(
        "api/v1/projects/<slug:slug>/passages/<uuid:uuid>/decisions/passage",
        decisions_api.passage_decision,
        name="api_passage_decision",
    ),
    path(
        "api/v1/projects/<slug:slug>/passages/<uuid:uuid>/decisions/undo", decisions_api.undo_act, name="api_undo_act"
    ),
    path("api/v1/projects/<slug:slug>/passages/<uuid:uuid>/decisions/unite", decisions_api.unite, name="api_unite"),
    path(
        "api/v1/projects/<slug:slug>/passages/<uuid:uuid>/findings",
        decisions_api.suggestion_findings,
        name="api_suggestion_findings",
    ),
    path("api/v1/projects/<slug:slug>/passages/<uuid:uuid>/targets", api.passage_targets, name="api_passage_targets"),
    path("api/v1/projects/<slug:slug>/passages/<uuid:uuid>/same", decisions_api.same_words, name="api_same_words"),
    path("api/v1/projects/<slug:slug>/passages/<uuid:uuid>/comments", decisions_api.comments, name="api_comments"),
    path("api/v1/projects/<slug:slug>/comments/<uuid:uuid>/resolve", decisions_api.resolve, name="api_resolve"),
    path("api/v1/projects/<slug:slug>/decisions/same", decisions_api.decide_same, name="api_decide_same"),
    path("api/v1/projects/<slug:slug>/decisions/undo", decisions_api.undo_everywhere, name="api_undo_everywhere"),
    path("api/v1/projects/<slug:slug>/gold", decisions_api.gold, name="api_gold"),
    path("api/v1/projects/<slug:slug>/gold/<uuid:uuid>", decisions_api.gold_of, name="api_gold_of"),
]
