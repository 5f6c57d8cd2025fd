"""Graphs on the host that claim to be on a GPU, which decides options, layouts and launch shapes: they
show what a GPU would be given, and the lanes backend runs that code on a machine without a GPU."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from gunrock_cli.graph.model.graph import Graph

Kind = TypeVar("Kind", bound=Graph)


@cache
def array_module_of_gpu() -> ModuleType:
    """NumPy by another name."""
    found = ModuleType("on_gpu")
    found.__dict__.update(vars(np), __name__="on_gpu")
    return found


class _OnGpu(Graph):
    """A graph whose ``xp`` is not NumPy, though its arrays are NumPy's."""

    @property
    def xp(self) -> ModuleType:
        return array_module_of_gpu()

    def to(self, xp: ModuleType) -> Graph:
        return self if xp is self.xp else _copied(self, Graph).to(xp)


@cache
def _claiming(kind: Any) -> Any:
    return type(kind.__name__, (_OnGpu, kind), {})


def _copied(graph: Graph, kind: type[Kind]) -> Kind:
    return kind(**{each.name: getattr(graph, each.name) for each in fields(kind)})


def as_on_gpu(graph: Kind) -> Kind:
    """A graph on the host whose options are resolved as on a GPU."""
    found: Kind = _copied(graph, _claiming(type(graph)))  # type: ignore[arg-type]
    return found
