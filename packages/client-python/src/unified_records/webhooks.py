"""The check of the signature of webhooks (Standard Webhooks)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, List, Mapping, Sequence, Union

from .error import UnifiedError

_TOLERANCE_SECONDS = 300
_PREFIX = "whsec_"


def verify_webhook(
    headers: Mapping[str, str], body: Union[bytes, str], secret: Union[str, Sequence[str]]
) -> Dict[str, Any]:
    """Returns the event if the request is signed with the secret and not older than five minutes, and raises a
    `UnifiedError` with the code `invalid_webhook` if not. `secret` can be a list. The body must be the raw one: parsed
    and written again, it has another signature.
    """
    keys = [_key(one) for one in ([secret] if isinstance(secret, str) else secret)]
    given = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not given.get(name):
            raise _invalid(f"it has no header {name}")
    timestamp = given["webhook-timestamp"]
    if not re.fullmatch(r"\d{1,12}", timestamp) or abs(time.time() - int(timestamp)) > _TOLERANCE_SECONDS:
        raise _invalid("its timestamp is not within five minutes of the clock of this computer")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{given['webhook-id']}.{timestamp}.".encode() + raw
    signatures: List[bytes] = []
    for part in given["webhook-signature"].split(" "):
        if part.startswith("v1,"):
            signatures.append(_decoded(part[3:]))
    for key in keys:
        expected = hmac.new(key, signed, hashlib.sha256).digest()
        if any([hmac.compare_digest(expected, signature) for signature in signatures]):
            event: Dict[str, Any] = json.loads(raw)
            return event
    raise _invalid("no signature is from this secret")


def _invalid(reason: str) -> UnifiedError:
    return UnifiedError("invalid_webhook", 0, f"The request is not a valid webhook: {reason}.")


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _key(secret: str) -> bytes:
    key = _decoded(secret[len(_PREFIX) :] if secret.startswith(_PREFIX) else secret)
    if not key:
        raise UnifiedError("invalid_client", 0, "The secret of a webhook endpoint is whsec_ followed by base64.")
    return key
