"""Somebody at work over the wire, who remembers what was acknowledged."""

import json
import threading
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from typing import Any
from uuid import uuid4

from tests.house import PASSWORD


class Saver(threading.Thread):
    """Saves one passage again and again, remembering what was acknowledged."""

    def __init__(self, url: str, number: int) -> None:
        super().__init__(daemon=True)
        self.url, self.email = url, f"person{number}@example.org"
        jar = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        self.jar, self.version, self.acknowledged = jar, 0, 0
        self.call("GET", "/api/v1/session")
        self.call("POST", "/api/v1/session", {"email": self.email, "password": PASSWORD})
        row = self.call("GET", "/api/v1/assignments?limit=1")["results"][0]
        self.detail = self.call("GET", f"/api/v1/assignments/{row['uuid']}")

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        token = next((cookie.value for cookie in self.jar if cookie.name == "assay_csrf"), "") or ""
        request = urllib.request.Request(
            self.url + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "X-CSRFToken": token, **headers},
        )
        with self.opener.open(request, timeout=10) as response:
            return json.load(response)

    def save(self, text: str) -> int:
        mark = {"start": 4, "end": 10, "quote": "pupils", "substitutes": [{"text": text, "type": "refine-usage"}]}
        path = f"/api/v1/assignments/{self.detail['uuid']}/answer"
        body = {"save_id": str(uuid4()), "answer": {"marks": [mark]}}
        return int(self.call("PUT", path, body, **{"If-Match": f'"{self.version}"'})["version"])

    def run(self) -> None:
        try:
            while True:
                self.version = self.save(f"word {self.version + 1}")
                self.acknowledged = self.version
        except (OSError, urllib.error.URLError, ValueError):
            return  # the lights went out
