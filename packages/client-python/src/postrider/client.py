"""The client of one environment."""

from __future__ import annotations

import uuid
from collections.abc import Generator, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, cast

import httpx

from . import types
from .batch import BatchEvent, EventResult, send_batch
from .retry import Retry
from .stream import StreamEvent, follow
from .transport import Query, Transport, segment, to_json


class Postrider:
    """The public API for one environment. Every call raises a PostriderError if it fails.

    A call is retried after a lost connection, a timeout, 5xx, 429 and 409 `idempotency_in_progress`, and never before
    `Retry-After`. Sending, replaying and cancelling have an idempotency key that is created once per call and kept for
    its tries, with the same bytes. To repeat a call after a crash (within 24 hours), give your own key and store it.
    """

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        timeout: float = 30.0,
        retry: Retry | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        """Opens no connection. `timeout` is in seconds, for one try. `http` is a client with your own settings.

        Raises ValueError for an invalid address or token.
        """
        self._transport = Transport(base_url, token, timeout, retry or Retry(), http)

    def __enter__(self) -> Postrider:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._transport.http.close()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        body: object = None,
        reason: str | None = None,
    ) -> Any:
        """Makes any other call of `/api/v1`, such as `client.request("GET", "/api/v1/channels/chn_…")`.

        A POST has no idempotency key here: it is only repeated after 429, when nothing was done.
        """
        content = None if body is None else to_json(body)
        return self._transport.call(method, path, query=query, content=content, reason=reason, repeat=method != "POST")

    def items(self, path: str, query: Query | None = None) -> Iterator[Any]:
        """Yields every item of any list, such as `/api/v1/channels`. Each page is read when the previous is used up."""
        return self._pages(path, query or {}, "data")

    def _pages(self, path: str, query: Query, items: str) -> Iterator[Any]:
        cursor = query.get("cursor")
        while True:
            page = self._transport.call("GET", path, query={**query, "cursor": cursor})
            yield from page[items]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def _write(self, path: str, body: object, idempotency_key: str | None, request_id: str | None) -> Any:
        key = idempotency_key or str(uuid.uuid4())
        return self._transport.call(
            "POST", path, content=to_json(body), idempotency_key=key, request_id=request_id
        )

    def send(
        self,
        event: types.CreateEventRequest,
        *,
        idempotency_key: str | None = None,
        request_id: str | None = None,
    ) -> types.Accepted:
        """Accepts an event; returns once it is stored and will be delivered at least once."""
        return cast(types.Accepted, self._write("/api/v1/events", event, idempotency_key, request_id))

    def send_batch(
        self, events: Iterable[BatchEvent | types.CreateEventRequest], *, atomic: bool = False
    ) -> list[EventResult]:
        """Sends any number of events, up to 100 per request, and returns a result for each, in order.

        Events that may succeed later are sent again. Tries are limited as for a single event, but the count restarts
        whenever an event gets its result. If the service does not answer, the events without a result get that error.
        `atomic` stores all events or none: they must fit into one request. Raises ValueError if they do not, and for an
        event that is too large for a request.
        """
        return send_batch(self._transport, events, atomic)

    def messages(self, **query: Any) -> Iterator[types.Message]:
        """Yields every message that matches, newest first: `event_key`, `status`, `limit` (of a page) and others."""
        return cast(Iterator[types.Message], self.items("/api/v1/messages", query))

    def get_message(self, message_id: str, *, explain: str | None = None) -> types.Message:
        """`explain="channels"` adds which channels took the event, and why the others did not."""
        path = f"/api/v1/messages/{segment(message_id)}"
        return cast(types.Message, self._transport.call("GET", path, query={"explain": explain}))

    def runs(self, message_id: str) -> Iterator[types.DeliveryRun]:
        """Yields every delivery run of a message with every attempt, oldest first."""
        path = f"/api/v1/messages/{segment(message_id)}/deliveries"
        return self._pages(path, {}, "delivery_runs")

    def replay(
        self,
        message_id: str,
        body: Mapping[str, Any] | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> types.Replayed:
        """Delivers the message again with the current channels and templates. Counts 1 against the quota."""
        path = f"/api/v1/messages/{segment(message_id)}/replay"
        return cast(types.Replayed, self._write(path, dict(body or {}), idempotency_key, None))

    def reschedule(self, message_id: str, schedule_at: str) -> types.RescheduledMessage:
        """Gives the runs that are still `scheduled` another time. Returns the outcome for each."""
        path = f"/api/v1/messages/{segment(message_id)}"
        content = to_json({"schedule_at": schedule_at})
        return cast(types.RescheduledMessage, self._transport.call("PATCH", path, content=content))

    def cancel(self, message_id: str) -> types.CancelledMessage:
        """Cancels the runs that are still `scheduled`. Returns the outcome for each."""
        path = f"/api/v1/messages/{segment(message_id)}/cancel"
        return cast(types.CancelledMessage, self._transport.call("POST", path, content="{}"))

    def cancel_run(self, delivery_run_id: str, *, idempotency_key: str | None = None) -> types.DeliveryRun:
        """Only a run that is still `scheduled` can be cancelled."""
        path = f"/api/v1/delivery-runs/{segment(delivery_run_id)}/cancel"
        return cast(types.DeliveryRun, self._write(path, {}, idempotency_key, None))

    def content(self, delivery_run_id: str, **query: Any) -> types.SentContent:
        """The content that an attempt sent (the newest by default), rendered again and verified."""
        path = f"/api/v1/delivery-runs/{segment(delivery_run_id)}/content"
        return cast(types.SentContent, self._transport.call("GET", path, query=query))

    def stats(self, **query: Any) -> types.Stats:
        """Statistics by hour or minute: by default the last 24 hours."""
        return cast(types.Stats, self._transport.call("GET", "/api/v1/stats", query=query))

    def stream(self, *, last_event_id: str | None = None) -> Generator[StreamEvent, None, None]:
        """Follows changes as they happen, through ends of streams and lost connections.

        While the service has no room (503), each try yields a `reset`: read the lists then. Leaving the loop and
        closing the iterator closes the connection.
        """
        return follow(self._transport, "/api/v1/stream", last_event_id)

    def usage(self) -> types.Usage:
        return cast(types.Usage, self._transport.call("GET", "/api/v1/usage/current"))

    def limits(self) -> types.Limits:
        return cast(types.Limits, self._transport.call("GET", "/api/v1/limits"))
