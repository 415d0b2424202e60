"""What the desk shows at once is what the server says: `lay` in content.js against `gold_passage`."""

import json
from typing import Any

import pytest
from hypothesis import given

from adjudication.domain.decisions import SpanVerdict
from adjudication.domain.gold import gold_passage, offers
from tests.adjudication.domain.answered import AnsweredPassage
from tests.adjudication.domain.crowds import SETTINGS, TEXT, crowds
from tests.adjudication.domain.test_gold import _merged, _rulings
from tests.node import node_process

SCRIPT = """
import { lay } from "./static/js/adjudication/content.js";
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { target, content, keepAt } = JSON.parse(line);
  const { isKept, type, chips } = lay(target, content, keepAt);
  console.log(JSON.stringify({ isKept, type, chips: chips.map(({ text, voters }) => [text, voters]) }));
}
"""


@pytest.fixture(scope="module")
def node() -> Any:
    with node_process(SCRIPT) as process:
        yield process


def test_the_desk_shows_what_the_gold_is(node: Any) -> None:
    @given(crowds(), _rulings)
    def alike(found: list[AnsweredPassage], rulings: dict[Any, Any]) -> None:
        for item in found:
            merged = _merged(item)
            at = offers(merged, rulings)
            rows = {(target.start, target.end): target for target in merged.targets}
            for target in gold_passage(merged, rulings, None, text=TEXT, settings=SETTINGS).targets:
                ruling = rulings.get(target.span)
                content = ruling.content if ruling else None
                keys = {item.key for item in at.get(target.span, ())}
                texts = [item.text.casefold() for item in content.suggestions] if content else []
                if not keys or (content and content.verdict == SpanVerdict.MOVED):
                    continue  # gone, or moved away: the server draws those
                if {key for key in keys if content is None or key not in content.named} & set(texts):
                    continue  # a suggestion that came later: the server unites them
                row = rows.get(target.span)
                sent = {
                    "keepAt": SETTINGS.keep_at,
                    "content": content.as_dict() if content else {"verdict": None, "suggestions": [], "removed": []},
                    "target": {
                        "type": target.type,
                        "annotators": target.annotators,
                        "moved_from": target.moved_from,
                        "merged": {"is_kept": row.is_kept, "type": row.type} if row else None,
                        "offered": [
                            {"text": item.text, "key": item.key, "voters": item.voters} for item in at[target.span]
                        ],
                    },
                }
                node.stdin.write(json.dumps(sent) + "\n")
                node.stdin.flush()
                shown = json.loads(node.stdout.readline())
                assert shown["isKept"] == target.is_kept
                assert shown["type"] == target.type
                assert shown["chips"] == [[item.text, list(item.voters)] for item in target.suggestions]

    alike()
