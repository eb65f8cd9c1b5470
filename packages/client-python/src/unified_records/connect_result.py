"""The result of a connect link, in the address that a customer returns to."""

from __future__ import annotations

import hashlib
import hmac
import time
from dataclasses import dataclass
from typing import Callable, Optional, Union
from urllib.parse import parse_qsl, urlencode, urlsplit

from .error import UnifiedError


@dataclass(frozen=True)
class ConnectResult:
    #: `connected` or `failed`.
    status: str
    link_id: str
    #: Unix seconds.
    timestamp: int
    #: What the link was created with.
    state: Optional[str] = None
    #: With `connected`.
    account_id: Optional[str] = None
    #: With `failed`: `access_denied`, `cancelled`, `authorization_failed`, `connection_failed` or `link_expired`. The
    #: link still works unless it has expired.
    error: Optional[str] = None


def verify_connect_result(
    url: str,
    signing_secret: Union[str, Callable[[str], Optional[str]]],
    max_age_seconds: float = 300,
) -> ConnectResult:
    """Returns the result if the service signed this address within the last five minutes, and raises a `UnifiedError`
    with the code `invalid_connect_result` if not. `url` can be a path. `signing_secret` is that of the link, or a
    function that looks it up by the id of the link.
    """
    pairs = parse_qsl(urlsplit(url).query, keep_blank_values=True)
    signature = next((value for name, value in pairs if name == "signature"), "")
    signed = sorted((pair for pair in pairs if pair[0] != "signature"), key=lambda pair: pair[0])
    values = dict(reversed(signed))
    link_id = values.get("linkId", "")
    secret = signing_secret if isinstance(signing_secret, str) else signing_secret(link_id)
    if not secret:
        raise _invalid("no signing secret is known for its link")
    # As browsers write a query: ~ is escaped, * is not.
    content = urlencode(signed, safe="*").replace("~", "%7E")
    expected = hmac.new(secret.encode(), content.encode(), hashlib.sha256).hexdigest()
    if not hmac.compare_digest(expected.encode(), signature.lower().encode()):
        raise _invalid("its signature is not from this secret")
    timestamp = values.get("timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > max_age_seconds:
        raise _invalid(f"it is older than {max_age_seconds:g} seconds, or the clock of this computer is wrong")
    is_connected = values.get("status") == "connected"
    return ConnectResult(
        status="connected" if is_connected else "failed",
        link_id=link_id,
        timestamp=int(timestamp),
        state=values.get("state"),
        account_id=values.get("accountId") if is_connected else None,
        error=None if is_connected else values.get("error"),
    )


def _invalid(reason: str) -> UnifiedError:
    detail = f"The address is not a valid result of a connect link: {reason}."
    return UnifiedError("invalid_connect_result", 0, detail)
