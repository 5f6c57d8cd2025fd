"""The declaration of a generator and its parameters, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

MAX_NODES = 2**31 - 1
Values = Mapping[str, Any]
"""A generator's complete parameters."""


@dataclass(frozen=True)
class Param:
    """One parameter. ``default`` None means "derived from the others"."""

    key: str
    kind: type
    default: Any
    help: str
    minimum: float | None = None
    maximum: float | None = None

    @property
    def flag(self) -> str:
        return "--" + self.key.replace("_", "-")


def _nodes(values: Values) -> int:
    return int(values["nodes"])


def _edges(values: Values) -> int:
    return int(values["edges"])


@dataclass(frozen=True)
class Generator:
    """``label`` is a format string over the complete parameters; ``version`` goes up when the same
    parameters begin to give a different graph.

    ``vertices`` and ``edges`` (before cleaning) are known in advance: the number, or about that number if
    it is left to chance. Making takes ``edge_bytes`` and ``vertex_bytes`` of host memory for each.
    ``refusal`` says why parameters that are each in range do not go together, or is None. ``family`` is
    the module with a function of the generator's name; empty if a module of that name makes its
    ``edges``.
    """

    name: str
    summary: str
    params: tuple[Param, ...]
    label: str
    graph_class: str  # "generated, scale-free" or "generated, mesh-like"
    version: int = 1
    vertices: Callable[[Values], int] = _nodes
    edges: Callable[[Values], int] = _edges
    edge_bytes: int = 8
    vertex_bytes: int = 0
    refusal: Callable[[Values], str | None] = lambda values: None
    family: str = ""
