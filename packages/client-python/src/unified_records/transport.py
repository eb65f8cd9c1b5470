"""One call over HTTP: connections, attempts, retries, and parsing of responses."""

from __future__ import annotations

import http.client
import json
import re
import socket
import ssl
import threading
import time
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import getproxies, proxy_bypass

from .error import UnifiedError, error_from
from .results import ResponseInfo
from .waiting import backoff_seconds

_LONGEST_WAIT_SECONDS = 60
_IDLE_SECONDS = 4.0
_MOST_IDLE = 8
_CHUNK = 64 * 1024


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: Mapping[str, Optional[str]] = field(default_factory=dict)
    headers: Mapping[str, Optional[str]] = field(default_factory=dict)
    body: Optional[bytes] = None
    #: `url` of the client by default.
    origin: Optional[str] = None
    #: Waits for rate limits without counting them as failures.
    patient: bool = False
    #: A repetition has a second effect: only what the service refused is repeated.
    once: bool = False


@dataclass(frozen=True)
class Response:
    #: Parsed JSON. None: the response has no body.
    body: Any
    headers: Mapping[str, str]


Send = Callable[[Request], Response]


def json_request(method: str, path: str, content: Any, **more: Any) -> Request:
    headers = {**more.pop("headers", {}), "content-type": "application/json"}
    try:
        body = json.dumps(content, allow_nan=False).encode()
    except ValueError as error:
        raise UnifiedError("invalid_client", 0, f"The record is not JSON: {error}.") from error
    return Request(method, path, headers=headers, body=body, **more)


def path_of(*parts: str) -> str:
    return "".join(f"/{quote(part, safe='')}" for part in parts)


def origin_of(url: str, name: str) -> str:
    """Does not repeat what it refuses: that can contain a password."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
        problem = f"{name} must be" if url else f"Client needs {name},"
        raise ValueError(f"{problem} an http or https URL without a user name or password.")
    return url.rstrip("/")


#: Since when, scheme and host, connection.
_Idle = Tuple[float, Tuple[str, str], http.client.HTTPConnection]


class _Connections:
    """Connections that are kept open between calls. For any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: List[_Idle] = []

    def take(self, scheme: str, host: str) -> Optional[http.client.HTTPConnection]:
        ended = []
        found = None
        with self._lock:
            still: List[_Idle] = []
            for entry in reversed(self._idle):
                if time.monotonic() - entry[0] > _IDLE_SECONDS:
                    ended.append(entry[2])
                elif found is None and entry[1] == (scheme, host):
                    found = entry[2]
                else:
                    still.insert(0, entry)
            self._idle = still
        for connection in ended:
            connection.close()
        return found

    def give(self, scheme: str, host: str, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if len(self._idle) < _MOST_IDLE:
                self._idle.append((time.monotonic(), (scheme, host), connection))
                return
        connection.close()

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for _, _, connection in idle:
            connection.close()


class Transport:
    def __init__(
        self,
        url: str,
        max_retries: int,
        timeout: float,
        on_response: Optional[Callable[[ResponseInfo], None]],
        ssl_context: Optional[ssl.SSLContext],
    ) -> None:
        self._url = origin_of(url, "url")
        self._max_retries = max_retries
        self._timeout = timeout
        self._on_response = on_response
        self._ssl = ssl_context
        self._connections = _Connections()

    def close(self) -> None:
        self._connections.close()

    def send(self, request: Request) -> Response:
        retries = 0
        attempt = 0
        previous: Optional[UnifiedError] = None
        while True:
            attempt += 1
            try:
                return self._attempt(request, attempt)
            except UnifiedError as error:
                if not (error.status == 429 and request.patient):
                    retries += 1
                    if (
                        retries > self._max_retries
                        or (error.retry_after or 0) > _LONGEST_WAIT_SECONDS
                        or not _is_worth_repeating(error, request, previous)
                    ):
                        raise
                previous = error
                # A resend that may have arrived must not be resent: without the option, the service checks the outcome
                # of the first one.
                if error.status != 429 and request.query.get("onUnknown"):
                    request = replace(request, query={**request.query, "onUnknown": None})
                wait = backoff_seconds(attempt, error.retry_after)
            time.sleep(wait)

    def _attempt(self, request: Request, attempt: int) -> Response:
        try:
            status, headers, text = self._exchange(request)
        except UnifiedError:
            self._tell(ResponseInfo(request.method, request.path, 0, attempt))
            raise
        self._tell(ResponseInfo(request.method, request.path, status, attempt, **_read_headers(headers)))
        if not 200 <= status < 300:
            raise error_from(status, headers, text)
        if status == 204:
            return Response(None, headers)
        try:
            return Response(json.loads(text), headers)
        except ValueError as error:
            detail = "The response is not JSON."
            raise UnifiedError("unreadable_answer", status, detail, requestId=headers.get("x-request-id")) from error

    def _tell(self, info: ResponseInfo) -> None:
        if self._on_response:
            self._on_response(info)

    def _exchange(self, request: Request) -> Tuple[int, Dict[str, str], str]:
        """Within the timeout of one attempt."""
        origin = urlsplit(request.origin or self._url)
        scheme, host = origin.scheme, origin.netloc
        path = origin.path + request.path
        query = urlencode({name: value for name, value in request.query.items() if value is not None})
        target = f"{path}?{query}" if query else path
        deadline = time.monotonic() + self._timeout
        kept = None if request.once else self._connections.take(scheme, host)
        try:
            if kept:
                try:
                    return self._on(kept, scheme, host, target, request, deadline)
                except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                    pass  # the server closed it between two calls; a repetition has no second effect
            return self._on(self._open(scheme, host), scheme, host, target, request, deadline)
        except (socket.timeout, TimeoutError) as error:
            detail = f"{request.method} {request.path} got no response within {self._timeout:g} s."
            raise UnifiedError("timeout", 0, detail) from error
        except (OSError, http.client.HTTPException) as error:
            detail = f"{request.method} {request.path} failed: {error or type(error).__name__}."
            raise UnifiedError("network_error", 0, detail) from error

    def _open(self, scheme: str, host: str) -> http.client.HTTPConnection:
        if scheme == "http":
            return http.client.HTTPConnection(host, timeout=self._timeout)
        context = self._ssl or ssl.create_default_context()
        proxy = None if proxy_bypass(host) else getproxies().get("https")
        if not proxy:
            return http.client.HTTPSConnection(host, timeout=self._timeout, context=context)
        through = urlsplit(proxy if "//" in proxy else f"//{proxy}").netloc
        connection = http.client.HTTPSConnection(through, timeout=self._timeout, context=context)
        connection.set_tunnel(host)
        return connection

    def _on(
        self,
        connection: http.client.HTTPConnection,
        scheme: str,
        host: str,
        target: str,
        request: Request,
        deadline: float,
    ) -> Tuple[int, Dict[str, str], str]:
        def in_time() -> None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            if connection.sock:
                connection.sock.settimeout(left)

        headers = {name: value for name, value in request.headers.items() if value is not None}
        is_whole = False
        try:
            in_time()
            connection.request(request.method, target, body=request.body, headers=headers)
            in_time()
            response = connection.getresponse()
            chunks = []
            while True:
                in_time()
                chunk = response.read(_CHUNK)
                if not chunk:
                    break
                chunks.append(chunk)
            if response.length:
                raise http.client.IncompleteRead(b"".join(chunks), response.length)
            is_whole = not response.will_close
            received = {name.lower(): value for name, value in response.getheaders()}
            return response.status, received, b"".join(chunks).decode("utf-8", "replace")
        finally:
            if is_whole:
                self._connections.give(scheme, host, connection)
            else:
                connection.close()


def _is_worth_repeating(error: UnifiedError, request: Request, previous: Optional[UnifiedError]) -> bool:
    """A repeated POST is replayed by its key, and a repeated GET or PUT leaves the same state, so retries are safe. Two
    exceptions: an update with If-Match would fail because of its own first attempt if the response was lost, and an
    unknown outcome is worth one more attempt, not four.
    """
    if request.once or request.headers.get("if-match"):
        return error.status == 429
    if error.code == "outcome_unknown":
        return previous is None or previous.code != "outcome_unknown"
    return error.is_retryable and error.code not in ("reference_pending", "not_ready")


def _read_headers(headers: Mapping[str, str]) -> Dict[str, Any]:
    waited = headers.get("x-queue-wait-ms")
    limit = re.match(r'"(\d+)-per-[^"]*";r=(\d+);t=(\d+)', headers.get("ratelimit") or "")
    return {
        "request_id": headers.get("x-request-id"),
        "waited_ms": None if waited is None else float(waited),
        "rate_limit": dict(zip(("limit", "left", "reset_seconds"), map(int, limit.groups()))) if limit else None,
    }
