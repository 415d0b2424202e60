"""The API: passages and what is merged of them, files, questions, jobs."""

from annotator.domain.jobs import JobState
from annotator.models import Job
from tests.factories import Cast
from tests.matrix.routes import (
    ASKING,
    LEADS_API,
    SEEING_ALL_API,
    Route,
    a_job,
    a_question,
    an_arrival,
    an_upload,
    api_of_all,
    measured,
)


def with_an_upload(cast: Cast) -> str:
    an_upload(cast)
    return "/api/v1/projects/essays/imports"


def a_failed_job(cast: Cast) -> Job:
    failed = {"project": cast.project, "kind": "assign_everyone", "state": JobState.FAILED}
    return Job.objects.filter(**failed).first() or Job.objects.create(**failed)


def of_a_report(tail: str = "") -> Route:
    def path(cast: Cast) -> str:
        return measured(cast, f"/api/v1/agreement/{{report}}{tail}")

    return Route(path, {"GET": SEEING_ALL_API}, lambda cast: None, is_api=True)


PASSAGES: dict[str, Route] = {
    "api_project_questions": Route(lambda cast: "/api/v1/projects/essays/questions", {"GET": LEADS_API}, is_api=True),
    "api_question_answer": Route(
        lambda cast: f"/api/v1/questions/{a_question(cast).uuid}/answer",
        {"POST": LEADS_API},
        lambda cast: {"text": "No.", "add_to_guidelines": True},
        is_api=True,
        headers={"If-Match": '"1"'},
    ),
    "api_jobs": Route(lambda cast: "/api/v1/projects/essays/jobs", {"GET": LEADS_API}, is_api=True),
    "api_job": Route(lambda cast: f"/api/v1/jobs/{a_job(cast).uuid}", {"GET": LEADS_API}, is_api=True),
    "api_job_cancel": Route(lambda cast: f"/api/v1/jobs/{a_job(cast).uuid}/cancel", {"POST": LEADS_API}, is_api=True),
    "api_job_retry": Route(lambda cast: f"/api/v1/jobs/{a_failed_job(cast).uuid}/retry", {"POST": ASKING}, is_api=True),
    "api_passages": Route(lambda cast: "/api/v1/projects/essays/passages", {"GET": LEADS_API}, is_api=True),
    "api_passage": Route(
        lambda cast: measured(cast, "/api/v1/projects/{slug}/passages/{passage}"),
        {"GET": SEEING_ALL_API, "PATCH": LEADS_API},
        lambda cast: {"screening": "accepted"},
        is_api=True,
    ),
    "api_passage_targets": api_of_all("passages/{passage}/targets"),
    "api_uploads": Route(
        lambda cast: "/api/v1/projects/essays/uploads",
        {"POST": {**ASKING, "lead": 201}},
        lambda cast: b"One more thing that is new.",
        is_api=True,
        content_type="application/octet-stream",
        query={"POST": "?name=more.txt"},
    ),
    "api_imports": Route(
        with_an_upload,
        {"GET": LEADS_API, "POST": ASKING},
        lambda cast: {"upload": str(an_upload(cast).uuid), "kind": "passages"},
        is_api=True,
    ),
    "api_imported": Route(
        lambda cast: f"/api/v1/projects/essays/imports/{an_arrival(cast).uuid}", {"GET": LEADS_API}, is_api=True
    ),
    "api_report": of_a_report(),
    "api_pair": of_a_report("/pairs/{a}/{b}"),
}
