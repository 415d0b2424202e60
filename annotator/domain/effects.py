"""What the switches of a protocol do, said of an example."""

from decimal import ROUND_CEILING, Decimal

from annotator.domain.protocols import Protocol

EXAMPLE = "My uncle has a very big house. We make a party there every summer."
# Of five people: who marked what, and how many.
VOTES = {"make": 4, "very big": 3, "party": 2, "summer": 1}


def effects(protocol: Protocol) -> dict[str, str]:
    """By the name of the switch."""
    return {
        **_marks(protocol),
        **_substitutes(protocol),
        **_quota(protocol),
        **_people(protocol),
        **_gold(protocol),
    }


def _marks(protocol: Protocol) -> dict[str, str]:
    least = protocol.warn_below_marks
    return {
        "spans_may_overlap": "“very big” and “big house” may both be marked."
        if protocol.spans_may_overlap
        else "Once “very big” is marked, “big house” is refused.",
        "spans_may_cross_sentences": "“house. We make” may be marked as one piece."
        if protocol.spans_may_cross_sentences
        else "“house. We make” is refused: a mark stays within its sentence.",
        "warn_below_marks": f"With fewer than {least} marks one is asked once more before it is handed in."
        if least
        else "Nobody is asked about few marks.",
    }


def _substitutes(protocol: Protocol) -> dict[str, str]:
    least, most, sign = protocol.min_substitutes, protocol.max_substitutes, protocol.separator
    return {
        "min_substitutes": f"“make” with {_many(least - 1, 'substitute')} cannot be handed in."
        if least
        else "“make” may be marked without offering a substitute.",
        "max_substitutes": f"For “make” at most {_many(most, 'substitute')}."
        if most
        else "For “make” as many substitutes as one likes.",
        "separator": f"“throw{sign} hold” typed into one field is two substitutes: “throw” and “hold”.",
        "fixes_type_order": "Everybody has the types in the order of the list."
        if protocol.fixes_type_order
        else "Each person has the types in an order of their own, so that none comes first for all.",
    }


def _quota(protocol: Protocol) -> dict[str, str]:
    kind, rate = protocol.type_named(protocol.quota_type), protocol.quota_per_passage
    if kind is None or not rate:
        return {"quota_per_passage": "No quota: nobody is told how many substitutes are wanted."}
    wanted = int((Decimal(rate) * 200).to_integral_value(ROUND_CEILING))
    said = f"Whoever has 200 passages sees that {wanted:,} substitutes “{kind.label}” are wanted of them."
    return {"quota_per_passage": said}


def _people(protocol: Protocol) -> dict[str, str]:
    k = protocol.answers_per_passage
    if not k:
        return {"answers_per_passage": "Every annotator is given every passage."}
    people = _many(k, "person", "different people")
    said = f"Each passage goes to {people}: of 100 passages, 10 annotators have {k * 10} each."
    return {"answers_per_passage": said}


def _gold(protocol: Protocol) -> dict[str, str]:
    kept = [f"“{quote}” ({votes})" for quote, votes in VOTES.items() if votes >= protocol.keep_at]
    gone = [f"“{quote}” ({votes})" for quote, votes in VOTES.items() if votes < protocol.keep_at]
    fewest = _many(protocol.min_answers, "answer")
    return {
        "keep_at": f"Of what five people marked, the gold keeps {_listed(kept)} and drops {_listed(gone)}.",
        "min_answers": f"While fewer than {fewest} are in, the passage is left out of the gold.",
        "drops_discarded": "Three discards against two answers: the passage leaves the gold."
        if protocol.drops_discarded
        else "Three discards against two answers: the two answers make the gold.",
        "needs_consensus": "What one adjudicator decides is a proposal until another agrees."
        if protocol.needs_consensus
        else "What one adjudicator decides holds.",
    }


def hindrance(protocol: Protocol) -> str:
    """Why a passage that as many people have as the rule asks for can never be gold by their votes; "": it can."""
    k, fewest, kept = protocol.answers_per_passage, protocol.min_answers, protocol.keep_at
    if not k or k >= max(fewest, kept):
        return ""
    given = f"Each passage goes to {_many(k, 'person', 'people')}"
    if k < fewest:
        return f"{given}, but needs {_many(fewest, 'answer')} for the gold: with no more than that it is left out."
    return f"{given}, but the gold keeps what {kept} people marked: by the votes alone it would keep nothing."


def _many(number: int, one: str, more: str = "") -> str:
    if number == 0:
        return f"no {one}"
    return f"one {one}" if number == 1 else f"{number} {more or one + 's'}"


def _listed(names: list[str]) -> str:
    return ", ".join(names) or "nothing"
