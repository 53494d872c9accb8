"""What the cases of the conformance suite do not have."""

from __future__ import annotations

import unittest

import httpx

from postrider import Postrider, Retry


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
