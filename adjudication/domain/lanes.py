"""Two answers over one text: what stands above it, what below, and what both chose."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from adjudication.domain.dictionary import name_of
from annotator.domain.tokens import Span

LONG = 40  # code points of a lane, from which on it is broken into lines
# Of each span the substitutes by key: (text, type).
Said = Mapping[Span, Mapping[str, tuple[str, str]]]


@dataclass(frozen=True)
class Offer:
    text: str
    type: str
    is_common: bool  # the other offers it too


@dataclass(frozen=True)
class Voice:
    """One span of one of the two: `quote` where it is not the whole piece."""

    quote: str
    offers: tuple[Offer, ...]

    @property
    def type(self) -> str:
        return self.offers[0].type if self.offers else ""


@dataclass(frozen=True)
class Piece:
    """A stretch of the text: plain where nobody marked it; else spans that overlap stand in one piece."""

    text: str
    above: tuple[Voice, ...] = ()
    below: tuple[Voice, ...] = ()
    is_both: bool = False  # the two marked the very same

    @property
    def is_plain(self) -> bool:
        return not self.above and not self.below

    @property
    def is_joined(self) -> bool:
        """Such as a full stop: no line begins with it."""
        return self.is_plain and not self.text[:1].isspace()

    @property
    def is_long_above(self) -> bool:
        return _length(self.above) > LONG

    @property
    def is_long_below(self) -> bool:
        return _length(self.below) > LONG


def _length(voices: Sequence[Voice]) -> int:
    return sum(len(voice.quote) + sum(len(offer.text) + 3 for offer in voice.offers) for voice in voices)


@dataclass(frozen=True)
class Summary:
    """Names of what both chose with a substitute in common, with other substitutes, and what one of them chose."""

    both: tuple[str, ...]
    other_words: tuple[str, ...]
    only_above: tuple[str, ...]
    only_below: tuple[str, ...]


@dataclass
class _Cluster:
    start: int
    end: int
    above: list[Span] = field(default_factory=list)
    below: list[Span] = field(default_factory=list)


def pieces(text: str, above: Said, below: Said) -> list[Piece]:
    found, at = [], 0
    for cluster in _clusters(above, below):
        if cluster.start > at:
            found.append(Piece(text[at : cluster.start]))
        found.append(
            Piece(
                text[cluster.start : cluster.end],
                tuple(_voice(text, span, cluster, above, below) for span in cluster.above),
                tuple(_voice(text, span, cluster, below, above) for span in cluster.below),
                is_both=any(span in below for span in cluster.above),
            )
        )
        at = cluster.end
    if at < len(text):
        found.append(Piece(text[at:]))
    return found


def summary(text: str, above: Said, below: Said) -> Summary:
    common = sorted(above.keys() & below.keys())
    shares = {span: not above[span].keys().isdisjoint(below[span]) for span in common}
    return Summary(
        both=_names(text, [span for span in common if shares[span]]),
        other_words=_names(text, [span for span in common if not shares[span]]),
        only_above=_names(text, sorted(above.keys() - below.keys())),
        only_below=_names(text, sorted(below.keys() - above.keys())),
    )


def _names(text: str, spans: Sequence[Span]) -> tuple[str, ...]:
    return tuple(name_of(text, span) for span in spans)


def _clusters(above: Said, below: Said) -> list[_Cluster]:
    """Spans in order, those that overlap together."""
    rows = sorted([(*span, 0) for span in above] + [(*span, 1) for span in below])
    found: list[_Cluster] = []
    for start, end, side in rows:
        if not found or start >= max(found[-1].end, found[-1].start + 1):
            found.append(_Cluster(start, end))
        cluster = found[-1]
        cluster.end = max(cluster.end, end)
        (cluster.below if side else cluster.above).append((start, end))
    return found


def _voice(text: str, span: Span, cluster: _Cluster, own: Said, other: Said) -> Voice:
    theirs = other.get(span, {})
    offers = tuple(Offer(said, type_, key in theirs) for key, (said, type_) in own[span].items())
    return Voice("" if span == (cluster.start, cluster.end) else text[span[0] : span[1]], offers)
