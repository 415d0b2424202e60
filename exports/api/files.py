"""Files on their way out: kept by whoever asks, never shown."""

import io
from collections.abc import Iterator
from typing import IO

from django.http import FileResponse, StreamingHttpResponse
from django.utils.http import content_disposition_header

from annotator.api.door import FileParser
from annotator.uploads import PIECE

ANY_FILE = FileParser.media_type  # no browser makes anything of it


def whole_file(source: IO[bytes], name: str) -> FileResponse:
    return FileResponse(source, as_attachment=True, filename=name, content_type=ANY_FILE)


def piece_by_piece(source: IO[bytes], size: int, name: str) -> StreamingHttpResponse:
    """Of what cannot be looked through for its size."""
    shown = content_disposition_header(True, name) or "attachment"
    headers = {"Content-Length": str(size), "Content-Disposition": shown}
    return StreamingHttpResponse(_pieces(source), content_type=ANY_FILE, headers=headers)


def _pieces(source: IO[bytes]) -> Iterator[bytes]:
    with source:
        while piece := source.read(PIECE):
            yield piece


def whole_text(text: str, name: str) -> FileResponse:
    return whole_file(io.BytesIO(text.encode()), name)
