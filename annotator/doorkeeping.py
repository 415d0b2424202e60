"""Who is asking: the two reads that every request of a signed-in person begins with, prepared."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessions
from django.contrib.sessions.models import Session
from django.utils import timezone

from annotator.models import User
from annotator.prepared import Prepared

USER = Prepared(lambda pk: User.objects.filter(pk=pk), -1)
SESSION = Prepared(lambda key: Session.objects.filter(session_key=key), "sample")


class Backend(ModelBackend):
    def get_user(self, user_id: Any) -> User | None:
        user = USER.first(user_id)
        return user if user and self.user_can_authenticate(user) else None


class SessionStore(DatabaseSessions):
    """Django's sessions in the database; named in settings by the module, as Django wants it."""

    def _get_session_from_db(self) -> Session | None:
        found = SESSION.first(self.session_key)
        if found is None or found.expire_date <= timezone.now():
            self._session_key = None
            return None
        return found
