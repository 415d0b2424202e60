"""Shapes of a project's people, and of who is invited."""

from typing import Any

from rest_framework import serializers

from annotator.domain.lengths import MAX_SEARCH_LENGTH
from annotator.domain.people import ROLES, MemberState
from annotator.domain.planning import MOST_PASSAGES
from annotator.serializers.base import Body, Query, QueryInteger, QueryText, StrictBoolean, StrictInteger, StrictString
from annotator.serializers.problems import InputProblemSerializer

SOME_ROLES = f"At least one of {', '.join(ROLES)}."


class MemberSerializer(serializers.Serializer[Any]):
    """A person in a project; a voice (imported answers) has no account."""

    uuid = serializers.UUIDField(source="membership.uuid")
    pseudonym = serializers.CharField(source="membership.pseudonym")
    name = serializers.CharField(source="label", help_text="Of a voice its pseudonym.")
    email = serializers.CharField(allow_blank=True)
    is_voice = serializers.BooleanField(source="membership.is_voice")
    roles = serializers.ListField(source="membership.roles", child=serializers.ChoiceField(ROLES))
    state = serializers.ChoiceField(list(MemberState), source="membership.state")
    given = serializers.IntegerField(help_text="What looks like work to them.")
    done = serializers.IntegerField(help_text="Of that, submitted or discarded.")
    last_at = serializers.DateTimeField(allow_null=True, help_text="When they last handed in, set aside or began.")
    most_passages = serializers.IntegerField(
        source="membership.most_passages", allow_null=True, help_text="Work passages at most; null is no limit."
    )
    joined_at = serializers.DateTimeField(source="membership.joined_at")


class MembersSerializer(serializers.Serializer[Any]):
    """One page of a list."""

    results = MemberSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The address of the next page, null on the last.")


class MembersQuery(Query):
    state = serializers.ChoiceField(list(MemberState), required=False, help_text="All who are in where none is named.")
    role = serializers.ChoiceField(ROLES, required=False)
    q = QueryText(
        rf"\A[^\x00-\x1f\x7f]{{1,{MAX_SEARCH_LENGTH}}}\Z",
        required=False,
        help_text="Part of a name, an e-mail or a pseudonym.",
    )
    limit = QueryInteger(default=50, min_value=1, max_value=10**9, help_text="100 are the most that is given at once.")
    after = serializers.UUIDField(required=False, help_text="As next has it.")


class ChangedMemberSerializer(Body):
    """All that is named, or nothing; what is so already, and what is not named, stays."""

    roles = serializers.ListField(child=StrictString(), required=False, max_length=len(ROLES), help_text=SOME_ROLES)
    is_paused = StrictBoolean(required=False, help_text="While it is true nothing is taken from them.")
    is_removed = StrictBoolean(
        required=False, help_text="true ends access at once, what was submitted counts on; false brings back."
    )
    most_passages = StrictInteger(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=MOST_PASSAGES,
        help_text="Work passages to be given at most; null is no limit.",
    )


class InviteSerializer(Body):
    """All of these addresses or, where one will not do, none."""

    emails = serializers.ListField(child=StrictString())
    roles = serializers.ListField(child=StrictString(), max_length=len(ROLES), help_text=SOME_ROLES)
    by_email = StrictBoolean(default=False, help_text="Assay sends the links; else they are in the answer, once.")
    leaves_out = StrictBoolean(default=False, help_text="Invites the others where some addresses will not do.")


class RenewSerializer(Body):
    """A new link; the old one is over."""

    by_email = StrictBoolean(default=False, help_text="Assay sends it; else it is in the answer, once.")


class RevokeSerializer(Body):
    """To take an invitation back; it stays so."""

    is_revoked = StrictBoolean(help_text="Where it is true the link opens nothing any more.")


class InvitationSerializer(serializers.Serializer[Any]):
    """Who may come in, and until when."""

    uuid = serializers.UUIDField()
    email = serializers.CharField()
    roles = serializers.ListField(child=serializers.ChoiceField(ROLES))
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    has_run_out = serializers.BooleanField(help_text="It can be renewed.")
    goes_by_email = serializers.BooleanField()
    emailed_at = serializers.DateTimeField(allow_null=True)
    mail_refusal = serializers.IntegerField(
        allow_null=True, help_text="The code of a mail server that did not take it."
    )


class InvitedSerializer(InvitationSerializer):
    """An invitation with its link."""

    link = serializers.CharField(
        allow_null=True, help_text="Shown in the one answer in which it was made; null where it goes by e-mail."
    )


class InvitedManySerializer(serializers.Serializer[Any]):
    """Who was invited, who was left out and why."""

    results = InvitedSerializer(many=True)
    left_out = InputProblemSerializer(many=True)
    job = serializers.UUIDField(source="job.uuid", allow_null=True, help_text="That sends them by e-mail.")


class InvitationsSerializer(serializers.Serializer[Any]):
    """One page of a list."""

    results = InvitationSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The address of the next page, null on the last.")


class InvitationsQuery(Query):
    limit = QueryInteger(default=50, min_value=1, max_value=10**9, help_text="100 are the most that is given at once.")
    after = QueryInteger(required=False, min_value=0, help_text="As next has it.")
