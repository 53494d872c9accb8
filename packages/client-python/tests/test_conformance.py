"""Runs the cases of the conformance suite (packages/rig/conformance), whose server CONFORMANCE_URL names."""

from __future__ import annotations

import json
import os
import unittest
import urllib.request
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from postrider import (
    EventResult,
    Postrider,
    PostriderApiError,
    PostriderConnectionError,
    PostriderError,
    PostriderTimeoutError,
    Retry,
    WebhookVerificationError,
    verify_webhook,
)

URL = os.environ["CONFORMANCE_URL"]


def ask(path: str, body: object = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(f"{URL}/conformance/{path}", data) as response:
        return json.load(response)


def kind_of(error: Exception) -> str:
    kinds = {
        PostriderApiError: "api",
        PostriderTimeoutError: "timeout",
        PostriderConnectionError: "connection",
        WebhookVerificationError: "verification",
        ValueError: "argument",
    }
    return next(kind for of, kind in kinds.items() if isinstance(error, of))


def describe(error: Exception) -> dict[str, Any]:
    described: dict[str, Any] = {"kind": kind_of(error), "message": str(error)}
    if isinstance(error, PostriderError):
        described["idempotency_key"] = error.idempotency_key
    if isinstance(error, PostriderApiError):
        for name in ("status", "code", "details", "request_id", "trace_id"):
            described[name] = getattr(error, name)
        described["retry_after_ms"] = None if error.retry_after is None else round(error.retry_after * 1000)
    return described


def batch_result(result: EventResult) -> dict[str, Any]:
    outcome = {"error": describe(result.error)} if result.error else {"accepted": result.accepted}
    return {"idempotency_key": result.idempotency_key, "replayed": result.replayed, **outcome}


def taken(items: Iterable[Any], take: int | None = None) -> list[Any]:
    return list(islice(items, take))


def stream(client: Postrider, take: int, last_event_id: str | None = None) -> list[Any]:
    events = client.stream(last_event_id=last_event_id)
    found = [vars(event) for event in islice(events, take)]
    events.close()
    return found


CALLS: dict[str, Callable[..., Any]] = {
    "send": lambda client, event, **options: client.send(event, **options),
    "send_batch": lambda client, events, atomic=False: [
        batch_result(result) for result in client.send_batch([each["event"] for each in events], atomic=atomic)
    ],
    "replay": lambda client, message_id, input, **options: client.replay(message_id, input, **options),
    "cancel_run": lambda client, delivery_run_id, **options: client.cancel_run(delivery_run_id, **options),
    "get": lambda client, message_id: client.get_message(message_id),
    "limits": lambda client: client.limits(),
    "list": lambda client, query, take=None: taken(client.messages(**query), take),
    "runs": lambda client, message_id: taken(client.runs(message_id)),
    "stream": stream,
    "verify": lambda client, body, headers, keys: {
        name: getattr(verify_webhook(body, headers, keys), name) for name in ("id", "body")
    },
}


def perform(client: Postrider, call: str, **given: Any) -> dict[str, Any]:
    try:
        return {"result": CALLS[call](client, **given)}
    except (PostriderError, WebhookVerificationError, ValueError) as error:
        return {"error": describe(error)}


class Conformance(unittest.TestCase):
    def check(self, name: str) -> None:
        run = ask("runs", {"case": name})
        options = run["options"]
        retry = Retry(
            max_attempts=options["max_attempts"],
            base_delay=options["base_delay_ms"] / 1000,
            max_delay=options["max_delay_ms"] / 1000,
            max_retry_after=options["max_retry_after_ms"] / 1000,
        )
        with Postrider(URL, run["token"], timeout=options["timeout_ms"] / 1000, retry=retry) as client:
            outcomes = [perform(client, **call) for call in run["calls"]]
            self.assertEqual(ask("outcomes", {"token": run["token"], "outcomes": outcomes})["problems"], [])


def _test(name: str) -> Callable[[Conformance], None]:
    return lambda self: self.check(name)


for case in ask("cases")["cases"]:
    setattr(Conformance, f"test {case}", _test(case))

if __name__ == "__main__":
    unittest.main()
