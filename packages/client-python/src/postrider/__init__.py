"""The Python client of Postrider, typed from the OpenAPI document that the service serves."""

from .batch import BatchEvent, EventResult
from .client import Postrider
from .errors import (
    PostriderApiError,
    PostriderConnectionError,
    PostriderError,
    PostriderTimeoutError,
)
from .retry import Retry
from .stream import StreamEvent
from .webhook import VerifiedWebhook, WebhookVerificationError, verify_webhook

__all__ = [
    "BatchEvent",
    "EventResult",
    "Postrider",
    "PostriderApiError",
    "PostriderConnectionError",
    "PostriderError",
    "PostriderTimeoutError",
    "Retry",
    "StreamEvent",
    "VerifiedWebhook",
    "WebhookVerificationError",
    "verify_webhook",
]
