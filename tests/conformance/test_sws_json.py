"""The release read and written again is the same JSON; the dealt-out answers merge back into it."""

import json
from typing import Any

from adjudication.domain.merge import MergeSettings, merge_passage
from annotator.domain.answers import Answer, Mark, Substitute
from annotator.domain.formats.sws_json import SwsSentence, SwsTarget, read_sws_json, write_sws_json
from annotator.domain.protocols import SWS as PROTOCOL
from annotator.domain.tokens import TokenBorders, align_tokens
from tests.conformance.data import SWS


def test_reading_and_writing_the_release_changes_nothing() -> None:
    data = SWS.path("sws_eval.json").read_bytes()

    written = "".join(write_sws_json(read_sws_json(data)))

    assert json.loads(written) == json.loads(data)
    assert [list(item[1]) for entry in json.loads(written).values() for item in entry["substitutes"]] == [
        list(item[1]) for entry in json.loads(data).values() for item in entry["substitutes"]
    ]
    assert written.isascii()
    assert not written.endswith("\n")


def dealt_out() -> dict[str, dict[str, Answer]]:
    """passage → annotator → answer; who has no row has submitted and marked nothing."""
    rows: dict[str, dict[str, dict[tuple[int, int, str], list[Substitute]]]] = {}
    for row in SWS.table("ten_annotators/annotations.csv"):
        mine = rows.setdefault(row["sentence_id"], {}).setdefault(row["annotator"], {})
        span = (int(row["start"]), int(row["end"]), row["word to change"])
        mine.setdefault(span, []).extend(Substitute(t.strip(), row["type"]) for t in row["substitutes"].split(";"))
    names = sorted({name for answers in rows.values() for name in answers})
    return {
        passage: {
            name: Answer(tuple(Mark(*span, tuple(given)) for span, given in answers.get(name, {}).items()))
            for name in names
        }
        for passage, answers in rows.items()
    }


def test_ten_annotators_merge_and_export_to_the_release() -> None:
    expected: dict[str, Any] = SWS.load("ten_annotators/expected.json")
    settings = MergeSettings(types=tuple(item.key for item in PROTOCOL.types))
    codes = {item.key: item.code for item in PROTOCOL.types}
    answers, sentences = dealt_out(), []
    names = next(iter(answers.values()))
    for line in SWS.lines("ten_annotators/passages.jsonl"):
        passage = json.loads(line)
        borders = TokenBorders.of(align_tokens(passage["text"], passage["tokens"]))
        merged = merge_passage(answers.get(passage["id"], dict.fromkeys(names, Answer(none=True))), settings)
        targets = []
        for target in merged.kept:
            span = borders.span(target.start, target.end)
            assert span is not None
            votes = tuple((item.text, item.votes) for item in target.suggestions)
            targets.append(SwsTarget(span, votes, codes[target.type]))
        sentences.append(SwsSentence(passage["id"], passage["text"], tuple(passage["tokens"]), tuple(targets)))

    assert json.loads("".join(write_sws_json(sentences))) == expected
