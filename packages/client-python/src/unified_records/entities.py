"""The entity types. Generated from the OpenAPI document by `npm run docs`."""

from __future__ import annotations

from typing import Any, Callable

from . import records as types
from .entity import ReadOnlyRecords, Records

ENTITY_TYPES = (
    "product",
    "order",
    "customer",
    "category",
    "employee",
    "time_entry",
    "shift",
    "location",
    "payment",
    "refund",
    "tax_rate",
    "payment_method",
)


class Entities:
    """The records of each entity type."""

    product: Records[types.Product, types.ProductInput]
    order: Records[types.Order, types.OrderInput]
    customer: Records[types.Customer, types.CustomerInput]
    category: Records[types.Category, types.CategoryInput]
    employee: Records[types.Employee, types.EmployeeInput]
    time_entry: ReadOnlyRecords[types.TimeEntry]
    shift: ReadOnlyRecords[types.Shift]
    location: ReadOnlyRecords[types.Location]
    payment: Records[types.Payment, types.PaymentInput]
    refund: ReadOnlyRecords[types.Refund]
    tax_rate: ReadOnlyRecords[types.TaxRate]
    payment_method: ReadOnlyRecords[types.PaymentMethod]

    def _add_entities(self, client: Callable[[str], Records[Any, Any]]) -> None:
        for name in ENTITY_TYPES:
            setattr(self, name, client(name))
