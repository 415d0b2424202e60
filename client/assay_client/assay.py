"""Where everything begins: `Assay(url, token)`."""

import os
import ssl
from collections.abc import Iterator
from typing import Any

from assay_client.errors import AssayError
from assay_client.jobs import Job
from assay_client.merges import Report
from assay_client.projects import Project
from assay_client.releases import Release
from assay_client.runs import Run
from assay_client.wire import Wire


class Assay:
    """One Assay, as the person whose token it is. Without arguments both come from ASSAY_URL and ASSAY_TOKEN."""

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        timeout: float = 60.0,
        tries: int = 6,
        context: ssl.SSLContext | None = None,
    ) -> None:
        """`timeout`: seconds without a byte; `tries`: how often a request is sent until somebody answers; `context`:
        for certificates of your own."""
        url = url or os.environ.get("ASSAY_URL") or "http://127.0.0.1:8000"
        token = token or os.environ.get("ASSAY_TOKEN") or ""
        if tries < 1:
            raise AssayError("A request is sent once at the least: tries=1.")
        self._wire = Wire(url, token, timeout=timeout, tries=tries, context=context)

    def __repr__(self) -> str:
        return f"<Assay at {self._wire.url}>"  # and never the token

    def projects(self) -> list[Project]:
        """One's own."""
        return [Project(self._wire, row) for row in self._wire.pages("projects", {"limit": 100})]

    def project(self, slug: str) -> Project:
        return Project(self._wire, {"slug": slug}).refresh()

    def create_project(self, name: str, **settings: Any) -> Project:
        """A draft of one's own: `slug`, `preset` (sws), `language` (en), `time_zone` (UTC)."""
        answer = self._wire.call("POST", "projects", {"name": name, **settings}, creates=True)
        return Project(self._wire, answer.body, version=answer.version)

    def job(self, uuid: str) -> Job:
        return Job.of(self._wire, uuid)

    def report(self, uuid: str) -> Report:
        return Report(self._wire, {"uuid": uuid}).refresh()

    def release(self, uuid: str) -> Release:
        return Release(self._wire, {"uuid": uuid}).refresh()

    def run(self, uuid: str) -> Run:
        return Run(self._wire, {"uuid": uuid}).refresh()

    # --- whatever else the API's document (/api/ of the server) has ---

    def call(
        self, method: str, path: str, body: Any = None, *, version: int | None = None, creates: bool = False
    ) -> Any:
        """Any call: `assay.call("GET", "projects/essays/board")`. `version` goes into If-Match; `creates`: it makes
        something or starts a job, and is carried out once, so it may be sent again where no answer comes."""
        return self._wire.call(method, path, body, version=version, creates=creates).body

    def pages(self, path: str, **query: Any) -> Iterator[dict[str, Any]]:
        """The rows of any list, page after page."""
        return self._wire.pages(path, query)
