"""Addresses of what leaves the house; the URL name is the view's name."""

from django.urls import path

from exports.api import export as export_api
from exports.api import releases as releases_api
from exports.api import runs as runs_api
from exports.views import foreign, releases, runs, webhooks

urlpatterns = [
    path("p/<slug:slug>/releases", releases.releases, name="releases"),
    path("p/<slug:slug>/releases/new", releases.release_new, name="release_new"),
    path("p/<slug:slug>/releases/import", foreign.gold_import, name="gold_import"),
    path("p/<slug:slug>/releases/card", releases.card, name="card"),
    path("p/<slug:slug>/releases/<int:number>", releases.release, name="release"),
    path("p/<slug:slug>/releases/<int:number>/build", releases.release_build, name="release_build"),
    path("p/<slug:slug>/releases/<int:number>/freeze", releases.release_freeze, name="release_freeze"),
    path("p/<slug:slug>/releases/<int:number>/withdraw", releases.release_withdraw, name="release_withdraw"),
    path("p/<slug:slug>/releases/<int:number>/drop", releases.release_drop, name="release_drop"),
    path("p/<slug:slug>/releases/<int:number>/file", releases.release_file, name="release_file"),
    path("p/<slug:slug>/releases/<int:number>/compare/<int:other>", releases.release_compare, name="release_compare"),
    path("p/<slug:slug>/runs", runs.runs, name="runs"),
    path("p/<slug:slug>/runs/new", runs.run_new, name="run_new"),
    path("p/<slug:slug>/runs/leaderboard.<str:kind>", runs.leaderboard_file, name="leaderboard_file"),
    path("p/<slug:slug>/runs/sentences/<int:number>/<slug:split>.json", runs.split_sentences, name="split_sentences"),
    path("p/<slug:slug>/runs/<uuid:uuid>", runs.run, name="run"),
    path("p/<slug:slug>/runs/<uuid:uuid>.json", runs.run_json, name="run_json"),
    path("p/<slug:slug>/runs/<uuid:uuid>/against/<uuid:other>", runs.runs_compared, name="runs_compared"),
    path("api/v1/projects/<slug:slug>/releases", releases_api.releases, name="api_releases"),
    path("api/v1/releases/<uuid:uuid>", releases_api.release, name="api_release"),
    path("api/v1/releases/<uuid:uuid>/build", releases_api.release_build, name="api_release_build"),
    path("api/v1/releases/<uuid:uuid>/freeze", releases_api.release_freeze, name="api_release_freeze"),
    path("api/v1/releases/<uuid:uuid>/withdraw", releases_api.release_withdraw, name="api_release_withdraw"),
    path("api/v1/releases/<uuid:uuid>/drop", releases_api.release_drop, name="api_release_drop"),
    path("api/v1/releases/<uuid:uuid>/files/<str:name>", releases_api.release_file, name="api_release_file"),
    path(
        "api/v1/releases/<uuid:uuid>/compare/<uuid:other>", releases_api.releases_compared, name="api_releases_compared"
    ),
    path("api/v1/projects/<slug:slug>/runs", runs_api.runs, name="api_runs"),
    path("api/v1/projects/<slug:slug>/leaderboard", runs_api.leaderboard, name="api_leaderboard"),
    path("api/v1/projects/<slug:slug>/sentences/<int:number>/<slug:split>", runs_api.sentences, name="api_sentences"),
    path("api/v1/projects/<slug:slug>/export", export_api.export, name="api_export"),
    path("api/v1/runs/<uuid:uuid>", runs_api.run, name="api_run"),
    path("api/v1/runs/<uuid:uuid>/errors", runs_api.run_errors, name="api_run_errors"),
    path("api/v1/runs/<uuid:uuid>/against/<uuid:other>", runs_api.runs_against, name="api_runs_against"),
    path("p/<slug:slug>/webhooks", webhooks.webhooks, name="webhooks"),
    path("p/<slug:slug>/webhooks/<uuid:uuid>", webhooks.webhook, name="webhook"),
    path("p/<slug:slug>/webhooks/<uuid:uuid>/secret", webhooks.webhook_secret, name="webhook_secret"),
    *(
        path(f"p/<slug:slug>/webhooks/<uuid:uuid>/{act}", webhooks.webhook_act, {"act": act}, name=f"webhook_{act}")
        for act in webhooks.ACTS
    ),
    path(
        "p/<slug:slug>/webhooks/<uuid:uuid>/messages/<uuid:message>/again",
        webhooks.webhook_send_again,
        name="webhook_send_again",
    ),
]
