"""How long to wait before a retry."""

from __future__ import annotations

import random
import re
import time
from email.utils import parsedate_to_datetime
from typing import Mapping, Optional


def retry_after_seconds(headers: Mapping[str, str]) -> Optional[float]:
    """Seconds, from a number or a date, relative to the server's clock if the response has a date."""
    value = (headers.get("retry-after") or "").strip()
    if re.fullmatch(r"\d+(\.\d+)?", value):
        return float(value)
    until = _instant(value)
    if until is None:
        return None
    now = _instant(headers.get("date") or "")
    return max(0.0, until - (time.time() if now is None else now))


def _instant(text: str) -> Optional[float]:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError, IndexError):
        return None


def backoff_seconds(attempt: int, retry_after: Optional[float]) -> float:
    """Exponential backoff with jitter, so that callers that failed together do not retry together."""
    if retry_after is None:
        return min(8.0, 2.0 ** (attempt - 2)) * (0.5 + random.random() / 2)
    return retry_after * (1.0 + random.random() / 10)
