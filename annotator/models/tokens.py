"""The tokens of passages, made once: what agreement and exports count in."""

from django.db import models
from django.db.models import F, Value
from django.db.models.functions import Coalesce, NullIf

from annotator.domain.language import MAX_LANG
from annotator.models.projects import Passage


class PassageTokensQuerySet(models.QuerySet["PassageTokens"]):
    def fitting(self) -> "PassageTokensQuerySet":
        """Made for the language that the passage is in now."""
        return self.filter(lang=Coalesce(NullIf(F("passage__lang"), Value("")), F("passage__project__language")))


class PassageTokens(models.Model):
    """Of a passage that came with tokens those, else what was made of its text (`pack_tokens` says how they are kept).
    Can be made again at any time, so no event tells of them."""

    passage = models.OneToOneField(Passage, primary_key=True, on_delete=models.PROTECT, related_name="+")
    lang = models.CharField(max_length=MAX_LANG)  # the passage's, or else the project's
    spans = models.BinaryField()
    rewritten = models.JSONField(default=dict)

    objects = PassageTokensQuerySet.as_manager()
