"""Addresses of the annotator's app; the URL name is the view's name."""

from django.urls import path, re_path

from annotator.api import assignments as api
from annotator.api.accounts import session
from annotator.views import accounts, board, guidelines, jobs, passages, projects, questions, reference, work
from annotator.views.setup import frame as setup
from annotator.views.setup import passages as setup_passages
from annotator.views.setup import steps as setup_steps
from annotator.views.styleguide import styleguide

urlpatterns = [
    path("", projects.home, name="home"),
    path("log-in", accounts.log_in, name="log_in"),
    path("log-out", accounts.log_out, name="log_out"),
    path("password", accounts.change_password, name="change_password"),
    path("set-password/<str:uid>/<str:token>", accounts.open_account, name="open_account"),
    path("invite/<str:token>", accounts.invitation, name="invitation"),
    path("sign-in/<str:token>", accounts.sign_in, name="sign_in"),
    path("switch/<uuid:uuid>", accounts.switch_person, name="switch_person"),
    path("styleguide", styleguide, name="styleguide"),
    path("p/<slug:slug>/", projects.project, name="project"),
    path("p/<slug:slug>/state", projects.project_state, name="project_state"),
    path("p/<slug:slug>/setup", setup.setup, name="setup"),
    path("p/<slug:slug>/setup/rules", setup_steps.setup_rules, name="setup_rules"),
    path("p/<slug:slug>/setup/passages", setup_passages.setup_passages, name="setup_passages"),
    path("p/<slug:slug>/setup/screening", setup_passages.setup_screening, name="setup_screening"),
    path("p/<slug:slug>/setup/guidelines", setup_steps.setup_guidelines, name="setup_guidelines"),
    path("p/<slug:slug>/setup/people", setup_steps.setup_people, name="setup_people"),
    path("p/<slug:slug>/setup/test", setup_steps.setup_test, name="setup_test"),
    path("p/<slug:slug>/setup/open", setup_steps.setup_open, name="setup_open"),
    path("p/<slug:slug>/setup/<slug:step>/skip", setup.setup_skip, name="setup_skip"),
    path("p/<slug:slug>/board", board.board, name="board"),
    path("p/<slug:slug>/board.csv", board.board_csv, name="board_csv"),
    path("p/<slug:slug>/board/jobs", board.board_jobs, name="board_jobs"),
    path("p/<slug:slug>/board/questions/<uuid:uuid>", board.board_question, name="board_question"),
    path("p/<slug:slug>/people", projects.people, name="people"),
    path("p/<slug:slug>/people/<uuid:uuid>/roles", projects.member_roles, name="member_roles"),
    path("p/<slug:slug>/people/<uuid:uuid>/remove", projects.member_remove, name="member_remove"),
    path("p/<slug:slug>/invitations/<uuid:uuid>/revoke", projects.invitation_revoke, name="invitation_revoke"),
    path("p/<slug:slug>/people/<uuid:uuid>/pause", projects.member_pause, {"act": "pause"}, name="member_pause"),
    path("p/<slug:slug>/people/<uuid:uuid>/resume", projects.member_pause, {"act": "resume"}, name="member_resume"),
    path("p/<slug:slug>/passages", passages.passages, name="passages"),
    path("p/<slug:slug>/guidelines", guidelines.guidelines, name="guidelines"),
    re_path(
        r"^p/(?P<slug>[-a-zA-Z0-9_]+)/guidelines/(?P<version>[1-9][0-9]{0,5})$",
        guidelines.guidelines,
        name="guidelines_version",
    ),
    path("p/<slug:slug>/guidelines/read", guidelines.guidelines_read, name="guidelines_read"),
    path("p/<slug:slug>/guidelines/change", guidelines.guidelines_change, name="guidelines_change"),
    path("p/<slug:slug>/questions", questions.questions, name="questions"),
    path("p/<slug:slug>/questions/<uuid:uuid>", questions.question_answer, name="question_answer"),
    path("p/<slug:slug>/hand-out", jobs.hand_out, name="hand_out"),
    path("p/<slug:slug>/jobs", jobs.jobs, name="jobs"),
    path("p/<slug:slug>/jobs/<uuid:uuid>", jobs.job, name="job"),
    path("p/<slug:slug>/jobs/<uuid:uuid>/cancel", jobs.job_act, {"act": "cancel"}, name="job_cancel"),
    path("p/<slug:slug>/jobs/<uuid:uuid>/retry", jobs.job_act, {"act": "retry"}, name="job_retry"),
    path("p/<slug:slug>/work", work.my_work, name="my_work"),
    path("p/<slug:slug>/work/next", work.next_work, name="next_work"),
    re_path(r"^p/(?P<slug>[-a-zA-Z0-9_]+)/work/(?P<number>[1-9][0-9]{0,8})$", work.work, name="work"),
    re_path(
        r"^p/(?P<slug>[-a-zA-Z0-9_]+)/work/(?P<number>[1-9][0-9]{0,8})/(?P<act>discard|undo-discard|reopen)$",
        work.work_act,
        name="work_act",
    ),
    path("api/", reference.api, name="api"),
    path("api/problems", reference.api_problems, name="api_problems"),
    path("api/v1/openapi.json", reference.openapi, name="openapi"),
    path("api/v1/session", session, name="api_session"),
    path("api/v1/assignments", api.assignments, name="api_assignments"),
    path("api/v1/assignments/<uuid:uuid>", api.assignment, name="api_assignment"),
    path("api/v1/assignments/<uuid:uuid>/answer", api.answer, name="api_answer"),
    path("api/v1/assignments/<uuid:uuid>/findings", api.findings, name="api_findings"),
    path("api/v1/assignments/<uuid:uuid>/questions", api.questions, name="api_questions"),
    path("api/v1/projects/<slug:slug>/progress", api.progress, name="api_progress"),
    path("api/v1/projects/<slug:slug>/guidelines-read", api.guidelines_read, name="api_guidelines_read"),
    path("api/v1/assignments/<uuid:uuid>/submit", api.submit, name="api_submit"),
    path("api/v1/assignments/<uuid:uuid>/discard", api.discard, name="api_discard"),
    path("api/v1/assignments/<uuid:uuid>/undo-discard", api.undo, name="api_undo_discard"),
    path("api/v1/assignments/<uuid:uuid>/reopen", api.reopen, name="api_reopen"),
]
