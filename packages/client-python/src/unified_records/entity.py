"""The records of one entity type."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any, Callable, Dict, Generic, Iterable, List, Mapping, Optional, Sequence, TypeVar, Union, cast

from . import records as types
from .error import UnifiedError
from .results import Answer, CreatedMany, Failed, Found, Page, Progress, RecordList, Written
from .transport import Request, Response, Send, json_request, path_of

R = TypeVar("R")
I = TypeVar("I", bound=Mapping[str, Any])  # noqa: E741
MappingKey = Callable[[str, bool], Optional[str]]

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


def prefer(wait: Optional[float]) -> Dict[str, Optional[str]]:
    return {"prefer": None if wait is None else f"wait={wait:g}"}


def joined(names: Optional[Iterable[str]]) -> Optional[str]:
    return None if names is None else ",".join([names] if isinstance(names, str) else names)


def _instant(time: Union[datetime, str, None]) -> Optional[str]:
    if not isinstance(time, datetime):
        return time
    if time.tzinfo is None:
        raise ValueError("updated_after must have a time zone, such as datetime.now(timezone.utc).")
    return time.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


class ReadOnlyRecords(Generic[R]):
    """The records of one entity type of an account."""

    def __init__(self, send: Send, path: str, mapping_key: MappingKey) -> None:
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
                    "fields": joined(fields),
                    "include": include,
                }
            query["mappingKey"] = self._mapping_key("read", True)
            body = self._send(Request("GET", self._path, query=query, headers=prefer(wait))).body
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
        query = {"fields": joined(fields), "include": include, "mappingKey": self._mapping_key("read", True)}
        response = self._send(Request("GET", self._path + path_of(id), query=query, headers=prefer(wait)))
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
            "fields": joined(fields),
            "include": include,
            "mappingKey": self._mapping_key("read", True),
        }
        body = self._send(Request("GET", self._path, query=query, headers=prefer(wait))).body
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
        totals: Optional[str] = None,
        guard: Optional[str] = None,
        confirm_duplicate: bool = False,
        wait: Optional[float] = None,
    ) -> Written[R]:
        """Writes the record once per `externalId`, however often it is sent."""
        query = {
            "onUnknown": on_unknown,
            "references": references,
            "totals": totals,
            "guard": guard,
            "confirmDuplicate": "true" if confirm_duplicate else None,
        }
        return self._create(record, query, wait, False)

    def _create(
        self, record: I, query: Dict[str, Optional[str]], wait: Optional[float], patient: bool
    ) -> Written[R]:
        query["mappingKey"] = self._mapping_key("write", True)
        request = json_request("POST", self._path, record, query=query, headers=prefer(wait), patient=patient)
        return _written(self._send(request))

    def dry_run(
        self,
        record: I,
        *,
        check_only: bool = False,
        references: Optional[str] = None,
        totals: Optional[str] = None,
        wait: Optional[float] = None,
    ) -> types.DryRun:
        """What a create would send, with missing fields and warnings. Writes nothing. `check_only`: validates without a
        call to the platform.
        """
        query = {
            "dryRun": "check" if check_only else "true",
            "references": references,
            "totals": totals,
            "mappingKey": self._mapping_key("write", True),
        }
        request = json_request("POST", self._path, record, query=query, headers=prefer(wait))
        return cast(types.DryRun, self._send(request).body)

    def update(
        self,
        id: str,
        record: I,
        *,
        if_match: Optional[str] = None,
        references: Optional[str] = None,
        totals: Optional[str] = None,
        wait: Optional[float] = None,
    ) -> Written[R]:
        """Replaces the whole record. `id` is the platform's id. With `if_match`, only if it has not changed since."""
        query = {"references": references, "totals": totals, "mappingKey": self._mapping_key("write", False)}
        headers = {**prefer(wait), "if-match": if_match}
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
