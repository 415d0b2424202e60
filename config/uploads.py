"""Pages take no files, but those that say so (`annotator/views/receiving.py`): what nobody expects must not fill the
disk."""

from typing import Any

from django.core.files.uploadhandler import FileUploadHandler, StopUpload


class NoFiles(FileUploadHandler):
    def new_file(self, *args: Any, **kwargs: Any) -> None:
        raise StopUpload(connection_reset=True)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        return None

    def file_complete(self, file_size: int) -> None:
        return None
