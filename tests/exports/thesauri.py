"""Small thesauri of our own making, as tables and in the form of WordNet's files."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from exports.domain.thesaurus import WORDNET_FILES, Thesaurus

ROWS = [
    ("big", "a", "large"),
    ("big", "a", "huge"),
    ("happy", "a", "glad"),
    ("good", "a", "pleasant"),
    ("fast", "r", "quickly"),
    ("very", "r", "extremely"),
    ("make", "v", "create"),
    ("make", "v", "build"),
    ("find", "v", "discover"),
    ("found", "v", "establish"),
    ("put", "v", "place"),
    ("look at", "v", "examine"),
    ("look at", "v", "consider"),
    ("carry out", "v", "perform"),
    ("give", "v", "hand over"),
    ("house", "n", "home"),
    ("house", "n", "dwelling"),
    ("child", "n", "youngster"),
    ("uncle", "n", "relative"),
    ("piece of land", "n", "plot"),
    ("plot", "n", "piece of land"),
    ("party", "n", "feast"),
    ("party", "n", "big meal"),
    ("spectacles", "n", "glasses"),
    ("at first", "r", "initially"),
    ("a lot of", "a", "plenty of"),
]


def thesaurus() -> Thesaurus:
    return Thesaurus.of(ROWS)


def write_table(path: Path) -> Path:
    path.write_text("".join("\t".join(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


def write_wordnet(folder: Path, synsets: Mapping[str, Sequence[Sequence[str]]]) -> Path:
    """By part of speech, synsets in the order of senses; the other files are there with nothing in them but a head."""
    folder.mkdir()
    for part, name in WORDNET_FILES.items():
        index, data = wordnet_files(part, synsets.get(part, ()))
        (folder / f"index.{name}").write_bytes(index)
        (folder / f"data.{name}").write_bytes(data)
    return folder


def wordnet_files(part: str, synsets: Sequence[Sequence[str]]) -> tuple[bytes, bytes]:
    """index and data: offsets are places in the data, as WordNet has them."""
    head = "  1 Made for a test.  \n"
    data, senses = head, dict[str, list[int]]()
    for words in synsets:
        offset = len(data)
        said = " ".join(f"{word} 0" for word in words)
        data += f"{offset:08d} 00 {part} {len(words):02x} {said} 001 @ 00000023 {part} 0000 | what it means; here  \n"
        for word in words:
            senses.setdefault(word.partition("(")[0].lower(), []).append(offset)
    index = head
    for lemma, offsets in sorted(senses.items()):
        places = " ".join(f"{offset:08d}" for offset in offsets)
        index += f"{lemma} {part} {len(offsets)} 2 @ ~ {len(offsets)} 0 {places}  \n"
    return index.encode(), data.encode()
