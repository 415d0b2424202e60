"""Training examples from plain sentences, by distant supervision."""

from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.domain.formats.reading import Report, counted
from annotator.management.base import AssayCommand
from annotator.management.files import opened, say_warnings, written
from exports.domain.baseline import system_signature
from exports.domain.distant import Corpus, ExampleMaker
from exports.management.spreading import MOST_PROCESSES, in_order
from exports.management.thesauri import add_thesaurus_arguments, thesaurus_at


class Command(AssayCommand):
    help = "Make training examples from plain sentences: synonyms put in, the original words as suggestions (SWS_DS)."
    needs_migrated_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        add_thesaurus_arguments(parser)
        parser.add_argument("--corpus", required=True, type=Path, metavar="FILE", help="one sentence a line, UTF-8")
        parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="JSONL, whole or not at all")
        parser.add_argument("--rate", type=float, default=1.0, help="how likely each entry is substituted; 1 is all")
        parser.add_argument("--seed", type=int, default=1, help="another draws other synonyms")
        parser.add_argument("--processes", type=int, default=1, metavar="N", help="the result is the same for any")
        parser.add_argument("--keep-all", action="store_true", help="keep sentences in which nothing is substituted")

    def run(
        self, *, thesaurus: Path, corpus: Path, out: Path, rate: float, processes: int, **options: Any
    ) -> dict[str, Any]:
        if not 0 < rate <= 1:
            raise CommandError("--rate is more than 0 and at most 1.")
        if not 1 <= processes <= MOST_PROCESSES:
            raise CommandError(f"--processes is from 1 to {MOST_PROCESSES}.")
        stored = thesaurus_at(thesaurus, say=self.stderr.write)
        maker = ExampleMaker(
            stored.thesaurus, options["seed"], rate, not options["no_tagger"], keeps_all=options["keep_all"]
        )
        found = self._make(maker, corpus, out, processes, **options)
        told = system_signature("distant", maker.finder, thesaurus=stored.hash, seed=maker.seed, rate=rate)
        self.say(told, **options)
        return {"file": str(out), **found, "signature": told}

    def _make(self, maker: ExampleMaker, path: Path, out: Path, processes: int, **options: Any) -> dict[str, Any]:
        examples = targets = 0
        report, show = Report(), self.progress_bar(**options)
        with opened(path) as source, written(out) as file:
            corpus = Corpus(source, report)
            size = path.stat().st_size if source.seekable() else 0
            with closing(in_order(maker.made, corpus.chunks(), processes=processes)) as results:
                for made in results:
                    file.write(made.lines)
                    examples, targets = examples + made.examples, targets + made.targets
                    if size:  # all of it may have been read while the last of it is still worked on
                        show(min(source.tell(), size - 1), size)
            show(1, 1)
            if not corpus.sentences:
                bad = f": {counted(corpus.bad_lines, 'line')} cannot be read" if corpus.bad_lines else ""
                raise CommandError(f"{path} has no sentences{bad}.")
        say_warnings(path, report.as_dict(), say=self.stderr.write, report_to=None)
        said = f"{counted(corpus.sentences, 'sentence')}, {counted(examples, 'example')}, {counted(targets, 'target')}"
        self.say(f"{said} → {out}", **options)
        if corpus.bad_lines:
            self.say(f"Left out: {counted(corpus.bad_lines, 'line')} that cannot be read.", **options)
        return {
            "sentences": corpus.sentences,
            "examples": examples,
            "left_out": corpus.sentences - examples,
            "targets": targets,
            "bad_lines": corpus.bad_lines,
        }
