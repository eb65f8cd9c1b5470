"""The one class of errors."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Optional

from .waiting import retry_after_seconds

_PASSING = {0, 408, 429, 500, 502, 503, 504}
_RETRYABLE = {"write_in_progress", "reference_pending", "not_ready", "unreadable_answer"}


class UnifiedError(Exception):
    """Every failure of a call. `code` is from the error table of the service, or one of the client's own:
    `network_error`, `timeout`, `unreadable_answer`, `http_error`, `invalid_client`, `invalid_webhook`,
    `invalid_connect_result`.
    """

    def __init__(self, code: str, status: int, detail: str, **more: Any) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        #: 0 if there was no response.
        self.status = status
        self.detail = detail
        self.title: str = more.get("title") or code
        #: Errors per field: `pointer` is a JSON pointer into the body of the request.
        self.errors: List[Dict[str, Any]] = more.get("errors") or []
        #: Seconds to wait before a retry.
        self.retry_after: Optional[float] = more.get("retry_after")
        #: Identifies the request in the activity and in the logs of the service.
        self.request_id: Optional[str] = more.get("requestId")
        #: The error of the platform.
        self.downstream: Optional[Dict[str, Any]] = more.get("downstream")
        #: The platform's id of the record, if there is one.
        self.id: Optional[str] = more.get("id")
        self.reference: Optional[Dict[str, Any]] = more.get("reference")
        #: With `idempotency_conflict`: the differences between the written and the new record.
        self.differences: List[Dict[str, Any]] = more.get("differences") or []
        #: With `cursor_expired`: why.
        self.reason: Optional[str] = more.get("reason")
        #: With `not_ready`: how far the first walk is.
        self.progress: Optional[Dict[str, Any]] = more.get("progress")
        #: With `insufficient_scope`: the scope that the credential lacks, or the limit that excludes the request.
        self.scope: Optional[str] = more.get("scope")
        self.limit: Optional[str] = more.get("limit")

    @property
    def is_retryable(self) -> bool:
        """Whether the same request can succeed later without anything else being done."""
        if self.code in _RETRYABLE:
            return True
        return self.status in _PASSING and self.code != "reconnect_required" and not self.code.startswith("invalid_")

    @property
    def needs_reconnect(self) -> bool:
        """Whether the customer must connect the account again: create a connect link with its id."""
        return self.code == "reconnect_required"


def error_from(status: int, headers: Mapping[str, str], text: str) -> UnifiedError:
    """Reads an error response: a problem document, an OAuth error, or anything that a proxy sends."""
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    more = dict(body) if isinstance(body, dict) else {}
    code = more.pop("code", None) or more.pop("error", None) or "http_error"
    detail = more.pop("detail", None) or more.pop("error_description", None) or f"The response was {status}."
    more.pop("status", None)
    if headers.get("x-request-id"):
        more["requestId"] = headers["x-request-id"]
    more["retry_after"] = retry_after_seconds(headers)
    return UnifiedError(str(code), status, str(detail), **more)
