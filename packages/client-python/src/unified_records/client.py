"""The client: a service, its accounts, and their records."""

from __future__ import annotations

import ssl
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Union, cast

from . import records as types
from .authentication import authenticated
from .changes import Changes, copy_records
from .entities import Entities
from .entity import MappingKey, Records, joined, prefer
from .error import UnifiedError
from .manage import Manage
from .results import ResponseInfo
from .transport import Request, Send, Transport, json_request, path_of


class Account(Entities):
    """One connected account."""

    def __init__(self, send: Send, id: str, mapping_key: MappingKey) -> None:
        self.id = id
        self._send = send
        self._path = path_of("unified", id)
        self._mapping_key = mapping_key
        self._add_entities(self._writable)

    def _writable(self, name: str) -> Records[Any, Any]:
        return Records(self._send, self._path + path_of(name), self._mapping_key)

    def entity(self, name: str) -> Records[Dict[str, Any], Mapping[str, Any]]:
        """By name, which may be known only at run time."""
        return self._writable(name)

    def describe(self) -> types.AccountSupport:
        """What the account supports."""
        return cast(types.AccountSupport, self._send(Request("GET", self._path)).body)

    def native(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        body: Any = None,
        external_id: Optional[str] = None,
        wait: Optional[float] = None,
    ) -> types.NativeResponse:
        """A call of the platform's own API. Needs the scope `native`. Every method except GET needs an `external_id`, and
        is sent once: the same call gets the stored response.
        """
        parts = {"query": query, "headers": headers, "body": body, "externalId": external_id}
        call = {"method": method, "path": path, **{name: part for name, part in parts.items() if part is not None}}
        key = {"mappingKey": self._mapping_key("write", True)}
        request = json_request("POST", f"{self._path}/native", call, query=key, headers=prefer(wait))
        return cast(types.NativeResponse, self._send(request).body)

    def _fetch_changes(
        self, entity_types: Optional[Iterable[str]], page_size: Optional[int], include: Optional[str]
    ) -> Callable[[Optional[str], int], types.ChangePage]:
        entities = joined(entity_types)

        def fetch(cursor: Optional[str], wait: int) -> types.ChangePage:
            query = {
                "cursor": cursor,
                "entityType": entities if cursor is None else None,  # a cursor fixes its entities
                "pageSize": None if page_size is None else str(page_size),
                "include": include,
                "mappingKey": self._mapping_key("read", True),
            }
            request = Request("GET", f"{self._path}/changes", query=query, headers=prefer(wait or None))
            return cast(types.ChangePage, self._send(request).body)

        return fetch

    def changes(
        self,
        entity_types: Optional[Iterable[str]] = None,
        *,
        cursor: Optional[str] = None,
        page_size: Optional[int] = None,
        include: Optional[str] = None,
        wait: int = 30,
        follow: bool = True,
        on_cursor: Optional[Callable[[str], object]] = None,
    ) -> Changes:
        """Changes of watched records, from the cursor or from now on. `follow=False` ends with the last one so far."""
        return Changes(self._fetch_changes(entity_types, page_size, include), cursor, wait, follow, on_cursor)

    def changes_status(self) -> types.FeedStatus:
        """What is watched, and how current it is."""
        query = {"mappingKey": self._mapping_key("read", True)}
        return cast(types.FeedStatus, self._send(Request("GET", f"{self._path}/changes/status", query=query)).body)

    def copy(
        self,
        entity_types: Union[str, Sequence[str]],
        *,
        on_record: Callable[[Any, str], object],
        on_change: Callable[[types.Change], object],
        cursor: Optional[str] = None,
        on_start: Optional[Callable[[], object]] = None,
        on_copied: Optional[Callable[[], object]] = None,
        on_cursor: Optional[Callable[[str], object]] = None,
        wait: int = 30,
        follow: bool = True,
    ) -> str:
        """Reads the lists of these entities and then follows their changes. Returns the cursor, with `follow=False`
        only. `on_start` runs before the lists are read, again after an expired cursor; `on_copied` after them: delete
        the records of your copy that were not among them.
        """
        names: List[str] = [entity_types] if isinstance(entity_types, str) else list(entity_types)
        return copy_records(
            self._fetch_changes(names, None, None),
            lambda name: self.entity(name).list(),
            names,
            on_record,
            on_change,
            cursor,
            on_start,
            on_copied,
            on_cursor,
            wait,
            follow,
        )


class Client:
    """A service. Takes either `api_key`, or `access_id` and `access_secret`. Sends nothing before the first call, and
    can be used by any number of threads.

    `timeout`: seconds for one attempt. `max_retries`: 4 by default. `mapping_keys`: account id to
    `{"read": key, "write": key}`, with an access id. `manage_url`: of the management port, if there is one.
    """

    def __init__(
        self,
        url: str,
        *,
        api_key: Optional[str] = None,
        access_id: Optional[str] = None,
        access_secret: Optional[str] = None,
        auth_url: Optional[str] = None,
        mapping_keys: Optional[Mapping[str, Mapping[str, str]]] = None,
        manage_url: Optional[str] = None,
        max_retries: int = 4,
        timeout: float = 90,
        on_response: Optional[Callable[[ResponseInfo], None]] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._transport = Transport(url, max_retries, timeout, on_response, ssl_context)
        self._mapped, self._send = authenticated(
            self._transport.send, api_key, access_id, access_secret, auth_url
        )
        self._mapping_keys = mapping_keys or {}
        self.manage = Manage(self._send, manage_url)

    def account(
        self, id: str, *, read_mapping_key: Optional[str] = None, write_mapping_key: Optional[str] = None
    ) -> Account:
        own = self._mapping_keys.get(id, {})
        keys = {"read": read_mapping_key or own.get("read"), "write": write_mapping_key or own.get("write")}

        def mapping_key(direction: str, required: bool) -> Optional[str]:
            if not self._mapped:
                return None
            if required and not keys[direction]:
                detail = (
                    f'With access id and secret, a {direction} of account "{id}" needs a {direction} mapping key: '
                    f"give account() a {direction}_mapping_key, or Client() mapping_keys."
                )
                raise UnifiedError("mapping_key_required", 400, detail)
            return keys[direction]

        return Account(self._send, id, mapping_key)

    def platforms(self) -> List[types.PlatformSupport]:
        """The support matrix, with the rate limits of every platform."""
        return list(self._transport.send(Request("GET", "/platforms")).body["data"])

    def close(self) -> None:
        """Closes idle connections."""
        self._transport.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
