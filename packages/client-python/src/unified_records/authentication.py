"""Authentication: an API key (form A), or an access token that is fetched, shared, and renewed (form B)."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Optional, Tuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from .error import UnifiedError
from .transport import Request, Response, Send, origin_of

_TOKEN_PREFIX = "/api/1.0/standalone-link-engine-service"
_RENEWAL_SECONDS = 60.0


def authenticated(
    send: Send,
    api_key: Optional[str],
    access_id: Optional[str],
    access_secret: Optional[str],
    auth_url: Optional[str],
) -> Tuple[bool, Send]:
    """Whether requests have mapping keys, and what sends them."""
    if api_key and not access_id and not access_secret and not auth_url:
        key = api_key
        return False, lambda request: send(_authorized(request, key))
    if not api_key and access_id and access_secret:
        return True, _Tokens(send, access_id, access_secret, auth_url).send
    raise ValueError("Client takes either api_key, or access_id and access_secret (and optionally auth_url).")


def _authorized(request: Request, token: str) -> Request:
    return replace(request, headers={**request.headers, "authorization": f"Bearer {token}"})


class _Tokens:
    def __init__(self, send: Send, access_id: str, access_secret: str, auth_url: Optional[str]) -> None:
        self._send = send
        form = {"client_id": access_id, "client_secret": access_secret, "grant_type": "client_credentials"}
        endpoint = Request("POST", f"{_TOKEN_PREFIX}/oauth/server/access-token")
        if auth_url:
            parts = urlsplit(origin_of(auth_url, "auth_url"))
            origin = f"{parts.scheme}://{parts.netloc}"
            endpoint = Request("POST", parts.path or "/", query=dict(parse_qsl(parts.query)), origin=origin)
        self._request = replace(
            endpoint,
            headers={"content-type": "application/x-www-form-urlencoded"},
            body=urlencode(form).encode(),
        )
        self._lock = threading.Lock()
        self._token: Optional[str] = None
        self._renew_at = 0.0

    def _current(self, rejected: Optional[str] = None) -> str:
        """Threads that need a token at the same time share one request."""
        with self._lock:
            if self._token is None or self._token == rejected or time.monotonic() >= self._renew_at:
                body = self._send(self._request).body
                lifetime = float(body["expires_in"])
                self._renew_at = time.monotonic() + lifetime - min(_RENEWAL_SECONDS, lifetime / 2)
                self._token = str(body["access_token"])
            return self._token

    def send(self, request: Request) -> Response:
        if not request.path.startswith("/manage/"):
            request = replace(request, path=_TOKEN_PREFIX + request.path)
        token = self._current()
        try:
            return self._send(_authorized(request, token))
        except UnifiedError as error:
            if error.code != "unauthorized":
                raise
        return self._send(_authorized(request, self._current(rejected=token)))
