"""One access matrix: every route × method × role → expected status. 404 is for what one may not know of."""

from tests.matrix.api import API
from tests.matrix.exports import EXPORTS
from tests.matrix.pages import PAGES
from tests.matrix.passages import PASSAGES

MATRIX = PAGES | API | PASSAGES | EXPORTS
