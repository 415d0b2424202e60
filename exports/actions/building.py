"""Building a release: everything is listed at one moment, looked at by the doctor, split, written into files, and put
into one zip. Done again, it gives the same bytes."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from adjudication.domain.signature import METHOD_VERSION
from adjudication.models import Merge
from annotator.domain.canonical import canonical_text, sha256_of
from annotator.domain.errors import Conflict
from annotator.domain.formats.assay_jsonl import write_assay_jsonl
from annotator.domain.formats.reading import counted
from annotator.domain.formats.sws_json import write_sws_json
from exports.domain.bundle import FileFacts, facts_of, sums_of
from exports.domain.card import CardFacts, write_card
from exports.domain.croissant import write_croissant
from exports.domain.releases import ReleaseSettings
from exports.domain.rows import VOTES_HEAD, GoldRow, SplitCounts, flat_line, sws_sentence, vote_rows
from exports.domain.splits import Drawn, Item, draw_splits
from exports.domain.tagging import parts_of_speech
from exports.models import Card, Release
from exports.queries.answers import released_answers
from exports.queries.gold import GoldInput, GoldRows, gold_measures
from exports.queries.listing import (
    agreement_now,
    decisions_told,
    gold_input,
    left_out_of,
    listed_answers,
    moment_now,
    screened_now,
    steps_at,
    steps_of,
    unsettled_of,
    warnings_of,
)

VERSION = "0.1.0"
LOOKS = 10  # at rules and card; who changes them ten times meanwhile has chains that are broken, which the doctor tells
Watch = Callable[[int, int], None]


def _listed(release: Release, merge: Merge, passages: Iterable[int]) -> tuple[dict[str, Any], bytes]:
    """Written down first: what comes after it is not in the release. What the seal is over is what is listed: rules,
    guidelines and card are read again where they have changed between the look at them and that at the log."""
    project = release.project
    for _ in range(LOOKS):
        project.refresh_from_db()
        card = Card.objects.filter(project=project).first()
        moment = moment_now(project)
        versions = [moment.versions.get((row.subject_name(), row.pk), 0) for row in (project, card) if row]
        if versions == [row.version for row in (project, card) if row]:
            break
    steps, outside = steps_at(project, moment, passages)
    listed = {
        "event": moment.event,
        "gaps": moment.gaps,
        "seal": moment.seal,
        "stated": dict(card.values) if card else {},
        "screening": screened_now(project),
        "agreement": agreement_now(project),
        "guidelines_version": project.guidelines_version,
        "has_policy": bool(project.look_up_policy),
        "merge": merge.input_hash,
        "steps_outside": outside,
    }
    return listed, steps


class _Build:
    """One build of one draft, in a folder of its own."""

    def __init__(self, release: Release, merge: Merge, folder: Path, watch: Watch) -> None:
        self.release, self.merge, self.folder, self.watch = release, merge, folder, watch
        self.project = release.project
        self.asked = ReleaseSettings.from_dict(release.settings)
        self.files: list[FileFacts] = []
        self.counts: dict[str, SplitCounts] = {name: SplitCounts() for name, _ in self.asked.sizes}

    def run(self) -> dict[str, Any]:
        """What the draft's row says from now on; its zip lies in the folder."""
        self.answers = listed_answers(self.merge)
        listed, steps_listed = _listed(self.release, self.merge, self.answers.passages.tolist())
        steps = steps_of(steps_listed)
        given = gold_input(self.merge, steps)
        if not given.passages:
            raise Conflict("There is no gold to release: no passage was merged.", code="no_gold")
        self.rows = GoldRows(given)
        drawn, names = self._draw(given)
        for number, (split, _) in enumerate(self.asked.sizes):
            self._write_split(split, [pk for pk, name in names.items() if drawn.places[name] == split], number)
        self.rows.check_whole()
        self._write_answers(steps, drawn.places)
        unsettled = unsettled_of(given)
        told = self._told(given, drawn)
        self._write("README.md", [write_card(self._facts(given, drawn, listed, unsettled))], "the card")
        self._write("croissant.json", [self._croissant(listed)], "what the files hold, for machines")
        input_hash = sha256_of(
            {
                "merge": self.merge.input_hash,
                "files": [item.as_dict() for item in self.files],
                "settings": self.release.settings,
                "date": f"{self.release.date}",
            }
        )
        self._write("manifest.json", [self._manifest(given, listed, told, input_hash)], "settings, counts, checksums")
        self._write("SHA256SUMS", [sums_of(self.files)], counted(len(self.files), "file"))
        told["files"] = [item.as_dict() for item in sorted(self.files, key=lambda item: item.name)]
        return {
            "listed": listed,
            "steps": steps_listed,
            "warnings": warnings_of(
                given, list(self.counts.values()), unsettled, is_measured=listed["agreement"] is not None
            ),
            "counts": told,
            "input_hash": input_hash,
        }

    def _draw(self, given: GoldInput) -> tuple[Drawn, dict[int, str]]:
        """Rows are only read to be written: all at once would not fit the memory."""
        placed = dict(self.project.passages.exclude(split="").values_list("external_id", "split"))
        items, names = [], {}
        for number, found in enumerate(gold_measures(given)):
            items.append(Item(found.id, found.group, found.words, found.votes, placed.get(found.id, "")))
            names[found.pk] = found.id
            if number % 500 == 0:
                self.watch(number, 3 * len(given.passages))
        return draw_splits(items, self.asked.sizes, seed=self.asked.seed), names

    def _write_split(self, split: str, passages: Sequence[int], number: int) -> None:
        """Its rows go into three files at once."""
        counts = self.counts[split]
        with (
            (self.folder / f"{split}.jsonl").open("w", encoding="utf-8", newline="") as flat,
            (self.folder / "votes.csv").open("a", encoding="utf-8", newline="") as table,
            (self.folder / f"{split}.json").open("w", encoding="utf-8", newline="") as sws,
        ):
            votes = csv.writer(table, lineterminator="\n")
            if not number:
                votes.writerow(VOTES_HEAD)

            def rows() -> Iterator[GoldRow]:
                for place, row in enumerate(self.rows.of(passages)):
                    counts.count(row, parts_of_speech(row) if self.asked.with_pos else ())
                    flat.write(flat_line(row, split) + "\n")
                    votes.writerows(vote_rows(row, split))
                    if place % 500 == 0:
                        self.watch(len(passages) + place, 3 * len(passages))
                    yield row

            sws.writelines(write_sws_json(sws_sentence(row) for row in rows()))
        for name in (f"{split}.json", f"{split}.jsonl"):
            self.files.append(facts_of(self.folder / name, counted(counts.sentences, "passage")))

    def _write_answers(self, steps: Any, placed: Mapping[str, str]) -> None:
        self.files.append(
            facts_of(
                self.folder / "votes.csv",
                counted(sum(found.suggestions for found in self.counts.values()), "suggestion"),
            )
        )
        lines = write_assay_jsonl(released_answers(self.merge, self.answers, steps, placed))
        self._write("answers.jsonl", lines, counted(len(self.answers.submission), "answer"))

    def _write(self, name: str, texts: Any, holds: str) -> None:
        path = self.folder / name
        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(texts)
        self.files.append(facts_of(path, holds))

    def _told(self, given: GoldInput, drawn: Drawn) -> dict[str, Any]:
        shares = [
            {
                **{name: getattr(share, name) for name in ("name", "asked", "got", "groups", "new")},
                "words": None if share.words is None else float(share.words),
                "votes": None if share.votes is None else float(share.votes),
            }
            for share in drawn.shares
        ]
        return {
            "splits": {name: found.as_dict() for name, found in self.counts.items()},
            "shares": shares,
            "strata": [asdict(stratum) | {"by_split": dict(stratum.by_split)} for stratum in drawn.strata],
            "left_out": left_out_of(given),
            "decisions": sum(map(len, given.decided.values())),
        }

    def _facts(self, given: GoldInput, drawn: Drawn, listed: Mapping[str, Any], unsettled: int) -> CardFacts:
        kinds, causes = decisions_told(given)
        project, merge = self.project, self.merge
        told = self._told(given, drawn)
        languages = project.passages.filter(pk__in=given.passages).exclude(lang="").values_list("lang", flat=True)
        return CardFacts(
            title=self.release.title,
            notes=self.release.notes,
            date=f"{self.release.date}",
            languages=sorted({project.language, *languages}),
            preset=project.protocol.preset,
            passages=len(given.passages) + sum(told["left_out"].values()),
            left_out=told["left_out"],
            screening=listed["screening"],
            annotators=len(self.answers.names),
            answers=(merge.least_of, merge.most_of),
            keep_at=merge.settings["keep_at"],
            types={item.key: item.label for item in project.protocol.types},
            counts=told["splits"],
            shares=told["shares"],
            seed=self.asked.seed,
            agreement=listed["agreement"],
            decisions=kinds,
            causes=causes,
            unsettled=unsettled,
            guidelines=project.guidelines,
            guidelines_version=project.guidelines_version,
            look_up_policy=project.look_up_policy,
            stated=listed["stated"],
            signature=merge.signature,
            version=VERSION,
        )

    def _croissant(self, listed: Mapping[str, Any]) -> str:
        return write_croissant(
            name=self.release.folder,
            description=listed["stated"].get("description", self.release.title),
            date=f"{self.release.date}",
            version=f"{self.release.number}.0.0",
            stated=listed["stated"],
            files=sorted(self.files, key=lambda item: item.name),
        )

    def _manifest(self, given: GoldInput, listed: Mapping[str, Any], told: Mapping[str, Any], input_hash: str) -> str:
        release, project = self.release, self.project
        manifest = {
            "format": "assay-release",
            "version": 1,
            "project": project.slug,
            "name": release.title,
            "number": release.number,
            "notes": release.notes,
            "date": f"{release.date}",
            "input": input_hash,
            "settings": release.settings,
            "protocol": json.loads(canonical_text(project.protocol.as_dict())),
            "merge": {
                "input": self.merge.input_hash,
                "signature": self.merge.signature,
                "answers": self.merge.answers,
            },
            "decisions": told["decisions"],
            "log": listed["seal"],
            "guidelines": {"version": project.guidelines_version, "sha256": sha256_of(project.guidelines)},
            "screening": listed["screening"],
            "agreement": listed["agreement"],
            "splits": told["splits"],
            "shares": told["shares"],
            "left_out": told["left_out"],
            "added": [name for found in self.counts.values() for name in found.added],
            "off_tokens": [name for found in self.counts.values() for name in found.off_tokens],
            "versions": {"assay": VERSION, "method": METHOD_VERSION},
            "files": [item.as_dict() for item in sorted(self.files, key=lambda item: item.name)],
        }
        return json.dumps(manifest, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
