"""How far the set-up of a project is: each step, in a few words."""

from django.db.models import Count, Exists, OuterRef, Q

from annotator.domain.formats.reading import counted
from annotator.domain.passages import PassageKind
from annotator.domain.protocols import Protocol
from annotator.domain.qualification import Qualification
from annotator.domain.screening import Screening
from annotator.domain.setting_up import Checklist, Step, StepState, checklist
from annotator.domain.states import ProjectState
from annotator.models import Assignment, Passage, Project
from annotator.models.people import MembershipQuerySet
from annotator.models.projects import PassageQuerySet
from annotator.presets import guidelines_for
from annotator.queries.projects import was_opened
from annotator.queries.screening import unseen_count


def setup_of(project: Project, *, unseen: int | None = None) -> Checklist:
    """`unseen`, where it is known: passages that were accepted without being looked at."""
    counts = _counts_of(project)
    steps = [
        _rules(project.protocol),
        _passages(project, counts),
        _screening(project, counts, unseen),
        _guidelines(project),
        _people(project),
        _test(project, counts),
    ]
    return checklist(steps, is_draft=project.state == ProjectState.DRAFT or not was_opened(project))


def _counts_of(project: Project) -> dict[str, int]:
    """Of all passages in one statement: there may be 20,000 of them."""
    is_work, is_test = Q(kind=PassageKind.WORK), Q(kind=PassageKind.TEST)
    is_used = ~Q(screening=Screening.REFUSED)
    return project.passages.filter(archived_at=None).aggregate(
        work=Count("pk", filter=is_work & is_used),
        looked_at=Count("pk", filter=is_work & ~Q(screening=Screening.NONE)),
        refused=Count("pk", filter=is_work & Q(screening=Screening.REFUSED)),
        tests=Count("pk", filter=is_test & is_used),
        keyed=Count("pk", filter=is_test & is_used & Q(key_answer__isnull=False)),
    )


def _rules(protocol: Protocol) -> Step:
    types = counted(len(protocol.open_types), "type")
    return Step("rules", StepState.DONE, f"{protocol.preset}, {types}")


def _passages(project: Project, counts: dict[str, int]) -> Step:
    if counts["work"]:
        return Step("passages", StepState.DONE, f"{counts['work']:,} taken in")
    lacks = "There are no passages to annotate yet."
    if project.arrivals.unfinished().exists():
        return Step("passages", StepState.PART, "a file is being taken in", lacks, is_needed=True)
    return Step("passages", StepState.TODO, "none taken in yet", lacks, is_needed=True)


def _screening(project: Project, counts: dict[str, int], unseen: int | None) -> Step:
    of, seen = counts["work"] + counts["refused"], counts["looked_at"]
    refused = f", {counts['refused']:,} refused" if counts["refused"] else ""
    if of and seen == of:
        unseen = unseen_count(project) if unseen is None else unseen
        note = f"{unseen:,} accepted unseen" if unseen else "all looked at"
        return Step("screening", StepState.DONE, f"{note}{refused}")
    if "screening" in project.skipped_steps:
        return Step("screening", StepState.SKIPPED, "skipped: “not screened”")
    if seen:
        lacks = f"{of - seen:,} of {of:,} passages have not been screened."
        return Step("screening", StepState.PART, f"{seen:,} of {of:,}{refused}", lacks)
    return Step("screening", StepState.TODO, "may be skipped", "The passages have not been screened.")


def _guidelines(project: Project) -> Step:
    version = f"version {project.guidelines_version}"
    if not project.guidelines:
        return Step("guidelines", StepState.TODO, "nothing written yet", "There are no guidelines to work by.")
    if project.guidelines_version > 1 or "guidelines" in project.skipped_steps:
        return Step("guidelines", StepState.DONE, version)
    note = f"our text, {version}, unread" if has_our_guidelines(project) else f"{version}, unread"
    return Step("guidelines", StepState.PART, note, "Nobody has looked at the guidelines yet.")


def has_our_guidelines(project: Project) -> bool:
    """Word for word; those of a copied set-up may be somebody's own."""
    return bool(project.guidelines) and project.guidelines == guidelines_for(project.protocol.preset)


def annotators_wanted(protocol: Protocol) -> int:
    """As many as a passage is to have answers, or as a target is to be kept by."""
    return max(protocol.answers_per_passage, protocol.keep_at, protocol.min_answers)


def _people(project: Project) -> Step:
    joined = project.memberships.annotating().count()
    invited = project.invitations.pending().filter(is_annotator=True).count()
    wanted = annotators_wanted(project.protocol)
    note = (
        ", ".join([f"{invited} invited"] * bool(invited) + [f"{joined} joined"] * bool(joined)) or "nobody invited yet"
    )
    if joined + invited >= wanted:
        return Step("people", StepState.DONE, note)
    lacks = f"At least {wanted} annotators are needed for a gold set by these rules: {note}."
    return Step("people", StepState.PART if joined + invited else StepState.TODO, note, lacks)


def untested(project: Project) -> MembershipQuerySet:
    """Annotators who joined before there was a test, and have submitted nothing yet."""
    rows = project.memberships.annotating().filter(qualification=Qualification.NONE)
    return rows.filter(~Exists(Assignment.objects.filter(membership=OuterRef("pk"), submissions_made__gt=0)))


def _test(project: Project, counts: dict[str, int]) -> Step:
    tests, keyed, wanted = counts["tests"], counts["keyed"], project.protocol.test_passages
    if tests and keyed == tests and keyed >= wanted:
        early = untested(project).count()
        said = f"{counted(early, 'annotator')} joined before there was a test, and would not be tested."
        return Step("test", StepState.DONE, f"{counted(tests, 'passage')} with a key", said if early else "")
    if "test" in project.skipped_steps and not tests:
        return Step("test", StepState.SKIPPED, "skipped: nobody is tested")
    if not tests:
        return Step("test", StepState.TODO, "no test passages chosen", "There is no test, so nobody is tested.")
    if keyed < tests:
        lacks = f"{counted(tests - keyed, 'test passage')} without a key: nobody is given them."
        return Step("test", StepState.PART, f"{keyed} of {tests} with a key", lacks)
    lacks = f"A test takes {counted(wanted, 'passage')}, and only {tests} are chosen."
    return Step("test", StepState.PART, f"{tests} of {wanted} chosen", lacks)


def tests_of(project: Project) -> list[Passage]:
    """Those without a key first: they are what is left to do."""
    rows = project.passages.in_use().filter(kind=PassageKind.TEST)
    return sorted(rows.order_by("pk"), key=lambda row: row.key_answer is not None)


def candidates_for_tests(project: Project, search: str = "") -> PassageQuerySet:
    """Work passages that nobody has been given yet."""
    rows = project.passages.work().filter(~Exists(Assignment.all_rows.filter(passage=OuterRef("pk")))).order_by("pk")
    return rows.filter(Q(text__icontains=search) | Q(external_id__icontains=search)) if search else rows
