"""`make audit`: known holes in what we ship, where an index of advisories can be reached.

python -m tests.audit [options of pip-audit]
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
# What pip-audit ends with where the index is away or answers nonsense; whatever else stops it is a failure.
UNREACHABLE = ("requests.exceptions.", "ServiceError", "vulnerability feed", "not redirecting")


def main(options: list[str]) -> int:
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(LOCK), "--disable-pip", "--require-hashes"]
    quietly = ["--progress-spinner", "off", "--format", "json", "--timeout", "10"]
    done = subprocess.run([*command, *quietly, *options], capture_output=True, text=True, check=False)
    try:
        listed = json.loads(done.stdout)["dependencies"]
    except ValueError:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        if any(word in done.stderr for word in UNREACHABLE):
            print(f"audit skipped: no index of advisories could be reached ({reason[:120]} …)")
            return 0
        print(f"audit failed: {reason}")
        return 1
    unknown = [item["name"] for item in listed if "skip_reason" in item]
    looked_at = len(listed) - len(unknown)
    if not looked_at:
        print("audit skipped: the index of advisories knows none of the packages")
        return 0
    found = [(item, hole) for item in listed for hole in item.get("vulns", [])]
    for item, hole in found:
        fixed = ", ".join(hole.get("fix_versions", [])) or "no version yet"
        print(f"{item['name']} {item['version']}: {hole['id']}, fixed in {fixed}")
    if unknown:
        print(f"not known to the index: {', '.join(unknown)}")
    print(f"{looked_at} packages looked up, {len(found)} advisories.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
