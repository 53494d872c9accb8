"""When a call is tried again."""

from __future__ import annotations

import random
from dataclasses import dataclass

from .errors import PostriderApiError, PostriderError

JITTER = 0.5
"""The random share of a delay, so that many clients do not try again at the same time."""


@dataclass(frozen=True)
class Retry:
    """How often and with which delays, in seconds, a call is tried again."""

    max_attempts: int = 5
    """Tries in total, including the first."""
    base_delay: float = 0.25
    """Delay before the second try; it doubles with each further one."""
    max_delay: float = 8.0
    """The longest delay that the client chooses."""
    max_retry_after: float = 60.0
    """The longest Retry-After that the client waits for; with a longer one the call fails."""

    def delay(self, attempt: int, retry_after: float | None) -> float | None:
        """Seconds until the next try, not less than `retry_after`; None if there is none."""
        if attempt >= self.max_attempts or (retry_after is not None and retry_after > self.max_retry_after):
            return None
        # Beyond 2^30 the power is larger than any delay.
        backoff = min(self.base_delay * 2.0 ** min(attempt - 1, 30), self.max_delay)
        spread = backoff * JITTER * random.random()
        return backoff * (1 - JITTER) + spread if retry_after is None else retry_after + spread


def may_repeat(error: PostriderError) -> bool:
    """Whether a call that failed so may be repeated with the same idempotency key."""
    if not isinstance(error, PostriderApiError):
        return True
    return error.status == 429 or error.status >= 500 or error.code == "idempotency_in_progress"
