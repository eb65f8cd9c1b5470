"""The client: a service, its accounts, and their records."""

from __future__ import annotations

import ssl
from datetime import datetime, timezone
from typing import Any, Callable, Dict, Generic, Iterable, List, Mapping, Optional, Sequence, TypeVar, Union, cast

from . import records as types
from .authentication import authenticated
from .changes import Changes, copy_records
from .error import UnifiedError
from .manage import Manage
from .results import Answer, CreatedMany, Failed, Found, Page, Progress, RecordList, ResponseInfo, Written
from .transport import Request, Response, Send, Transport, json_request, path_of

R = TypeVar("R")
I = TypeVar("I", bound=Mapping[str, Any])  # noqa: E741
_MappingKey = Callable[[str, bool], Optional[str]]

#: Errors that would also fail every following record.
_HOPELESS = {
    "forbidden",
    "insufficient_scope",
    "unknown_account",
    "unknown_entity",
    "entity_not_offered",
    "method_not_allowed",
    "account_disabled",
    "reconnect_required",
    "mapping_key_required",
    "mapping_key_mismatch",
    "network_error",
    "unavailable",
}


def _prefer(wait: Optional[float]) -> Dict[str, Optional[str]]:
    return {"prefer": None if wait is None else f"wait={wait:g}"}


def _joined(names: Optional[Iterable[str]]) -> Optional[str]:
    return None if names is None else ",".join([names] if isinstance(names, str) else names)


def _instant(time: Union[datetime, str, None]) -> Optional[str]:
    if not isinstance(time, datetime):
        return time
    if time.tzinfo is None:
        raise ValueError("updated_after must have a time zone, such as datetime.now(timezone.utc).")
    return time.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


class ReadOnlyRecords(Generic[R]):
    """The records of one entity type of an account."""

    def __init__(self, send: Send, path: str, mapping_key: _MappingKey) -> None:
        self._send = send
        self._path = path
        self._mapping_key = mapping_key

    def list(
        self,
        *,
        page_size: Optional[int] = None,
        updated_after: Union[datetime, str, None] = None,
        search: Optional[str] = None,
        cursor: Optional[str] = None,
        fields: Optional[Sequence[str]] = None,
        include: Optional[str] = None,
        wait: Optional[float] = None,
    ) -> RecordList[R]:
        """All records when iterated; `page()` is one page. `wait`: how many seconds the service may wait for the
        platform's rate limit, 10 by default and 60 at most. `include="native"` adds what the platform sent.
        """
        since = _instant(updated_after)

        def fetch(following: Optional[str]) -> Page[R]:
            query: Dict[str, Optional[str]] = {"cursor": following}
            if following is None:  # a cursor includes all of it
                query = {
                    "cursor": cursor,
                    "pageSize": None if page_size is None else str(page_size),
                    "updatedAfter": since,
                    "search": search,
                    "fields": _joined(fields),
                    "include": include,
                }
            query["mappingKey"] = self._mapping_key("read", True)
            body = self._send(Request("GET", self._path, query=query, headers=_prefer(wait))).body
            pagination = body["pagination"]
            return Page(
                data=body["data"],
                has_more=pagination["hasMore"],
                cursor=pagination.get("cursor"),
                warnings=body.get("warnings", []),
                native=body.get("native"),
            )

        return RecordList(fetch)

    def get(
        self,
        id: str,
        *,
        fields: Optional[Sequence[str]] = None,
        include: Optional[str] = None,
        wait: Optional[float] = None,
    ) -> Answer[R]:
        """By platform id: `externalId` of a record that was read, `id` of one that was written."""
        query = {"fields": _joined(fields), "include": include, "mappingKey": self._mapping_key("read", True)}
        response = self._send(Request("GET", self._path + path_of(id), query=query, headers=_prefer(wait)))
        body = response.body
        return Answer(body["data"], response.headers.get("etag"), body.get("warnings", []), body.get("native"))

    def find_by_external_id(
        self,
        external_id: str,
        *,
        fields: Optional[Sequence[str]] = None,
        include: Optional[str] = None,
        wait: Optional[float] = None,
    ) -> Found[R]:
        """By your own id, under which the record was written or linked."""
        query = {
            "externalId": external_id,
            "fields": _joined(fields),
            "include": include,
            "mappingKey": self._mapping_key("read", True),
        }
        body = self._send(Request("GET", self._path, query=query, headers=_prefer(wait))).body
        data = body["data"]
        return Found(data[0] if data else None, body.get("reference"), body.get("warnings", []), body.get("native"))


class Records(ReadOnlyRecords[R], Generic[R, I]):
    """The records of one entity type that can be written."""

    def create(
        self,
        record: I,
        *,
        on_unknown: Optional[str] = None,
        references: Optional[str] = None,
        guard: Optional[str] = None,
        confirm_duplicate: bool = False,
        wait: Optional[float] = None,
    ) -> Written[R]:
        """Writes the record once per `externalId`, however often it is sent."""
        query = {
            "onUnknown": on_unknown,
            "references": references,
            "guard": guard,
            "confirmDuplicate": "true" if confirm_duplicate else None,
        }
        return self._create(record, query, wait, False)

    def _create(
        self, record: I, query: Dict[str, Optional[str]], wait: Optional[float], patient: bool
    ) -> Written[R]:
        query["mappingKey"] = self._mapping_key("write", True)
        request = json_request("POST", self._path, record, query=query, headers=_prefer(wait), patient=patient)
        return _written(self._send(request))

    def dry_run(
        self, record: I, *, check_only: bool = False, references: Optional[str] = None, wait: Optional[float] = None
    ) -> types.DryRun:
        """What a create would send, with missing fields and warnings. Writes nothing. `check_only`: validates without a
        call to the platform.
        """
        query = {
            "dryRun": "check" if check_only else "true",
            "references": references,
            "mappingKey": self._mapping_key("write", True),
        }
        request = json_request("POST", self._path, record, query=query, headers=_prefer(wait))
        return cast(types.DryRun, self._send(request).body)

    def update(
        self,
        id: str,
        record: I,
        *,
        if_match: Optional[str] = None,
        references: Optional[str] = None,
        wait: Optional[float] = None,
    ) -> Written[R]:
        """Replaces the whole record. `id` is the platform's id. With `if_match`, only if it has not changed since."""
        query = {"references": references, "mappingKey": self._mapping_key("write", False)}
        headers = {**_prefer(wait), "if-match": if_match}
        return _written(self._send(json_request("PUT", self._path + path_of(id), record, query=query, headers=headers)))

    def create_many(
        self,
        records: Iterable[I],
        *,
        on_unknown: Optional[str] = None,
        references: str = "source",
        on_progress: Optional[Callable[[Progress[I]], None]] = None,
    ) -> CreatedMany:
        """In sequence, as fast as the platform allows. After a crash, run it again: only missing records are written.
        Raises only if no further record could succeed.
        """
        result = CreatedMany()
        for index, record in enumerate(records):
            written: Optional[Written[R]] = None
            failure: Optional[UnifiedError] = None
            try:
                written = self._create(record, {"onUnknown": on_unknown, "references": references}, 60, True)
                result.done += 1
                result.replayed += written.replayed
            except UnifiedError as error:
                if error.status in (401, 403) or error.code in _HOPELESS:
                    raise
                failure = error
                result.failed.append(Failed(index, record.get("externalId"), error))
            if on_progress:
                counts = (result.done, result.replayed, len(result.failed))
                on_progress(Progress(index, record, *counts, written, failure))
        return result


def _written(response: Response) -> Written[Any]:
    body = response.body
    reference = body.get("reference", {})
    external_id = reference.get("externalId", body["data"]["externalId"])
    return Written(
        data=body["data"],
        id=reference.get("id", body["data"]["externalId"]),
        external_id=external_id,
        replayed=reference.get("replayed", False),
        etag=response.headers.get("etag"),
        warnings=body.get("warnings", []),
    )


class Account:
    """One connected account."""

    def __init__(self, send: Send, id: str, mapping_key: _MappingKey) -> None:
        self.id = id
        self._send = send
        self._path = path_of("unified", id)
        self._mapping_key = mapping_key
        self.product: Records[types.Product, types.ProductInput] = self._writable("product")
        self.order: Records[types.Order, types.OrderInput] = self._writable("order")
        self.customer: Records[types.Customer, types.CustomerInput] = self._writable("customer")
        self.category: Records[types.Category, types.CategoryInput] = self._writable("category")
        self.employee: Records[types.Employee, types.EmployeeInput] = self._writable("employee")
        self.time_entry: ReadOnlyRecords[types.TimeEntry] = self._writable("time_entry")
        self.shift: ReadOnlyRecords[types.Shift] = self._writable("shift")
        self.location: ReadOnlyRecords[types.Location] = self._writable("location")

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
        request = json_request("POST", f"{self._path}/native", call, query=key, headers=_prefer(wait))
        return cast(types.NativeResponse, self._send(request).body)

    def _fetch_changes(
        self, entity_types: Optional[Iterable[str]], page_size: Optional[int], include: Optional[str]
    ) -> Callable[[Optional[str], int], types.ChangePage]:
        entities = _joined(entity_types)

        def fetch(cursor: Optional[str], wait: int) -> types.ChangePage:
            query = {
                "cursor": cursor,
                "entityType": entities if cursor is None else None,  # a cursor fixes its entities
                "pageSize": None if page_size is None else str(page_size),
                "include": include,
                "mappingKey": self._mapping_key("read", True),
            }
            request = Request("GET", f"{self._path}/changes", query=query, headers=_prefer(wait or None))
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
