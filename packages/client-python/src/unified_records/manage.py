"""The part of the management API that an application's backend needs, with a key of its workspace."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional

from .results import Page, RecordList
from .transport import Request, Send, json_request, origin_of, path_of

_Object = Dict[str, Any]


class _Calls:
    def __init__(self, send: Send, manage_url: Optional[str]) -> None:
        self._send = send
        self._origin = manage_url and origin_of(manage_url, "manage_url")

    def _call(self, method: str, path: str, body: Optional[Mapping[str, Any]] = None) -> Any:
        # A POST that is repeated after a lost response would create a second object.
        once = method in ("POST", "PATCH")
        origin = self._origin_of(path)
        if body is None:
            return self._send(Request(method, path, origin=origin, once=once)).body
        return self._send(json_request(method, path, body, origin=origin, once=once)).body

    def _list(
        self, path: str, page_size: Optional[int], start: Optional[str], **filters: Optional[str]
    ) -> RecordList[_Object]:
        def fetch(cursor: Optional[str]) -> Page[_Object]:
            limit = None if page_size is None else str(page_size)
            query = {**filters, "limit": limit, "after": cursor or start}
            body = self._send(Request("GET", path, query=query, origin=self._origin_of(path))).body
            return Page(body["data"], "next" in body, body.get("next"))

        return RecordList(fetch)

    def _origin_of(self, path: str) -> Optional[str]:
        """Accounts and connect links have addresses for callers, which do not need the management port."""
        return self._origin if path.startswith("/manage/") else None


_WORKSPACE = "/manage/v1/workspaces/current"


class Accounts(_Calls):
    """Needs the scope `accounts:read`; changes need `manage`."""

    def list(
        self,
        *,
        search: Optional[str] = None,
        platform: Optional[str] = None,
        state: Optional[str] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> RecordList[_Object]:
        return self._list("/accounts", page_size, cursor, search=search, platform=platform, state=state)

    def get(self, account_id: str) -> _Object:
        return dict(self._call("GET", path_of("accounts", account_id)))

    def disable(self, account_id: str) -> _Object:
        return dict(self._call("POST", _WORKSPACE + path_of("accounts", account_id, "disable")))

    def enable(self, account_id: str) -> _Object:
        return dict(self._call("POST", _WORKSPACE + path_of("accounts", account_id, "enable")))

    def delete(self, account_id: str) -> None:
        """With its references, mappings and journal."""
        self._call("DELETE", _WORKSPACE + path_of("accounts", account_id))


class ConnectLinks(_Calls):
    """Needs the scope `connect:create`."""

    def create(self, **link: Any) -> _Object:
        """`url` is for the customer, `signingSecret` for `verify_connect_result`. Both are shown once."""
        return dict(self._call("POST", "/connect-links", link))

    def list(self, *, page_size: Optional[int] = None, cursor: Optional[str] = None) -> RecordList[_Object]:
        return self._list("/connect-links", page_size, cursor)

    def get(self, link_id: str) -> _Object:
        return dict(self._call("GET", path_of("connect-links", link_id)))

    def revoke(self, link_id: str) -> None:
        self._call("DELETE", path_of("connect-links", link_id))


class Watches(_Calls):
    """What is watched for changes. Needs the scope `manage`."""

    def get(self) -> _Object:
        """Of all accounts, by default."""
        return dict(self._call("GET", f"{_WORKSPACE}/watches"))

    def set(self, **watches: Any) -> _Object:
        return dict(self._call("PUT", f"{_WORKSPACE}/watches", watches))

    def list(self, account_id: str) -> _Object:
        return dict(self._call("GET", _WORKSPACE + path_of("accounts", account_id, "watches")))

    def watch(self, account_id: str, entity_type: str, **settings: Any) -> _Object:
        return dict(self._call("PUT", _WORKSPACE + path_of("accounts", account_id, "watches", entity_type), settings))

    def stop(self, account_id: str, entity_type: str) -> _Object:
        return dict(self._call("DELETE", _WORKSPACE + path_of("accounts", account_id, "watches", entity_type)))


class WebhookEndpoints(_Calls):
    """Needs the scope `manage`."""

    def create(self, **endpoint: Any) -> _Object:
        """`secret` is for `verify_webhook`. It is shown once."""
        return dict(self._call("POST", f"{_WORKSPACE}/webhook-endpoints", endpoint))

    def list(self, *, page_size: Optional[int] = None, cursor: Optional[str] = None) -> RecordList[_Object]:
        return self._list(f"{_WORKSPACE}/webhook-endpoints", page_size, cursor)

    def get(self, endpoint_id: str) -> _Object:
        return dict(self._call("GET", _WORKSPACE + path_of("webhook-endpoints", endpoint_id)))

    def update(self, endpoint_id: str, **change: Any) -> _Object:
        return dict(self._call("PATCH", _WORKSPACE + path_of("webhook-endpoints", endpoint_id), change))

    def delete(self, endpoint_id: str) -> None:
        self._call("DELETE", _WORKSPACE + path_of("webhook-endpoints", endpoint_id))


class Manage:
    """The workspace of the credential."""

    def __init__(self, send: Send, manage_url: Optional[str]) -> None:
        self.accounts = Accounts(send, manage_url)
        self.connect_links = ConnectLinks(send, manage_url)
        self.watches = Watches(send, manage_url)
        self.webhook_endpoints = WebhookEndpoints(send, manage_url)
