"""Who is in a project, and in which roles. Inner steps begin with `_` and trust their caller: no door calls them."""

from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotator.actions.assigning import _assign_everyone, set_most_passages
from annotator.actions.log import locked, write
from annotator.domain.errors import Conflict, Invalid, Problem
from annotator.domain.people import ROLES, pseudonym
from annotator.domain.qualification import Qualification
from annotator.models import Membership, Project, User
from annotator.permissions import check_can_lead


def _flags(roles: Collection[str]) -> dict[str, bool]:
    if not roles or set(roles) - set(ROLES):
        raise Invalid([Problem("roles", f"Choose at least one role of {', '.join(ROLES)}.", "roles")])
    return {f"is_{role}": role in roles for role in ROLES}


def _remembered(roles: Collection[str]) -> dict[str, bool]:
    """Set with the roles, never unset: who gives one up has still seen others' work, or could have asked for it word by
    word by what a system's predictions score."""
    return {"has_seen_all": True} if set(roles) - {"annotator"} else {}


@transaction.atomic
def add_member(project: Project, *, user: User, by: User | None, roles: Collection[str]) -> Membership:
    check_can_lead(by, project)
    return _add_member(project, user=user, by=by, roles=roles)


def _add_member(
    project: Project, *, user: User, by: User | None, roles: Collection[str], reserved: Collection[str] = ()
) -> Membership:
    """A new membership, or the old one again for somebody who was removed: their work is where they left it."""
    project = locked(project)
    flags = _flags(roles)
    membership = project.memberships.filter(user=user).first()
    if membership is None:
        is_tested = "annotator" in roles and project.passages.keyed_tests().exists()
        membership = Membership.objects.create(
            qualification=Qualification.PENDING if is_tested else Qualification.NONE,
            project=project,
            user=user,
            pseudonym=_free_pseudonym(project, reserved),
            **flags,
            **_remembered(roles),
        )
        write(membership, "member.joined", by=by, payload={"roles": sorted(roles)})
    elif membership.removed_at is None:
        raise Conflict(f"{user.name} is in this project already.", code="member_already")
    else:
        changes = {"removed_at": None, **flags, **_remembered(roles)}
        write(membership, "member.rejoined", by=by, payload={"roles": sorted(roles)}, changes=changes)
    if project.is_open:
        _assign_everyone(project, by=by)
    return membership


def _free_pseudonym(project: Project, reserved: Collection[str]) -> str:
    """Imported voices keep their file's names, which may look like ours."""
    # Counts every membership there ever was: none is deleted, so no pseudonym comes twice.
    ordinal = project.memberships.filter(user__isnull=False).count()
    taken = set(Membership.all_rows.filter(project=project).values_list("pseudonym", flat=True))  # on their way too
    while (name := pseudonym(project.seed, ordinal)) in taken | set(reserved):
        ordinal += 1
    return name


@transaction.atomic
def change_roles(membership: Membership, *, by: User | None, roles: Collection[str]) -> None:
    check_can_lead(by, membership.project)
    flags = _flags(roles)
    project = locked(membership.project)
    membership = project.memberships.get(pk=membership.pk)
    if membership.is_voice:
        raise Conflict("A voice has no account and only annotates.", code="voice")
    if membership.removed_at:
        raise Conflict("This person has been removed.", code="removed_already")
    if "lead" not in roles:
        _check_another_lead(membership)
        _revoke_invitations_of(membership)
    becomes_annotator = "annotator" in roles and not membership.is_annotator and not membership.assignments.exists()
    changes: dict[str, bool | str] = {**flags, **_remembered(roles)}
    if becomes_annotator and project.passages.keyed_tests().exists():
        changes["qualification"] = Qualification.PENDING
    payload = {"before": sorted(membership.roles), "after": sorted(roles)}
    write(membership, "member.roles_changed", by=by, payload=payload, changes=changes)
    if project.is_open:
        _assign_everyone(project, by=by)


@transaction.atomic
def remove_member(membership: Membership, *, by: User | None) -> None:
    """Ends access at once. What the person submitted stays and counts; drafts are kept."""
    check_can_lead(by, membership.project)
    membership = locked(membership.project).memberships.get(pk=membership.pk)
    if membership.removed_at:
        raise Conflict("This person has been removed already.", code="removed_already")
    if membership.is_voice:
        raise Conflict("A voice has no access to remove.", code="voice")
    _check_another_lead(membership)
    _revoke_invitations_of(membership)
    write(membership, "member.removed", by=by, changes={"removed_at": timezone.now()})


@transaction.atomic
def bring_back(membership: Membership, *, by: User | None) -> None:
    """Somebody who was removed is in again, as they were: roles, pseudonym and work are where they left them."""
    check_can_lead(by, membership.project)
    project = locked(membership.project)
    membership = project.memberships.select_related("user").get(pk=membership.pk)
    if membership.removed_at is None or membership.user is None:
        raise Conflict("This person is in the project.", code="member_already")
    if not membership.user.is_active:
        raise Conflict("The account of this person is closed.", code="disabled")
    project.invitations.unanswered().filter(email=membership.user.email).update(revoked_at=timezone.now())
    write(membership, "member.brought_back", by=by, changes={"removed_at": None})
    if project.is_open:
        _assign_everyone(project, by=by)


@transaction.atomic
def pause_member(membership: Membership, *, by: User | None) -> None:
    """Nothing more is taken from them until they are let go on; their text waits in their browser."""
    check_can_lead(by, membership.project)
    membership = _working(membership)
    if membership.paused_at:
        raise Conflict("This person is paused already.", code="paused_already")
    write(membership, "member.paused", by=by, changes={"paused_at": timezone.now()})


@transaction.atomic
def resume_member(membership: Membership, *, by: User | None) -> None:
    check_can_lead(by, membership.project)
    membership = _working(membership)
    if not membership.paused_at:
        raise Conflict("This person is not paused.", code="not_paused")
    write(membership, "member.resumed", by=by, changes={"paused_at": None})
    if membership.project.is_open:
        _assign_everyone(membership.project, by=by)


@transaction.atomic
def change_member(membership: Membership, *, by: User | None, wanted: Mapping[str, Any]) -> None:
    """All of `wanted` (roles, is_paused, is_removed, most_passages) or nothing; what is so already stays. Each thing
    that changes is an act of its own, with its event."""
    check_can_lead(by, membership.project)
    project = locked(membership.project)
    now = project.memberships.get(pk=membership.pk)
    was_removed, was_paused = bool(now.removed_at), bool(now.paused_at)
    is_removed = wanted.get("is_removed", was_removed)
    if was_removed and not is_removed:
        bring_back(now, by=by)
    if "roles" in wanted and set(wanted["roles"]) != set(now.roles):
        change_roles(now, by=by, roles=wanted["roles"])
    if "most_passages" in wanted:
        set_most_passages(project, by=by, most={now.uuid: wanted["most_passages"]})
    if wanted.get("is_paused", was_paused) != was_paused:
        (resume_member if was_paused else pause_member)(now, by=by)
    if is_removed and not was_removed:
        remove_member(now, by=by)


def _working(membership: Membership) -> Membership:
    found = locked(membership.project).memberships.annotating().select_related("project").filter(pk=membership.pk)
    if (row := found.first()) is None:
        raise Conflict("Only an annotator of the project can be paused.", code="no_annotator")
    return row


def _check_another_lead(membership: Membership) -> None:
    """The project is locked by then: two leads cannot remove each other at the same moment."""
    others = membership.project.memberships.leading().exclude(pk=membership.pk)
    if membership.is_lead and not others.exists():
        raise Conflict("A project keeps at least one lead. Make somebody else lead first.", code="last_lead")


def _revoke_invitations_of(membership: Membership) -> None:
    """Who does not lead any more must not come back in by a friend's invitation."""
    pending = membership.project.invitations.pending()
    pending.filter(invited_by=membership.user).update(revoked_at=timezone.now())
