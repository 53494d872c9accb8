"""Sending many events."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from . import types
from .errors import PostriderApiError, PostriderError
from .retry import may_repeat
from .transport import Transport, to_json

MAX_EVENTS = 100
MAX_BYTES = 1024 * 1024
WRAPPER_BYTES = 32
"""Bytes of `{"events":[],"atomic":false}` and a comma."""


@dataclass(frozen=True)
class BatchEvent:
    """One event of a batch."""

    event: types.CreateEventRequest
    idempotency_key: str | None = None
    """As for a single event. Created by default; the result then has it."""


@dataclass(frozen=True)
class EventResult:
    """The result of one event of a batch: `accepted`, or its final `error`."""

    idempotency_key: str
    replayed: bool = False
    """Whether an earlier call had sent it."""
    accepted: types.Accepted | None = None
    error: PostriderError | None = None


@dataclass(frozen=True)
class _Prepared:
    """An event with its JSON, which is the same for all tries because the service compares the bytes."""

    index: int
    key: str
    text: str
    size: int


def _prepare(index: int, given: BatchEvent | types.CreateEventRequest) -> _Prepared:
    batch_event = given if isinstance(given, BatchEvent) else BatchEvent(given)
    key = batch_event.idempotency_key or str(uuid.uuid4())
    text = f'{{"idempotency_key":{to_json(key)},"event":{to_json(batch_event.event)}}}'
    size = len(text.encode()) + 1
    if size + WRAPPER_BYTES > MAX_BYTES:
        raise ValueError(f"Event {index} is too large for a request.")
    return _Prepared(index, key, text, size)


def _requests(events: Iterable[_Prepared]) -> Iterator[list[_Prepared]]:
    request: list[_Prepared] = []
    size = WRAPPER_BYTES
    for event in events:
        if request and (len(request) == MAX_EVENTS or size + event.size > MAX_BYTES):
            yield request
            request, size = [], WRAPPER_BYTES
        request.append(event)
        size += event.size
    if request:
        yield request


def _is_result(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("status"), int):
        return False
    return value["status"] != 201 or isinstance(value.get("body"), dict)


def _results_in(answer: object, count: int) -> list[dict[str, Any]]:
    """The results of `count` events. An answer may come from a proxy: what is missing counts as 502."""
    results = answer.get("results") if isinstance(answer, dict) else None
    found = list(results) if isinstance(results, list) else []
    found += [None] * (count - len(found))
    return [each if _is_result(each) else {"status": 502, "body": {}} for each in found[:count]]


def _error_of(result: dict[str, Any], key: str) -> PostriderApiError:
    headers = {"retry-after": str(result["retry_after"])} if "retry_after" in result else {}
    error = PostriderApiError(result["status"], headers, result.get("body"))
    error.idempotency_key = key
    return error


def _may_pass(error: PostriderApiError, atomic: bool) -> bool:
    """Whether the same event may be accepted later."""
    return may_repeat(error) or (atomic and error.code == "batch_aborted")


@dataclass
class _Batch:
    """The state of one `send_batch`."""

    transport: Transport
    atomic: bool
    results: dict[int, EventResult] = field(default_factory=dict)
    refused: dict[_Prepared, PostriderApiError] = field(default_factory=dict)
    """Events that may be accepted later, with the errors of this round."""
    limited: dict[str, Any] | None = None
    """The result of the first event that the rate limit refused in this round."""

    def settle(self, event: _Prepared, **outcome: Any) -> None:
        self.results[event.index] = EventResult(event.key, **outcome)

    def send_request(self, request: Sequence[_Prepared]) -> None:
        """Sends one request, and settles its events that are done."""
        atomic = to_json(self.atomic)
        content = f'{{"events":[{",".join(event.text for event in request)}],"atomic":{atomic}}}'
        answer = self.transport.call("POST", "/api/v1/events/batch", content=content)
        results = _results_in(answer, len(request))
        errors = [None if each["status"] == 201 else _error_of(each, event.key) for event, each in zip(request, results)]
        # An atomic batch is sent again as a whole, or not at all.
        is_over = self.atomic and any(error and not _may_pass(error, True) for error in errors)
        for event, result, error in zip(request, results, errors):
            if error is None:
                replayed = bool(result.get("idempotent_replayed"))
                self.settle(event, accepted=cast(types.Accepted, result["body"]), replayed=replayed)
            elif not is_over and _may_pass(error, self.atomic):
                self.refused[event] = error
            else:
                self.settle(event, error=error)
        self.limited = next((each for each in results if each["status"] == 429), None)

    def send_round(self, requests: Iterable[list[_Prepared]]) -> PostriderError | None:
        """Sends each open event once, until the rate limit refuses one or the service does not answer: that error."""
        self.refused = {}
        for request in requests:
            try:
                self.send_request(request)
            except PostriderError as error:
                return error
            if self.limited:
                # The next request would be refused for the same reason.
                break
        return None


def send_batch(
    transport: Transport, events: Iterable[BatchEvent | types.CreateEventRequest], atomic: bool
) -> list[EventResult]:
    batch = _Batch(transport, atomic)
    every_event = [_prepare(index, event) for index, event in enumerate(events)]
    open_events = every_event
    attempt = 0
    while open_events:
        requests = list(_requests(open_events))
        if atomic and len(requests) > 1:
            raise ValueError("An atomic batch must fit into one request.")
        before = len(open_events)
        lost = batch.send_round(requests)
        open_events = [event for event in open_events if event.index not in batch.results]
        # Retry-After is for one event, so a plan with a rate limit may need many rounds.
        attempt = 1 if len(open_events) < before else attempt + 1
        retry_after = max((error.retry_after or 0.0 for error in batch.refused.values()), default=0.0)
        delay = None if lost else transport.retry.delay(attempt, retry_after or None)
        if delay is None:
            for event in open_events:
                error = lost or batch.refused.get(event) or _error_of(batch.limited or {"status": 502}, event.key)
                batch.settle(event, error=error)
            break
        if open_events:
            time.sleep(delay)
    return [batch.results[event.index] for event in every_event]
