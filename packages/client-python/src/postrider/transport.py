"""HTTP calls with retries."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import closing
from typing import Any
from urllib.parse import quote, urlencode

import httpx

from .errors import PostriderApiError, PostriderConnectionError, PostriderError, PostriderTimeoutError
from .retry import Retry, may_repeat

Query = Mapping[str, Any]

SILENCE = 45.0
"""The service sends something every 15 s. A stream that is silent for this many seconds is lost."""


MAX_ANSWER_BYTES = 64 * 1024 * 1024
"""More than any answer has: a page of 100 messages with the largest payloads is about half of it."""


def to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def segment(value: str) -> str:
    """An id as one segment of a path.

    One that is only dots would be resolved away, even percent-encoded once. Without an empty one the path would be that
    of the list: a space is no id either.
    """
    return quote(value.replace(".", "%2E") if value in (".", "..") else value or " ", safe="")


def _query_text(query: Query | None) -> str:
    given = {name: value for name, value in (query or {}).items() if value is not None}
    fields = {name: to_json(value) if isinstance(value, bool) else str(value) for name, value in given.items()}
    return f"?{urlencode(fields)}" if fields else ""


class Transport:
    """Makes calls with one token. Its connections can be used by several threads."""

    def __init__(self, base_url: str, token: str, timeout: float, retry: Retry, http: httpx.Client | None) -> None:
        url = httpx.URL(base_url)
        if url.scheme not in ("http", "https") or not url.host:
            raise ValueError("The address is not one of HTTP.")
        if url.userinfo:
            raise ValueError("The address has a user name or password.")
        if not token or not all("!" <= character <= "~" for character in token):
            raise ValueError("The token is missing, or has characters that no token has.")
        self.retry = retry
        self.http = http or httpx.Client()
        self._base_url = base_url.rstrip("/")
        self._token = token
        self._timeout = timeout

    def _request(
        self, method: str, path: str, query: Query | None, headers: Mapping[str, str], content: str | None, timeout: httpx.Timeout
    ) -> httpx.Request:
        all_headers = {"accept": "application/json", **headers, "authorization": f"Bearer {self._token}"}
        if content is not None:
            all_headers["content-type"] = "application/json"
        url = self._base_url + path + _query_text(query)
        body = None if content is None else content.encode()
        return self.http.build_request(method, url, headers=all_headers, content=body, timeout=timeout)

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        content: str | None = None,
        idempotency_key: str | None = None,
        request_id: str | None = None,
        reason: str | None = None,
        repeat: bool = True,
    ) -> Any:
        """Makes a call, with retries if necessary, and returns the JSON of its success; None if it has none.

        All tries have the same bytes. With `repeat=False` a call is only repeated after 429, when nothing was done.
        """
        if not path.startswith("/"):
            # It would change the host to which the token is sent, as @example.com/ does.
            raise ValueError("The path does not begin with /.")
        given = {"Idempotency-Key": idempotency_key, "X-Request-ID": request_id, "X-Reason": reason}
        headers = {name: value for name, value in given.items() if value is not None}
        attempt = 0
        while True:
            attempt += 1
            request = self._request(method, path, query, headers, content, httpx.Timeout(self._timeout))
            try:
                return self._answer(self.send(request))
            except PostriderError as error:
                error.idempotency_key = idempotency_key
                is_refused = isinstance(error, PostriderApiError) and error.status == 429
                retry_after = error.retry_after if isinstance(error, PostriderApiError) else None
                delay = self.retry.delay(attempt, retry_after) if may_repeat(error) else None
                if delay is None or not (repeat or is_refused):
                    raise
            time.sleep(delay)

    def _answer(self, response: httpx.Response) -> Any:
        """The JSON of a success. Raises the error of any other answer."""
        with closing(response):
            body = self._read(response, time.monotonic() + self._timeout)
        try:
            data = None if response.status_code == 204 else json.loads(body)
        except ValueError as error:
            if response.is_success:
                # Half of the bytes may be those of the service: the call may have been executed.
                raise PostriderConnectionError("The answer is not JSON.") from error
            data = None
        if not response.is_success:
            raise PostriderApiError(response.status_code, response.headers, data)
        return data

    def send(self, request: httpx.Request) -> httpx.Response:
        """Sends a request and returns the answer, whose body has not been read yet."""
        try:
            return self.http.send(request, stream=True, follow_redirects=False)
        except httpx.TimeoutException as error:
            raise PostriderTimeoutError(f"No answer within {self._timeout} s.") from error
        except httpx.RequestError as error:
            raise PostriderConnectionError("No answer: the connection failed.") from error

    def _read(self, response: httpx.Response, deadline: float) -> bytes:
        """The body. Each read has its own time limit, so the whole takes at most twice as long."""
        body = bytearray()
        try:
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > MAX_ANSWER_BYTES:
                    raise PostriderConnectionError("The answer is too large.")
                if time.monotonic() > deadline:
                    raise PostriderTimeoutError(f"No complete answer within {self._timeout} s.")
        except httpx.TimeoutException as error:
            raise PostriderTimeoutError(f"No complete answer within {self._timeout} s.") from error
        except httpx.RequestError as error:
            raise PostriderConnectionError("The answer is incomplete: the connection failed.") from error
        return bytes(body)

    def open_stream(self, path: str, headers: Mapping[str, str]) -> httpx.Response:
        """Opens a stream of events, in one try. Raises the error of the service, or of the connection."""
        stream_headers = {**headers, "accept": "text/event-stream"}
        timeout = httpx.Timeout(self._timeout, read=SILENCE)
        response = self.send(self._request("GET", path, None, stream_headers, None, timeout))
        if not response.is_success:
            self._answer(response)
        return response
