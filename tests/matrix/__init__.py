"""One access matrix: every route × method × role → expected status. 404 is for what one may not know of."""

from tests.matrix.api import API
from tests.matrix.exports import EXPORTS
from tests.matrix.pages import PAGES
from tests.matrix.passages import PASSAGES
from tests.matrix.projects import PROJECTS
from tests.matrix.webhooks import WEBHOOKS

MATRIX = PAGES | API | PASSAGES | PROJECTS | EXPORTS | WEBHOOKS
