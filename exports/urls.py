"""Addresses of what leaves the house; the URL name is the view's name."""

from django.urls import path

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
