"""A first system for any gold: the rule-based one of the paper."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.domain.formats.reading import counted
from annotator.management.base import AssayCommand
from annotator.management.files import project_named, written
from exports.domain.baseline import TOP, SystemSentence, suggested, system_signature, write_predictions
from exports.domain.entries import EntryFinder
from exports.management.sentences import Sentence, names_a_file, sentences_of_file, sentences_of_project
from exports.management.thesauri import add_thesaurus_arguments, thesaurus_at

TASKS = ("sws",)


class Command(AssayCommand):
    help = "Write predictions by thesaurus (Wang et al. 2023, 5.1): synonyms for every entry found in the sentences."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("task", help=f"one of {', '.join(TASKS)}")
        parser.add_argument("sentences", metavar="SLUG|FILE", help="a project, or an SWS JSON by its path (….json)")
        add_thesaurus_arguments(parser)
        parser.add_argument("--top", type=int, default=TOP, metavar="N", help=f"suggestions at most, {TOP} if not said")
        parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="written whole, or not at all")

    def _handle(self, **options: Any) -> None:
        self.needs_migrated_database = not names_a_file(options["sentences"])
        super()._handle(**options)

    def run(
        self, *, task: str, sentences: str, thesaurus: Path, no_tagger: bool, top: int, out: Path, **options: Any
    ) -> dict[str, Any]:
        if task not in TASKS:
            raise CommandError(f"There is no baseline for “{task}”: take {', '.join(TASKS)}.")
        if top < 1:
            raise CommandError("--top is 1 or more.")
        asked = self._sentences(sentences)
        stored = thesaurus_at(thesaurus, say=self.stderr.write)
        finder = EntryFinder(stored.thesaurus, with_tagger=not no_tagger)
        said = _Said(finder, top)
        with written(out) as file:
            file.writelines(write_predictions(said.about(asked)))
            if not said.english:
                raise CommandError(f"{sentences} has no English sentences, and the baseline knows English only.")
        told = system_signature("baseline", finder, thesaurus=stored.hash, task=task, top=top)
        self.say(f"{counted(said.sentences, 'sentence')}, {counted(said.spans, 'span')} → {out}", **options)
        if foreign := said.sentences - said.english:
            self.say(f"{counted(foreign, 'sentence')} not in English: nothing is said there.", **options)
        self.say(told, **options)
        return {"file": str(out), "sentences": said.sentences, "spans": said.spans, "signature": told}

    def _sentences(self, name: str) -> Iterable[Sentence]:
        return sentences_of_file(Path(name)) if names_a_file(name) else sentences_of_project(project_named(name))


@dataclass
class _Said:
    """Counts what goes by."""

    finder: EntryFinder
    top: int
    sentences: int = 0
    english: int = 0
    spans: int = 0

    def about(self, asked: Iterable[Sentence]) -> Iterator[SystemSentence]:
        for sentence in asked:
            found = SystemSentence(sentence.id, sentence.tokens, ())
            if sentence.is_english:
                found = suggested(sentence.id, sentence.tokens, self.finder, top=self.top)
                self.english += 1
            self.sentences += 1
            self.spans += len(found.spans)
            yield found
