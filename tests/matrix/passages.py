"""The API: passages and what is merged of them, files, questions, jobs."""

from tests.factories import Cast
from tests.matrix.routes import SEEING_ALL_API, Route, api_of_all, measured


def of_a_report(tail: str = "") -> Route:
    def path(cast: Cast) -> str:
        return measured(cast, f"/api/v1/agreement/{{report}}{tail}")

    return Route(path, {"GET": SEEING_ALL_API}, lambda cast: None, is_api=True)


PASSAGES: dict[str, Route] = {
    "api_passage_targets": api_of_all("passages/{passage}/targets"),
    "api_report": of_a_report(),
    "api_pair": of_a_report("/pairs/{a}/{b}"),
}
