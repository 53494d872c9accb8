"""What the cases of the conformance suite do not have."""

from __future__ import annotations

import copy
import pickle
import unittest
from collections.abc import Iterator

import httpx

from postrider import Postrider, PostriderApiError, PostriderConnectionError, Retry


class Client(unittest.TestCase):
    def test_the_token_is_sent_to_no_other_host(self) -> None:
        hosts: list[str] = []

        def answer(request: httpx.Request) -> httpx.Response:
            hosts.append(request.url.host)
            return httpx.Response(200, json={})

        http = httpx.Client(transport=httpx.MockTransport(answer))
        with Postrider("https://api.example.com", "token", retry=Retry(max_attempts=1), http=http) as client:
            for path in ("@other.example.com/api", ".other.example.com/api", ""):
                with self.assertRaises(ValueError):
                    client.request("GET", path)
        self.assertEqual(hosts, [])

    def test_an_error_can_be_copied_and_sent_to_another_process(self) -> None:
        error = PostriderApiError(429, {"retry-after": "7"}, {"error": {"code": "rate_limited", "message": "Wait."}})
        error.idempotency_key = "key"
        for other in (copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
            self.assertIs(type(other), PostriderApiError)
            self.assertEqual((str(other), vars(other)), ("Wait.", vars(error)))

    def test_an_endless_answer_does_not_fill_the_memory(self) -> None:
        sent = 0

        def endless() -> Iterator[bytes]:
            nonlocal sent
            while sent < 256:
                sent += 1
                yield b"x" * 1024 * 1024

        http = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(200, content=endless())))
        with Postrider("https://api.example.com", "token", retry=Retry(max_attempts=1), http=http) as client:
            with self.assertRaisesRegex(PostriderConnectionError, "too large"):
                client.request("GET", "/api/v1/usage")
        self.assertLess(sent, 80)
