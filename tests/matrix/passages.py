"""The API: passages and what is merged of them, files, questions, jobs."""

from tests.factories import Cast
from tests.matrix.routes import ASKING, LEADS_API, SEEING_ALL_API, Route, an_arrival, an_upload, api_of_all, measured


def with_an_upload(cast: Cast) -> str:
    an_upload(cast)
    return "/api/v1/projects/essays/imports"


def of_a_report(tail: str = "") -> Route:
    def path(cast: Cast) -> str:
        return measured(cast, f"/api/v1/agreement/{{report}}{tail}")

    return Route(path, {"GET": SEEING_ALL_API}, lambda cast: None, is_api=True)


PASSAGES: dict[str, Route] = {
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
