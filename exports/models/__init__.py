"""What leaves the house: releases with their card, systems that are measured against them, and webhooks."""

from exports.models.releases import Card, Release, RunSentence, SystemRun
from exports.models.webhooks import Webhook, WebhookDelivery

__all__ = ["Card", "Release", "RunSentence", "SystemRun", "Webhook", "WebhookDelivery"]
