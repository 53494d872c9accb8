"""Live changes as an iterator."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import httpx

from .errors import PostriderApiError, PostriderConnectionError, PostriderError
from .retry import may_repeat
from .transport import Transport

MAX_EVENT_BYTES = 64 * 1024
"""The longest incomplete event that is kept."""


@dataclass(frozen=True)
class StreamEvent:
    """A change, described by ids and statuses. After `reset` some changes were not reported: read the lists again."""

    event: str
    data: dict[str, Any]
    """A `postrider.types.StreamEvent`; empty for `reset`."""
    last_event_id: str | None
    """The position to continue from; None if none was received."""


def _blocks(response: httpx.Response) -> Iterator[dict[str, str]]:
    """The fields of each block of an event stream, until it ends, breaks or is silent."""
    buffer = b""
    try:
        for chunk in response.iter_bytes():
            *blocks, buffer = (buffer + chunk).split(b"\n\n")
            if len(buffer) > MAX_EVENT_BYTES:
                raise PostriderConnectionError("An event of the stream is too long.")
            for block in blocks:
                lines = (line.partition(":") for line in block.decode().split("\n"))
                yield {name: value.removeprefix(" ") for name, _, value in lines}
    except httpx.RequestError:
        return


def follow(transport: Transport, path: str, last_event_id: str | None) -> Generator[StreamEvent, None, None]:
    """Follows a stream through its ends, lost connections, 5xx and 429, from the last event that was received."""
    position = last_event_id
    retry = replace(transport.retry, max_attempts=sys.maxsize)
    pause = retry.base_delay
    failures = 0
    # Whether changes may have been missed that no position covers.
    is_behind = False
    while True:
        try:
            response = transport.open_stream(path, {} if position is None else {"last-event-id": position})
        except PostriderError as error:
            if not may_repeat(error):
                raise
            failures += 1
            is_behind = position is None
            retry_after = None
            if isinstance(error, PostriderApiError):
                retry_after = error.retry_after
                yield StreamEvent("reset", {}, position)
            delay = retry.delay(failures, retry_after)
            if delay is None:
                raise
        else:
            with closing(response):
                for fields in _blocks(response):
                    failures = 0
                    position = fields.get("id", position)
                    if fields.get("retry", "").isdecimal():
                        pause = int(fields["retry"]) / 1000
                    if is_behind and position is not None:
                        is_behind = False
                        yield StreamEvent("reset", {}, position)
                    event, data = fields.get("event"), fields.get("data")
                    if event and data is not None and event != "heartbeat":
                        yield StreamEvent(event, json.loads(data), position)
            delay = retry.delay(max(1, failures), pause)
        time.sleep(retry.max_delay if delay is None else delay)
