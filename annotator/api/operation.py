"""What one address takes and gives, said once beside its view: the strict parser reads the limit of its body, the
document of the API all of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rest_framework import serializers

from annotator.api.once import carried_out_once
from annotator.domain.api_tokens import Scope

Shape = type[serializers.Serializer[Any]]
# A text of 2,000 code points, each twelve bytes where a client escapes them all, and the rest of the body.
SMALL_BODY = 32_000


@dataclass(frozen=True)
class Operation:
    summary: str
    gives: Shape | None = None  # where it gives no file
    takes: Shape | None = None
    takes_file: bool = False  # as it is, in place of a JSON object
    gives_file: str = ""  # the media type of a file, which comes as an attachment in place of a JSON object
    query: Shape | None = None
    status: int = 200
    also: tuple[int, ...] = ()  # other statuses with the same body: what became a job
    refuses: tuple[int, ...] = ()  # beside what every call may be refused with
    needs_version: bool = False  # If-Match
    gives_version: bool = False  # ETag
    max_body: int = SMALL_BODY
    scopes: tuple[Scope, ...] = ()  # of tokens, each of which opens it; none: only a session does
    # With `takes_file` and `creates`: lets in who may send it, as the view's own door does, before the file is read.
    admits: Callable[..., Any] | None = None
    creates: bool = False  # takes an Idempotency-Key, which a token must give
    secrets: tuple[str, ...] = ()  # keys of what it gives that are null when the same request comes again


def operation(summary: str, *, method: str = "", **given: Any) -> Callable[[Any], Any]:
    """Stands over `@api_view`; a view of several methods has one for each."""

    def describe(view: Any) -> Any:
        cls = view.cls
        # OPTIONS would be a second document of the API, in words of its own.
        # In one order: rest_framework keeps them in a set.
        cls.http_method_names = sorted(name for name in cls.http_method_names if name != "options")
        of = method or cls.http_method_names[0].upper()
        said = Operation(summary, **given)
        cls.operations = {**getattr(cls, "operations", {}), of: said}
        if said.creates:
            setattr(cls, of.lower(), carried_out_once(getattr(cls, of.lower()), said))
        return view

    return describe
