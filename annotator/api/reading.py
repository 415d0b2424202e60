"""The document of the API as tables for a page."""

import json
from functools import cache
from typing import Any

from annotator.api.document import document


@cache
def operations() -> list[dict[str, Any]]:
    """Every call: how it is made, what it takes, what it may answer."""
    return [
        {
            "id": said["operationId"],
            "method": method.upper(),
            "path": path,
            "summary": said["summary"],
            "description": said.get("description", ""),
            "parameters": [_parameter(item) for item in said.get("parameters", []) if item["in"] != "path"],
            **_takes(said.get("requestBody")),
            "gives": [_answer(status, answer) for status, answer in said["responses"].items() if status < "400"],
            "scopes": next((way["token"] for way in said.get("security", []) if "token" in way), []),
            "sent": _example(said.get("requestBody")),
            "answered": _example(next(item for status, item in said["responses"].items() if status < "400")),
            "refuses": [status for status in said["responses"] if status >= "400"],
        }
        for path, methods in document()["paths"].items()
        for method, said in methods.items()
    ]


@cache
def groups() -> list[dict[str, Any]]:
    """The calls by what they are about, the word in their address."""
    found: dict[str, list[dict[str, Any]]] = {}
    for call in operations():
        found.setdefault(_noun(call["path"]), []).append(call)
    return [{"noun": noun, "calls": sorted(found[noun], key=_by_address)} for noun in sorted(found)]


def _noun(path: str) -> str:
    """Of /api/v1/projects/{slug}/merges/{uuid} it is merges."""
    parts = path.split("/")[3:]
    return parts[2] if parts[0] == "projects" and len(parts) > 2 else parts[0]


def _by_address(call: dict[str, Any]) -> tuple[int, str, str]:
    return call["path"].count("/"), call["path"], call["method"]


@cache
def shapes() -> list[dict[str, Any]]:
    """Every body and what stands in one."""
    return [
        {
            "name": name,
            "description": schema.get("description", ""),
            "kinds": _kind(schema) if "oneOf" in schema else [],
            "keys": [_key(key, of, schema) for key, of in schema.get("properties", {}).items()],
        }
        for name, schema in document()["components"]["schemas"].items()
    ]


def _example(said: dict[str, Any] | None) -> str:
    """As one reads it; "" where there is none, or it is a file."""
    [content] = (said or {}).get("content", {"": {}}).values()
    return json.dumps(content["example"], indent=1, ensure_ascii=False) if "example" in content else ""


def _parameter(said: dict[str, Any]) -> dict[str, Any]:
    needed = said.get("required", False)
    told = {"name": said["name"], "where": said["in"], "is_needed": needed, "kind": _kind(said["schema"])}
    return {**told, "limits": _limits(said["schema"]), "description": said.get("description", "")}


def _takes(said: dict[str, Any] | None) -> dict[str, str]:
    """A shape, or a file of some type."""
    if said is None:
        return {"takes": "", "takes_file": ""}
    [(media_type, content)] = said["content"].items()
    if "$ref" not in content["schema"]:
        return {"takes": "", "takes_file": media_type}
    return {"takes": _name(said), "takes_file": ""}


def _answer(status: str, said: dict[str, Any]) -> dict[str, Any]:
    """A shape, or a file of some type."""
    [(media_type, content)] = said["content"].items()
    is_file = "$ref" not in content["schema"]
    told = {"shape": "", "file": media_type} if is_file else {"shape": _name(said), "file": ""}
    return {"status": status, **told, "headers": list(said.get("headers", {}))}


def _key(name: str, of: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    needed = name in schema.get("required", [])
    told = {"name": name, "is_needed": needed, "kind": _kind(of)}
    return {**told, "limits": _limits(of), "description": of.get("description", "")}


def _name(said: dict[str, Any]) -> str:
    [content] = said["content"].values()
    return _of(content["schema"]["$ref"])


def _of(reference: str) -> str:
    return reference.rpartition("/")[2]


def _kind(schema: dict[str, Any]) -> list[dict[str, str]]:
    """The types a value may have; those with a table of their own have its name as `shape`."""
    if "$ref" in schema:
        return [{"word": _of(schema["$ref"]), "shape": _of(schema["$ref"])}]
    if several := schema.get("oneOf") or schema.get("allOf"):
        kinds = [kind for one in several for kind in _kind(one)]
        return [kind for place, kind in enumerate(kinds) if kind not in kinds[:place]]
    if "array" in schema.get("type", ()):
        items = [{**kind, "word": f"list of {kind['word']}"} for kind in _kind(schema["items"])]
        return [*items, *([{"word": "null", "shape": ""}] if "null" in schema["type"] else [])]
    types = [schema.get("type", "any JSON")] if isinstance(schema.get("type", ""), str) else schema["type"]
    return [{"word": schema.get("format", one) if one == "string" else one, "shape": ""} for one in types]


def _limits(schema: dict[str, Any]) -> str:
    said = []
    if "enum" in schema:
        said.append(" · ".join("“”" if value == "" else str(value).lower() for value in schema["enum"]))
    if "minimum" in schema and "maximum" in schema:
        said.append(f"{schema['minimum']:,} to {schema['maximum']:,}")
    elif "minimum" in schema:
        said.append(f"{schema['minimum']} or more")
    if most := schema.get("maxLength"):
        said.append(f"{most:,} characters at most")
    if most := schema.get("maxItems"):
        said.append(f"{most} at most")
    said += [f"as {value}" for value in schema.get("examples", [])]
    if "default" in schema and schema["default"] != "":
        said.append(f"{schema['default']} where nothing is said")
    return "; ".join(said)
