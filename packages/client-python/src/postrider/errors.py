"""The errors of the client."""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any


class PostriderError(Exception):
    """Base class of all errors of calls."""

    idempotency_key: str | None = None
    """The idempotency key of the call, to repeat it later without doing anything twice; None if it had none."""


class PostriderConnectionError(PostriderError):
    """There was no complete answer. It is unknown whether the request was executed."""


class PostriderTimeoutError(PostriderError):
    """There was no answer in time. It is unknown whether the request was executed."""


class PostriderApiError(PostriderError):
    """An error of the service. `str(error)` is for people, `code` is for programs."""

    status: int
    code: str
    """`unexpected_response` if the answer did not come from the service but, for example, from a proxy."""
    details: list[dict[str, Any]]
    """Every issue of the request, or the facts of the refusal; may be empty."""
    request_id: str
    trace_id: str | None
    """The service's id of the request, to find it in the logs."""
    retry_after: float | None
    """Seconds after which the service wants to be asked again."""

    def __init__(self, status: int, headers: Mapping[str, str], body: object) -> None:
        found = body.get("error") if isinstance(body, dict) else None
        error: dict[str, Any] = found if isinstance(found, dict) and isinstance(found.get("code"), str) else {}
        super().__init__(error.get("message") or f"HTTP {status} without an error object of the service.")
        self.status = status
        self.code = error.get("code", "unexpected_response")
        self.details = error.get("details") or []
        self.request_id = error.get("request_id", "unknown")
        self.trace_id = headers.get("x-trace-id")
        self.retry_after = parse_retry_after(headers.get("retry-after"))

    def __reduce__(self) -> tuple[Any, ...]:
        # By default copying and pickling call `__init__` with the message alone, which ends a pool of processes.
        return PostriderApiError.__new__, (type(self), *self.args), vars(self)


def parse_retry_after(header: str | None) -> float | None:
    """Seconds of a Retry-After header from now; None if it is absent or unreadable. RFC 9110 section 10.2.3."""
    if header is None:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None
