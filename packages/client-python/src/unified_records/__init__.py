"""The client of the Unified Records API."""

__version__ = "0.2.0"

from .client import Account, Client
from .changes import Changes
from .connect_result import ConnectResult, verify_connect_result
from .entity import ReadOnlyRecords, Records
from .error import UnifiedError
from .manage import Manage
from .results import Answer, CreatedMany, Failed, Found, Page, Progress, RecordList, ResponseInfo, Written
from .webhooks import verify_webhook

__all__ = [
    "Account",
    "Answer",
    "Changes",
    "Client",
    "ConnectResult",
    "CreatedMany",
    "Failed",
    "Found",
    "Manage",
    "Page",
    "Progress",
    "ReadOnlyRecords",
    "RecordList",
    "Records",
    "ResponseInfo",
    "UnifiedError",
    "Written",
    "verify_connect_result",
    "verify_webhook",
]
