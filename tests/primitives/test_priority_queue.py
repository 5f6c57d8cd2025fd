"""The near-far priority queue on its own: a primitive that only splits, with its own priorities."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gunrock_cli.bench.runner import Protocol, measure
from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.options import Options


class Rounds(Primitive):
    """The window of the priorities into which each vertex falls."""

    name = "rounds"
    summary = "Test of the priority queue."
    needs_source = False
    kernel = Path(__file__).with_name("priority_queue.cuh")

    def __init__(self, priority: np.ndarray[Any, Any], delta: float) -> None:
        self.priority = priority
        self.delta = delta

    def problem(self, graph: Graph, options: Options) -> dict[str, Array | int | float]:
        xp = graph.xp
        return {
            "priority": xp.asarray(self.priority),
            "delta": self.priority.dtype.type(self.delta),
            "rounds": xp.empty(graph.n, np.int32),
            "visits": xp.empty(graph.n, np.int32),
            "far": xp.empty(2 * graph.n, np.int32),
        }

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        problem["rounds"].fill(-1)
        problem["visits"].fill(0)

    def outputs(self, problem: dict[str, Any], graph: Graph, options: Options) -> dict[str, Array]:
        return {"rounds": problem["rounds"], "visits": problem["visits"]}


def rounds(backend: Backend, priority: np.ndarray[Any, Any], delta: float, loop: str) -> Any:
    n = len(priority)
    weights = np.ones(1, priority.dtype)
    graph = build_graph(n, np.array([0]), np.array([n - 1]), weights, xp=backend.xp)
    protocol = Protocol(runs=2, validate=False, loop=loop)
    return measure(Rounds(priority, delta), graph, {}, [], backend, protocol).outputs


@pytest.mark.parametrize("backend", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("dtype", [np.int32, np.float32])
def test_split_by_windows(backend: str, loop: str, dtype: Any) -> None:
    priority = np.random.default_rng(3).integers(0, 40, 30_000).astype(dtype)
    found = rounds(choose_backend(backend, 3), priority, 8, loop)
    np.testing.assert_array_equal(found["rounds"], 1 + priority // 8)
    assert (found["visits"] == 1).all()
