"""What versions before this one wrote: backups that are restored, and exports that are read."""

import hashlib
import json
from pathlib import Path

import pytest

from tests.house import House

pytestmark = pytest.mark.slow

OLD = Path(__file__).parent / "old"


@pytest.mark.process
def test_what_the_last_version_wrote_is_read_by_this_one() -> None:
    """A backup, with its protocol, merge and agreement report, and an export: made before there were arrivals."""
    house = House()
    try:
        assert "Restored 86 rows" in house.command("restore", str(OLD / "backup-of-part-4.zip")).stdout
        doctor = house.command("doctor")
        assert (doctor.returncode, "problems" in doctor.stdout) == (0, False), doctor.stdout
        merged = json.loads(house.command("merge", "essays", "--json").stdout)
        assert (merged["answers"], merged["made"]) == (19, True)  # one was handed in after the old merge
        told = json.loads(house.command("protocol", "essays", "--json").stdout)
        assert told["protocol"]["preset"] == "sws"
        old_export = OLD / "essays-of-part-4.jsonl"
        done = house.command("import_project", "copied", str(old_export), "--lead", "new@example.org")
        assert "6 passages imported" in done.stdout, done.stderr
        again = house.folder / "again.jsonl"
        house.command("export", "copied", "--format", "assay", "--out", str(again))
        # The head says the format's version and the rules, which have more switches by now.
        heads, rests = zip(*(path.read_bytes().split(b"\n", 1) for path in (again, old_export)), strict=True)
        assert rests[0] == rests[1]
        now, then = (json.loads(head)["project"] for head in heads)
        assert now == then | {"protocol": now["protocol"]}
        assert now["protocol"] | then["protocol"] == now["protocol"]
    finally:
        house.remove()


OPENED = """
from django.test import Client
from annotator.models import Membership, Passage, User

client = Client(headers={"host": "127.0.0.1"})
client.force_login(User.objects.get(email="lead@example.org"))
first = Passage.objects.get(external_id="essays-1").uuid
a, b = sorted(Membership.objects.annotating().values_list("pseudonym", flat=True))[:2]
for page in (
    "merge", "merge/passages", f"merge/passages/{first}", "adjudicate", f"adjudicate/{first}", "gold", f"gold/{first}",
    "agreement", f"agreement/{a}", f"agreement/{a}/{b}", "agreement.json", "agreement-pairs.csv",
    "releases", "releases/1", "releases/1/file",
):
    answer = client.get(f"/p/essays/{page}")
    print(answer.status_code, page)
    if page in ("merge", "agreement"):
        print("changed since" in answer.text)
"""


@pytest.mark.process
def test_merge_report_decisions_and_release_of_the_last_version_open_in_this_one() -> None:
    """A backup of six people's work: two of them voices from a file, merged, measured, decided about and released."""
    house = House()
    try:
        restored = house.command("restore", str(OLD / "backup-of-part-9.zip"))
        assert "Restored 142 rows" in restored.stdout, restored.stdout + restored.stderr
        doctor = house.command("doctor")
        assert (doctor.returncode, "problems" in doctor.stdout) == (0, False), doctor.stdout
        house.command("collectstatic", "--noinput")
        opened = house.command("shell", "--no-imports", "-c", OPENED)
        assert opened.returncode == 0, opened.stderr
        lines = opened.stdout.splitlines()
        assert {line.split()[0] for line in lines} == {"200", "False"}, opened.stdout
        assert len(lines) == 17
        # Nobody has said anything since, and while METHOD_VERSION stands the votes are counted as they were.
        assert json.loads(house.command("merge", "essays", "--json").stdout)["made"] is False
        measured = json.loads(house.command("agreement", "essays", "--json").stdout)
        assert (round(measured["pa_det"], 4), measured["units"]["count"]) == (0.6019, 2)
        frozen = [*(house.folder / "data").rglob("releases/*.zip")]
        assert [hashlib.sha256(path.read_bytes()).hexdigest()[:8] for path in frozen] == ["20bfff11"]
    finally:
        house.remove()
