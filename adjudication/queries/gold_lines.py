"""The gold of a passage as JSON: as the paper prints it, and of every target who voted, who decided, when and why."""

from typing import Any

from adjudication.domain.dictionary import as_json
from adjudication.domain.gold import GoldTarget
from adjudication.models import Decision
from adjudication.queries.gold import Standing, gold_entries


def gold_line(standing: Standing) -> dict[str, Any]:
    return {
        "passage": standing.passage.external_id,
        "uuid": standing.passage.uuid,
        **as_json(gold_entries(standing)),
        "is_gold": standing.gold.is_gold,
        "decision": _decision(standing.decision(None)),
        "entries": [_entry(standing, target) for target in standing.gold.targets],
    }


def _entry(standing: Standing, target: GoldTarget) -> dict[str, Any]:
    return {
        "start": target.start,
        "end": target.end,
        "quote": target.quote,
        "annotators": target.annotators,
        "of": target.of,
        "voters": list(target.voters),
        "votes": target.votes,
        "type": target.type,
        "is_kept": target.is_kept and standing.gold.is_gold,
        "fate": target.fate.value,
        "moved_to": list(target.moved_to) if target.moved_to else None,
        "moved_from": [list(span) for span in target.moved_from],
        "suggestions": [
            {"text": item.text, "votes": item.votes, "voters": list(item.voters), "origin": item.origin.value}
            for item in target.suggestions
        ],
        "decision": _decision(standing.decision(target.span)),
    }


def _decision(row: Decision | None) -> dict[str, Any] | None:
    """None where nothing is decided, or not any more."""
    if row is None or not row.says_something:
        return None
    return {
        "verdict": row.verdict or None,
        "by": row.by.pseudonym if row.by else "",
        "at": row.at,
        "reason": row.reason,
        "cause": row.cause,
    }
