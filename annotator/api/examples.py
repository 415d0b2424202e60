"""An example of every body, made of its own schema: none can be forgotten, and none goes out of date."""

import re
from typing import Any

from annotator.serializers.problems import OF_STATUS, PROBLEM_JSON, problem

Schema = dict[str, Any]
MOST_DEPTH = 8
# By the name of a key, or the one above it and its own, what reads well there. What does not fit the key's schema is
# passed over.
WORDS: dict[str, Any] = {
    "substitutes.text": "lecturer",
    "suggestions.text": "lecturer",
    "Substitute.text": "lecturer",
    "Suggestion.text": "lecturer",
    "Arrival.name": "essays.csv",
    "Arrival.problems": [],
    "Arrival.state": "done",
    "Upload.name": "essays.csv",
    "Job.message": "",
    "Job.kind": "merge",
    "Job.work": "Merge",
    "Job.state": "done",
    "Job.percent": 100,
    "Member.name": "Ann Lee",
    "Member.roles": "annotator",
    "Member.state": "working",
    "made_by": "Nora Lindqvist",
    "withdrawn_why": "",
    "withdrawn": None,
    "notes": "",
    "splits": "test",
    "ticked": "open_questions",
    "permalink": "https://assay.example.org/p/essays/",
    "version": 1,
    "warnings": "",
    "Release.title": "Essays 1",
    "ReleaseLine.title": "Essays 1",
    "Project.state": "open",
    "ProjectLine.state": "open",
    "description": "",
    "act": "open",
    "fix.label": "Put “lecturer” instead",
    "content": {"verdict": "keep"},
    "cause": "taste",
    "context_after": "",
    "context_before": "",
    "dir": "ltr",
    "groups": "essay-7",
    "guideline": "A.1",
    "id": "essays-1",
    "kind_note": "",
    "passage": "essays-1",
    "people": "A01",
    "project": "essays",
    "signature": "sws|keep:2",
    "span": 4,
    "suggestions": "lecturer",
    "take": "both",
    "type": "refine-usage",
    "verdict": "keep",
    "after": " was good.",
    "before": "The ",
    "a": "A01",
    "b": "A02",
    "address": "https://hooks.example.org/assay",
    "body_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "by": "A03",
    "code": "invalid",
    "detail": "The body lacks 'text'.",
    "email": "you@example.org",
    "emails": "you@example.org",
    "end": 11,
    "external_id": "essays-1",
    "guidelines": "Mark what a careful writer would say otherwise.",
    "language": "en",
    "lang": "en",
    "link": "https://assay.example.org/invite/3q2-7wXcPzI",
    "message": "The body lacks 'text'.",
    "name": "Essays",
    "next": None,
    "note": "",
    "giver": "A01",
    "taker": "A02",
    "preset": "sws",
    "protocol": {"keep_at": 3},
    "roles": "lead",
    "who": "Ann Lee",
    "did": "opened the project",
    "password": "a long pass phrase",
    "path": "text",
    "pseudonym": "A01",
    "quote": "speaker",
    "reason": "",
    "remark": "",
    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "slug": "essays",
    "split": "test",
    "start": 4,
    "system": "quill",
    "text": "The speaker was good.",
    "time_zone": "UTC",
    "title": "Invalid",
    "url": "https://example.org/quill",
}
# Bodies of which not all keys go together, by the name of their schema.
WHOLE: dict[str, Schema] = {
    "Import": {"upload": "3f0e8b5c-1d2a-4c6e-9b7f-0a1b2c3d4e5f", "kind": "passages", "passage_kind": "work"},
    "PatchedPassageChange": {"screening": "refused", "reason": "grammar"},
}
FORMATS = {
    "uuid": "3f0e8b5c-1d2a-4c6e-9b7f-0a1b2c3d4e5f",
    "date-time": "2026-11-19T09:30:00Z",
    "date": "2026-11-19",
    "uri": "https://example.org/quill",
    "email": "you@example.org",
}
PATTERNS = ("7", '"7"', "essays", "essays:1", "/api/problems#invalid", "2026-11-19", "9f86d081" * 8, "0-4")
PLAIN: dict[str, Any] = {"string": "text", "integer": 1, "number": 0.5, "boolean": True, "null": None}


def add_examples(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    for methods in document["paths"].values():
        for said in methods.values():
            for status, part in (("", said.get("requestBody", {})), *said["responses"].items()):
                for kind, content in part.get("content", {}).items():
                    if kind == PROBLEM_JSON:
                        content["example"] = problem(OF_STATUS[int(status)], part["description"], status=int(status))
                    elif "$ref" in content["schema"]:
                        name = content["schema"]["$ref"].rpartition("/")[2]
                        content["example"] = WHOLE.get(name) or example_of(content["schema"], schemas)


def example_of(schema: Schema, schemas: dict[str, Schema], name: str = "", depth: int = 0, above: str = "") -> Any:
    schema, body = _resolved(schema, schemas)
    words = [WORDS[word] for word in (f"{above}.{name}", name) if word in WORDS]
    if "enum" in schema or "const" in schema:
        choices = schema.get("enum", [schema.get("const")])
        return next((word for word in words if word in choices), choices[0])
    kinds = schema.get("type", "object")
    kind = next((item for item in kinds if item != "null"), "null") if isinstance(kinds, list) else kinds
    if kind == "object":
        is_open = "properties" not in schema and isinstance(WORDS.get(name), dict)
        return WORDS[name] if is_open else _object(schema, schemas, depth, body or name)
    if kind == "array":
        least, items = schema.get("minItems", 0), schema.get("items", {})
        if not items or (depth > MOST_DEPTH and not least):
            return []
        return [example_of(items, schemas, name, depth + 1, above)] * max(least, 1)
    for word in words:
        if _fits(word, schema, kinds):
            return word
    if kind in ("integer", "number"):
        return _number(schema, kind)
    return _text(schema) if kind == "string" else PLAIN[kind]


def _resolved(schema: Schema, schemas: dict[str, Schema]) -> tuple[Schema, str]:
    """With the name of the body that it is, where it has one."""
    body = ""
    while True:
        for several in ("oneOf", "anyOf", "allOf"):
            if several in schema:
                schema = schema[several][0]
        if "$ref" not in schema:
            return schema, body
        body = schema["$ref"].rpartition("/")[2]
        schema = schemas[body]


def _object(schema: Schema, schemas: dict[str, Schema], depth: int, name: str) -> dict[str, Any]:
    needed = set(schema.get("required", ()))
    of = {key: item for key, item in schema.get("properties", {}).items() if depth <= MOST_DEPTH or key in needed}
    found = {key: example_of(item, schemas, key, depth + 1, name) for key, item in of.items()}
    others = schema.get("additionalProperties")
    if isinstance(others, dict) and others:
        found["better"] = example_of(others, schemas, "", depth + 1)
    return found


def _fits(value: Any, schema: Schema, kinds: Any) -> bool:
    of = {str: "string", int: "integer", type(None): "null"}.get(type(value))
    if of not in (kinds if isinstance(kinds, list) else [kinds]) or "format" in schema or "pattern" in schema:
        return False
    if value is None:
        return True
    size: int = len(value) if of == "string" else value
    least, most = schema.get("minLength", schema.get("minimum")), schema.get("maxLength", schema.get("maximum"))
    return bool((least is None or least <= size) and (most is None or size <= most))


def _number(schema: Schema, kind: str) -> Any:
    return max(schema.get("minimum", PLAIN[kind]), min(PLAIN[kind], schema.get("maximum", PLAIN[kind])))


def _text(schema: Schema) -> str:
    if schema.get("pattern"):
        return next((word for word in PATTERNS if re.search(schema["pattern"], word)), "text")
    found: str = FORMATS.get(schema.get("format", ""), "text")
    return found.ljust(schema.get("minLength", 0), "x")[: schema.get("maxLength", len(found))]
