"""Changes of an account: an iteration that resumes from a cursor, and a copy of lists that is kept current."""

from __future__ import annotations

import time
from typing import Any, Callable, Dict, Iterable, Iterator, Optional, Sequence

from .error import UnifiedError
from .records import Change, ChangePage

#: From a cursor, and the seconds to wait for a change.
FetchChanges = Callable[[Optional[str], int], ChangePage]
_NOT_READY_SECONDS = 10.0


def _when_ready(fetch: Callable[[], ChangePage]) -> ChangePage:
    """Waits for the end of the first walk."""
    while True:
        try:
            return fetch()
        except UnifiedError as error:
            if error.code != "not_ready":
                raise
            wait = _NOT_READY_SECONDS if error.retry_after is None else error.retry_after
        time.sleep(wait)


class Changes:
    """Iterate over it for all changes, over `pages()` for pages with changes. Waits for more unless `follow` is False.
    Store `cursor` after a change was processed: an iteration from there repeats at most one page.
    """

    def __init__(
        self,
        fetch: FetchChanges,
        cursor: Optional[str],
        wait: int,
        follow: bool,
        on_cursor: Optional[Callable[[str], object]],
    ) -> None:
        self._fetch = fetch
        self._wait = wait
        self._follow = follow
        self._on_cursor = on_cursor
        self.cursor = cursor
        #: Up to when the feed was complete when it was last caught up.
        self.complete_until: Optional[Dict[str, Any]] = None

    def pages(self) -> Iterator[ChangePage]:
        is_behind = True
        while True:
            wait = 0 if is_behind or not self._follow else max(1, self._wait)
            page = _when_ready(lambda: self._fetch(self.cursor, wait))
            # A page counts when the caller asks for the next one. Until then the cursor leads to the same page.
            if page["data"]:
                yield page
            self.cursor = page["pagination"]["cursor"]
            complete: Any = page.get("completeUntil")
            self.complete_until = complete or self.complete_until
            if self._on_cursor:
                self._on_cursor(self.cursor)
            is_behind = page["pagination"]["hasMore"]
            if not self._follow and not is_behind:
                return

    def __iter__(self) -> Iterator[Change]:
        for page in self.pages():
            yield from page["data"]


def copy_records(
    fetch: FetchChanges,
    read: Callable[[str], Iterable[Any]],
    entity_types: Sequence[str],
    on_record: Callable[[Any, str], object],
    on_change: Callable[[Change], object],
    cursor: Optional[str],
    on_start: Optional[Callable[[], object]],
    on_copied: Optional[Callable[[], object]],
    on_cursor: Optional[Callable[[str], object]],
    wait: int,
    follow: bool,
) -> str:
    """Takes a cursor, reads the lists, then follows the cursor. Starts again if the cursor expires."""

    def copy() -> str:
        # Its changes are so recent that a list may not show them yet: they are applied after the lists.
        first = _when_ready(lambda: fetch(None, 0))
        if on_start:
            on_start()
        for entity_type in entity_types:
            for record in read(entity_type):
                on_record(record, entity_type)
        if on_copied:
            on_copied()
        for change in first["data"]:
            on_change(change)
        if on_cursor:
            on_cursor(first["pagination"]["cursor"])
        return first["pagination"]["cursor"]

    while True:
        changes = Changes(fetch, cursor or copy(), wait, follow, on_cursor)
        try:
            for change in changes:
                on_change(change)
            return str(changes.cursor)
        except UnifiedError as error:
            if error.code != "cursor_expired":
                raise
            cursor = None
