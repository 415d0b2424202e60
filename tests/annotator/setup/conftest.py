"""A draft and its lead."""

import pytest
from django.test import Client

from annotator.actions.projects import create_project
from annotator.models import Project, User
from tests.factories import make_user


@pytest.fixture
def lead(db: None) -> User:
    return make_user("nora", can_create_projects=True)


@pytest.fixture
def draft(lead: User) -> Project:
    return create_project(by=None, slug="novels", preset="sws", lead=lead, name="Novels")


@pytest.fixture
def at_desk(client: Client, lead: User, draft: Project) -> Client:
    """The lead's browser."""
    client.force_login(lead)
    return client
