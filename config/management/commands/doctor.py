"""A look over the whole house."""

from typing import Any

from annotator.domain.formats.reading import counted
from annotator.management.base import AssayCommand, Failed
from config.doctor import examine

SHOWN = 20  # problems of one check at the terminal


class Command(AssayCommand):
    help = "Check everything that is stored: spans, quotes, votes, event chains, guards, merges. Changes nothing."

    def run(self, **options: Any) -> dict[str, Any]:
        findings = examine(self.progress_bar(**options))
        for finding in findings:
            verdict = counted(len(finding.problems), "problem") if finding.problems else "ok"
            self.say(f"{finding.check:<14} {finding.looked_at:>9,} looked at   {verdict}", **options)
            for problem in finding.problems[:SHOWN]:
                self.say(f"  {problem}", **options)
            if len(finding.problems) > SHOWN:
                self.say(f"  … and {len(finding.problems) - SHOWN:,} more (--json has all)", **options)
        wrong = sum(len(finding.problems) for finding in findings)
        result = {
            "ok": not wrong,
            "checks": [
                {"check": finding.check, "looked_at": finding.looked_at, "problems": finding.problems}
                for finding in findings
            ],
        }
        if wrong:
            raise Failed(f"{counted(wrong, 'problem')}.", result=result)
        return result
