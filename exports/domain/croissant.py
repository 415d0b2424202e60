"""croissant.json: what the files of a release hold, for machines (Croissant 1.0)."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from exports.domain.bundle import FileFacts

CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataBiases": "cr:dataBiases",
    "dataCollection": "cr:dataCollection",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "personalSensitiveInformation": "cr:personalSensitiveInformation",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
FORMATS = {".json": "application/json", ".jsonl": "application/jsonlines", ".csv": "text/csv", ".md": "text/markdown"}
VOTES = {
    "id": "sc:Text",
    "split": "sc:Text",
    "start": "sc:Integer",
    "end": "sc:Integer",
    "quote": "sc:Text",
    "index": "sc:Integer",
    "of": "sc:Integer",
    "type": "sc:Text",
    "suggestion": "sc:Text",
    "votes": "sc:Integer",
    "voters": "sc:Text",
    "provenance": "sc:Text",
}


def write_croissant(
    *, name: str, description: str, date: str, version: str, stated: Mapping[str, str], files: Sequence[FileFacts]
) -> str:
    """`files`: those that the document speaks of. Text without a final choice of ours: sorted, two spaces."""
    described = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": name,
        "description": description,
        "datePublished": date,
        "version": version,
        "license": stated.get("licence", "not stated"),
        "url": stated.get("contact", "not stated"),
        "citeAs": stated.get("citation", "not stated"),
        "distribution": [_file(item) for item in files],
        "recordSet": [_votes()],
    }
    return json.dumps(described, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def _file(item: FileFacts) -> dict[str, Any]:
    ending = item.name[item.name.rindex(".") :]
    return {
        "@type": "cr:FileObject",
        "@id": item.name,
        "name": item.name,
        "contentUrl": item.name,
        "contentSize": f"{item.bytes} B",
        "encodingFormat": FORMATS[ending],
        "sha256": item.sha256,
    }


def _votes() -> dict[str, Any]:
    """The rows of votes.csv: a table, which every reader of Croissant can take."""
    return {
        "@type": "cr:RecordSet",
        "@id": "votes",
        "name": "votes",
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"votes/{name}",
                "name": name,
                "dataType": kind,
                "source": {"fileObject": {"@id": "votes.csv"}, "extract": {"column": name}},
            }
            for name, kind in VOTES.items()
        ],
    }
