"""What calls return."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Generic, Iterator, List, Mapping, Optional, TypeVar

from .error import UnifiedError

R = TypeVar("R")
T = TypeVar("T")


@dataclass(frozen=True)
class ResponseInfo:
    """One attempt of a call, for `on_response`."""

    method: str
    path: str
    #: 0 if there was no response.
    status: int
    attempt: int
    request_id: Optional[str] = None
    #: How long the request waited for the platform's rate limit.
    waited_ms: Optional[float] = None
    #: `limit`, `left` and `reset_seconds` of the platform's rate limit.
    rate_limit: Optional[Mapping[str, int]] = None


@dataclass(frozen=True)
class Page(Generic[R]):
    data: List[R]
    has_more: bool
    #: Where the next page begins.
    cursor: Optional[str] = None
    warnings: List[Dict[str, Any]] = field(default_factory=list)
    native: Optional[Dict[str, Any]] = None


@dataclass(frozen=True)
class Answer(Generic[R]):
    data: R
    #: The version of the record, for `if_match`, where the platform has versions.
    etag: Optional[str] = None
    warnings: List[Dict[str, Any]] = field(default_factory=list)
    native: Optional[Dict[str, Any]] = None


@dataclass(frozen=True)
class Found(Generic[R]):
    #: None: no record was written or linked under this id.
    data: Optional[R]
    #: `outcome` of the write, and `id` of the record at the platform.
    reference: Optional[Dict[str, Any]] = None
    warnings: List[Dict[str, Any]] = field(default_factory=list)
    native: Optional[Dict[str, Any]] = None


@dataclass(frozen=True)
class Written(Generic[R]):
    data: R
    #: The platform's id of the record.
    id: str
    #: Your own id of the record.
    external_id: str
    #: The record was written before: this is the response of that write.
    replayed: bool = False
    etag: Optional[str] = None
    warnings: List[Dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Failed:
    index: int
    external_id: Optional[str]
    error: UnifiedError


@dataclass(frozen=True)
class Progress(Generic[T]):
    """After each record of `create_many`. Either `written` or `error` is set."""

    index: int
    record: T
    done: int
    replayed: int
    failed: int
    written: Optional[Written[Any]] = None
    error: Optional[UnifiedError] = None


@dataclass
class CreatedMany:
    done: int = 0
    #: Of these, the records that had been written before.
    replayed: int = 0
    failed: List[Failed] = field(default_factory=list)


class RecordList(Generic[R]):
    """Iterate over it for all records, over `pages()` for all pages; `page()` is one page. Sends nothing before."""

    def __init__(self, fetch: Callable[[Optional[str]], Page[R]]) -> None:
        self._fetch = fetch

    def page(self) -> Page[R]:
        return self._fetch(None)

    def pages(self) -> Iterator[Page[R]]:
        cursor: Optional[str] = None
        while True:
            page = self._fetch(cursor)
            yield page
            cursor = page.cursor
            if not cursor:
                return

    def __iter__(self) -> Iterator[R]:
        for page in self.pages():
            yield from page.data
