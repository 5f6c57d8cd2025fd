"""The near-far priority queue on its own: a primitive that only splits, with its own priorities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.engine.room import Room
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.variant import Member, Variant


@dataclass(frozen=True)
class Splitting(Variant[Options]):
    """One pass over the windows."""

    priority: np.ndarray[Any, Any]
    delta: float

    kernel = Path(__file__).with_name("priority_queue.cuh")
    answer = ("rounds", "visits")

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {
            "priority": self.graph.xp.asarray(self.priority),
            "delta": self.priority.dtype.type(self.delta),
            "rounds": Room(n, np.int32, filled=-1),
            "visits": Room(n, np.int32, filled=0),
            "far": Room(2 * n, np.int32),
        }


class Rounds(Primitive):
    """The window of the priorities into which each vertex falls."""

    name = "rounds"
    summary = "Test of the priority queue."
    source = None

    def __init__(self, priority: np.ndarray[Any, Any], delta: float) -> None:
        self.priority = priority
        self.delta = delta

    def plan(self, graph: Graph, asked: Options) -> Splitting:
        return Splitting(graph, asked, self.priority, self.delta)


def rounds(backend: Backend, priority: np.ndarray[Any, Any], delta: float, loop: str) -> Any:
    n = len(priority)
    weights = np.ones(1, priority.dtype)
    graph = build_graph(n, np.array([0]), np.array([n - 1]), weights, xp=backend.xp)
    protocol = Protocol(runs=2, check="none", loop=loop)
    return measure(Rounds(priority, delta), graph, {}, [], backend, protocol).outputs


@pytest.mark.parametrize("backend", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("dtype", [np.int32, np.float32])
def test_split_by_windows(backend: str, loop: str, dtype: Any) -> None:
    priority = np.random.default_rng(3).integers(0, 40, 30_000).astype(dtype)
    found = rounds(choose_backend(backend, 3), priority, 8, loop)
    np.testing.assert_array_equal(found["rounds"], 1 + priority // 8)
    assert (found["visits"] == 1).all()
