"""Verification of webhooks (Standard Webhooks 1.0)."""

from __future__ import annotations

import base64
import hmac
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

TOLERANCE = 300
"""The most seconds between the time of a signature and now."""


class WebhookVerificationError(Exception):
    """The signature, the time or a header is invalid. Answer with 400."""


@dataclass(frozen=True)
class VerifiedWebhook:
    id: str
    """`webhook-id`: the delivery run, the same on every attempt. Drop requests with an id that you have processed."""
    signed_at: datetime
    """When this attempt was signed."""
    body: Any
    """The output of the channel's template, parsed; without one it is `postrider.types.DeliveryWebhook`."""


WebhookKey = str | Mapping[str, Any]


def _secret_verifier(secret: str) -> tuple[str, Callable[[bytes, str], bool]]:
    key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    # Anybody can sign with an empty secret, such as that of a variable that is not set.
    if not key:
        raise ValueError("The secret is empty.")

    def is_valid(content: bytes, signature: str) -> bool:
        expected = base64.b64encode(hmac.digest(key, content, "sha256"))
        return hmac.compare_digest(expected, signature.encode())

    return "v1", is_valid


def _public_key_verifier(key: WebhookKey) -> tuple[str, Callable[[bytes, str], bool]]:
    # Only receivers of v1a need it.
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if not isinstance(key, str) and (key.get("kty"), key.get("crv")) != ("OKP", "Ed25519"):
        raise ValueError("v1a needs an ed25519 key.")
    text = key.removeprefix("whpk_") if isinstance(key, str) else str(key["x"])
    text = text.replace("-", "+").replace("_", "/").rstrip("=")
    public_key = Ed25519PublicKey.from_public_bytes(base64.b64decode(text + "=" * (-len(text) % 4)))

    def is_valid(content: bytes, signature: str) -> bool:
        try:
            public_key.verify(base64.b64decode(signature), content)
        except (InvalidSignature, ValueError):
            return False
        return True

    return "v1a", is_valid


def verify_webhook(
    body: bytes | str, headers: Mapping[str, str], keys: WebhookKey | Sequence[WebhookKey]
) -> VerifiedWebhook:
    """Verifies that a webhook comes from this installation and is at most 5 minutes old, and parses it.

    `body` is the unchanged body: JSON that was parsed and formatted again has another signature. `keys` are the
    channel's secret (`whsec_…`) or a public key (`whpk_…`, or an entry of the channel's JWKS, with the extra `v1a`),
    or several, of which one must match: during a rotation the old and the new one are both valid. Raises
    WebhookVerificationError if the signature, the time or a header is invalid.
    """
    content = body.encode() if isinstance(body, str) else body
    lower = {name.lower(): value for name, value in headers.items()}
    webhook_id, timestamp, signatures = (lower.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not webhook_id or not timestamp or not signatures:
        raise WebhookVerificationError("A header is missing.")
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) < 12):
        raise WebhookVerificationError("The time of the signature is not a number.")
    if abs(time.time() - int(timestamp)) > TOLERANCE:
        raise WebhookVerificationError("The signature is too old, or from the future.")
    signed = f"{webhook_id}.{timestamp}.".encode() + content
    given = [signature.partition(",") for signature in signatures.split(" ")]
    every_key = [keys] if isinstance(keys, str | Mapping) else keys
    if not every_key:
        raise ValueError("A webhook cannot be verified without a key.")
    for key in every_key:
        is_secret = isinstance(key, str) and not key.startswith("whpk_")
        version, is_valid = _secret_verifier(key) if is_secret else _public_key_verifier(key)  # type: ignore[arg-type]
        if any(of == version and is_valid(signed, signature) for of, _, signature in given):
            signed_at = datetime.fromtimestamp(int(timestamp), UTC)
            return VerifiedWebhook(webhook_id, signed_at, json.loads(content) if content else None)
    raise WebhookVerificationError("No signature is from one of the keys.")
