"""A prepared query gives the very row that the queryset gives, whoever asks."""

from uuid import uuid4

import pytest
from django.db import models

from annotator.api.assignments import OWN
from annotator.authentication import USER
from annotator.models import Assignment
from annotator.prepared import Prepared
from tests.factories import Cast


def values(row: models.Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_the_row_and_its_relations_are_those_of_the_queryset(cast: Cast, django_assert_num_queries) -> None:
    for name in ("ann", "ben", "ann"):
        expected = cast.assignment(name, 2)
        with django_assert_num_queries(1):
            found = OWN.first(cast.person(name).pk, expected.uuid)
            assert found is not None
            loaded = [found, found.membership, found.passage, found.passage.project]

        wanted = [expected, expected.membership, expected.passage, expected.passage.project]
        assert [values(row) for row in loaded] == [values(row) for row in wanted]
        assert [type(row) for row in loaded] == [type(row) for row in wanted]


def test_what_is_not_ones_own_is_not_found(cast: Cast) -> None:
    foreign = cast.assignment("ben")

    assert OWN.first(cast.ann.pk, foreign.uuid) is None
    assert OWN.first(cast.lead.pk, foreign.uuid) is None
    assert OWN.first(cast.ann.pk, uuid4()) is None


def test_the_person_is_read_anew_every_time(cast: Cast) -> None:
    assert USER.first(cast.ann.pk) == cast.ann
    assert USER.first(-1) is None


def test_a_sample_that_stands_twice_in_the_query_is_refused(cast: Cast) -> None:
    ambiguous = Prepared(lambda number: Assignment.objects.filter(number=number, round=number), 77)

    with pytest.raises(AssertionError):
        ambiguous.first(1)
