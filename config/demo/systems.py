"""Two systems for the demo's leaderboard: the rule-based one of the paper, with its tagger and without, over a small
thesaurus of our own."""

import subprocess
import sys
import tempfile
from pathlib import Path

from django.conf import settings

from annotator import uploads
from annotator.models import User
from exports.actions.runs import measure_system
from exports.domain.runs import System
from exports.models import Release, SystemRun
from exports.queries.releases import text_of

THESAURUS = Path(__file__).parent / "thesaurus.tsv"
WHAT = "Synonyms from a small thesaurus for every entry that stands in the sentence (Wang et al. 2023, 5.1)"
SYSTEMS = {
    System("thesaurus rules", "tagged", f"{WHAT}, of the part of speech it has there."): [],
    System("thesaurus, any sense", "untagged", f"{WHAT}, whatever its part of speech."): ["--no-tagger"],
}


def bring_systems(release: Release, by: User) -> None:
    """On the last split. Begun again after a crash, it brings what is missing."""
    split = release.splits[-1]
    for system, words in SYSTEMS.items():
        if SystemRun.objects.on(release, split).scored().filter(system=system.name).exists():
            continue
        with tempfile.TemporaryDirectory() as folder:
            kept = _predicted(release, split, words, Path(folder))
        measure_system(release, by=by, split=split, system=system, file=kept)


def _predicted(release: Release, split: str, words: list[str], folder: Path) -> uploads.KeptFile:
    """In a process of its own, which needs no database: the tagger's memory goes with it."""
    sentences, out = folder / "sentences.json", folder / "predictions.json"
    sentences.write_text(text_of(release, f"{split}.json"), encoding="utf-8")
    given = ["sws", str(sentences), "--thesaurus", str(THESAURUS), "--out", str(out), *words]
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "baseline", *given]
    subprocess.run(command, check=True, capture_output=True, cwd=settings.BASE_DIR)
    with out.open("rb") as source:
        return uploads.keep(source)
