"""A thesaurus from the disk: a table, a folder of tables, or the files of WordNet."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.domain.formats.reading import Report, alike, counted, whole
from annotator.management.base import Failed
from annotator.management.files import SHOWN, opened
from exports.domain.thesaurus import WORDNET_FILES, Row, Thesaurus, read_table, read_wordnet

WORDNET_NAMES = [f"{kind}.{name}" for kind in ("data", "index") for name in sorted(WORDNET_FILES.values())]


@dataclass(frozen=True)
class StoredThesaurus:
    """`hash`: of a file its SHA-256; of a folder that of what `sha256sum` says of its files, in the order of names."""

    thesaurus: Thesaurus
    hash: str


def add_thesaurus_arguments(parser: CommandParser) -> None:
    parser.add_argument(
        "--thesaurus",
        required=True,
        type=Path,
        metavar="PATH",
        help="a TSV of word, pos (n v a r) and synonym, a folder of such, or WordNet's, such as /usr/share/wordnet",
    )
    parser.add_argument("--no-tagger", action="store_true", help="take whatever part of speech the thesaurus has")


def thesaurus_at(path: Path, *, say: Callable[[str], Any]) -> StoredThesaurus:
    """What is wrong is said all at once, each line by its file."""
    is_wordnet, paths = _files(path)
    data = {}
    for file in paths:
        with opened(file) as source:
            data[file.name] = whole(source)
    reports = {name: Report() for name in data}
    rows = _wordnet(data, reports) if is_wordnet else _tables(data, reports)
    thesaurus = Thesaurus.of(rows)
    _refuse(path, {file: reports[file.name] for file in paths}, say)
    if not len(thesaurus):
        raise CommandError(f"The thesaurus {path} has no entries.")
    return StoredThesaurus(thesaurus, _hash(data, is_folder=path.is_dir()))


def _files(path: Path) -> tuple[bool, list[Path]]:
    """Whether they are WordNet's, and which there are."""
    if not path.is_dir():
        return False, [path]
    try:
        there = sorted(path.iterdir())
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
    lacking = set(WORDNET_NAMES) - {file.name for file in there}
    tables = [file for file in there if file.suffix == ".tsv"]
    if not lacking or tables:
        return not lacking, tables if lacking else [path / name for name in WORDNET_NAMES]
    if len(lacking) < len(WORDNET_NAMES):
        raise CommandError(f"{path} lacks files of WordNet: {', '.join(sorted(lacking))}.")
    raise CommandError(f"{path} holds no thesaurus: neither .tsv files nor WordNet's ({', '.join(WORDNET_NAMES)}).")


def _wordnet(data: dict[str, bytes], reports: dict[str, Report]) -> Iterator[Row]:
    for part, name in WORDNET_FILES.items():
        index, synsets = f"index.{name}", f"data.{name}"
        both = (reports[index], reports[synsets])
        yield from read_wordnet(part, index=data[index], data=data[synsets], reports=both)


def _tables(data: dict[str, bytes], reports: dict[str, Report]) -> Iterator[Row]:
    for name, text in data.items():
        yield from read_table(text, reports[name])


def _refuse(path: Path, reports: dict[Path, Report], say: Callable[[str], Any]) -> None:
    problems = [(file, row) for file, report in reports.items() for row in report.problems]
    if not problems:
        return
    more = sum(report.more for report in reports.values())
    untold = more
    for file, report in reports.items():
        found = alike((row.line, row.reason) for row in report.problems)
        for item in found[:SHOWN]:
            say(f"{file}:{item.lines[0]}: {item}")
        untold += sum(len(item.lines) for item in found[SHOWN:])
    if untold:
        say(f"… and {untold:,} more.")
    rows = [{"file": str(file), "line": row.line, "reason": row.reason} for file, row in problems]
    message = f"{path}: {counted(len(problems) + more, 'problem')} in the thesaurus; nothing was made."
    raise Failed(message, result={"problems": rows, "more": more})


def _hash(data: dict[str, bytes], *, is_folder: bool) -> str:
    hashes = {name: sha256(text).hexdigest() for name, text in data.items()}
    if not is_folder:
        return next(iter(hashes.values()))
    return sha256("".join(f"{found}  {name}\n" for name, found in hashes.items()).encode()).hexdigest()
