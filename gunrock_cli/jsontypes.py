"""The types of what records and other JSON hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypedDict

Scalar: TypeAlias = str | int | float | bool | None
"""The value of an option, or of a cell of a table."""
Metric: TypeAlias = int | float | str
"""A figure of a primitive's own, or text."""
Json: TypeAlias = Scalar | Sequence["Json"] | Mapping[str, "Json"]


class Verdict(TypedDict, total=False):
    """A ``Validation`` as a record holds it: without what is not known."""

    verdict: str
    reference: str
    method: str
    message: str
    sources: int
    extent: str


class QueueUse(TypedDict, total=False):
    """The frontier's queues: capacities in items, how often they grew, and bytes."""

    items: list[int]
    growths: int
    bytes: int
