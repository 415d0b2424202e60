"""The load itself: PEOPLE threads, each on one kept-alive connection, saving one after another.

python -m tests.bench.load URL PEOPLE SAVES FIRST PAUSE [TOKEN] (seconds between the saves of one person;
a token in place of a session)
"""

import http.client
import json
import sys
import threading
import time
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from tests.house import PASSWORD


class Person:
    def __init__(self, url: str, number: int, token: str) -> None:
        self.connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
        self.cookies: dict[str, str] = {}
        self.token = token
        if not token:
            self.call("GET", "/api/v1/session")
            self.call("POST", "/api/v1/session", {"email": f"person{number}@example.org", "password": PASSWORD})
        _, listed = self.call("GET", "/api/v1/assignments?limit=1")
        _, self.row = self.call("GET", f"/api/v1/assignments/{listed['results'][0]['uuid']}")
        self.version, self.ms, self.errors = self.row["version"], [], 0

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        sent = {
            "Content-Type": "application/json",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "X-CSRFToken": self.cookies.get("assay_csrf", ""),
            **({"Authorization": f"Bearer {self.token}"} if self.token else {}),
            **headers,
        }
        self.connection.request(method, path, None if body is None else json.dumps(body), sent)
        response = self.connection.getresponse()
        text = response.read()
        for name, value in response.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        return response.status, json.loads(text)

    def save(self, number: int) -> None:
        substitutes = [
            {"text": f"children {number}", "type": "refine-usage", "via": "typed"},
            {"text": "schoolchildren", "type": "diversify-expression", "via": "typed"},
        ]
        mark = {"start": 4, "end": 10, "quote": "pupils", "note": "", "unsure": False, "substitutes": substitutes}
        body = {"save_id": str(uuid4()), "active_ms": 400, "answer": {"marks": [mark]}}
        path = f"/api/v1/assignments/{self.row['uuid']}/answer"
        began = time.perf_counter()
        status, answer = self.call("PUT", path, body, **{"If-Match": f'"{self.version}"'})
        self.ms.append((time.perf_counter() - began) * 1000)
        if status == 200:
            self.version = answer["version"]
        else:
            self.errors += 1


def main(url: str, people: int, saves: int, first: int, pause: float, token: str = "") -> None:
    persons = [Person(url, first + number, token) for number in range(people)]
    stamp = int(time.time())

    def work(person: Person) -> None:
        for number in range(saves):
            person.save(stamp + number)
            time.sleep(pause)

    threads = [threading.Thread(target=work, args=(person,)) for person in persons]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - began
    result = {
        "ms": [ms for person in persons for ms in person.ms],
        "errors": sum(person.errors for person in persons),
        "per_second": people * saves / seconds,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:5]), float(sys.argv[5]), *sys.argv[6:])
