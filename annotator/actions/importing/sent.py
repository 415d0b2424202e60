"""Files that are sent first, and imported by a second word on how they are read: so a script does it."""

from typing import Any

from django.db import transaction

from annotator import uploads
from annotator.actions.importing.arrivals import begin_arrival
from annotator.actions.importing.keeping import _check_waits, _forget_waiting, _Waiting
from annotator.actions.log import write
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.errors import Conflict, NotAllowed
from annotator.domain.lengths import MAX_FILE_NAME_LENGTH
from annotator.models import Arrival, Membership, Project, Upload, User
from annotator.permissions import check_can_grow, check_can_import

MOST_UPLOADS = 10  # of one person in one project that wait to be imported


def keep_upload(project: Project, *, by: User, file: uploads.KeptFile, name: str) -> Upload:
    """For a day, or until its sender has it imported. The event is on whoever sent it: nothing of the project
    changes."""
    try:
        check_can_import(by, project)
        check_can_grow(project)
        with transaction.atomic():
            membership = Membership.objects.select_for_update(no_key=True).get(project=project, user=by)
            if Upload.objects.sent_by(by, project).waiting().count() >= MOST_UPLOADS:
                message = f"{MOST_UPLOADS} files that you sent wait to be imported: import one, or let a day pass."
                raise Conflict(message, code="too_many_uploads")
            name, sha256 = name[-MAX_FILE_NAME_LENGTH:], file.sha256
            upload = Upload.objects.create(
                uuid=file.uuid, size=file.size, project=project, by=by, name=name, sha256=sha256
            )
            write(membership, "file.sent", by=by, payload={"sha256": sha256})
            return upload
    except BaseException:
        file.discard()
        raise


def import_upload(upload: Upload, *, by: User, kind: ArrivalKind, options: dict[str, Any]) -> Arrival:
    """By whoever sent it, once. Refused, the file waits on; where the same file is on its way already, that goes on."""
    check_can_import(by, upload.project)
    if upload.by_id != by.pk:
        raise NotAllowed("A file is imported by whoever has sent it.")
    _check_waits(upload)
    file = _Waiting(upload, upload.sha256)
    arrival = begin_arrival(upload.project, by=by, kind=kind, file=file, name=upload.name, options=options)
    with transaction.atomic():
        _forget_waiting(upload)
    return arrival
