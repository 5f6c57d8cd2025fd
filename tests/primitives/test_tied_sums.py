"""Shortest paths with different sums of float32 weights that are rounded to one.

A vertex that gets closer then may offer its neighbors nothing new: the vertex that offered them the same
distance before must have made sure that they are expanded."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from several import backend_of

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.operators import advance_ahead
from gunrock_cli.primitives.sssp import PRIMITIVE

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
WAYS: list[dict[str, Any]] = [
    {},
    {"mark_pred": True},
    {"priority_queue": False},
    {"run_ahead": "off"},
    {"run_ahead": "on", "delta": "0.5"},
    {"run_ahead": "on", "delta": "1e9"},
    {"direction": "optimized"},
    {"fusion": "off"},
    {"redundancy": "bitmap"},
    {"redundancy": "none"},
    {"run_ahead": "off", "delta": "0.5"},
]


def two_ways() -> Graph:
    """Vertex 3 gets closer by a little that is lost on the way to vertex 4."""
    u, v = np.array([(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (4, 5)]).T
    weights = np.array([0.25, 0.25, 0.75 - 2**-24, 0.75 - 2**-23, 3, 1], np.float32)
    return build_graph(6, u, v, weights, xp=np)


def lattice(side: int, seed: int) -> Graph:
    """A tenth of the edges is missing; weights differ by powers of ten and in the last places."""
    draw = np.random.default_rng(seed)
    at = np.arange(side * side).reshape(side, side)
    u = np.concatenate([at[:, :-1].ravel(), at[:-1].ravel()])
    v = np.concatenate([at[:, 1:].ravel(), at[1:].ravel()])
    kept = draw.random(len(u)) < 0.9
    u, v = u[kept], v[kept]
    weights = (1 - draw.integers(0, 4, len(u)) * 2.0**-24) * 10.0 ** draw.integers(-2, 3, len(u))
    return build_graph(side * side, u, v, weights.astype(np.float32), xp=np)


def rounded_distances(graph: Graph) -> np.ndarray[Any, Any]:
    """Distances from vertex 0, by float32 sums: rounding keeps their order, so any search must find
    these."""
    csr = graph.csr
    assert csr.values is not None
    sources, found = csr.sources(), np.full(graph.n, np.inf, np.float32)
    found[0] = 0
    while True:
        before = found.copy()
        np.minimum.at(found, csr.column_indices, before[sources] + csr.values)
        if (before == found).all():
            return found


def check(graph: Graph, backend: Backend, options: dict[str, Any], **protocol: Any) -> None:
    defaults = {option.key: option.default for option in PRIMITIVE.options}
    measured = measure(
        PRIMITIVE,
        graph.to(backend.xp),
        defaults | options,
        [0],
        backend,
        Protocol(**{"runs": 2, "warmup": 0} | protocol),
    )
    if measured.failure is not None:
        raise measured.failure
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    np.testing.assert_array_equal(measured.outputs["distances"], rounded_distances(graph))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("options", WAYS, ids=str)
def test_every_way_of_searching(options: dict[str, Any], backend: str) -> None:
    for graph in (two_ways(), lattice(30, 1)):
        check(graph, choose_backend(backend, 2), options)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("delta", ["auto", "0.5", "1e9"])
def test_over_a_copy_of_the_lists(delta: str, loop: str, backend: str) -> None:
    """Copy the lists, as a GPU does by default."""
    for graph in (two_ways(), lattice(40, 2), lattice(40, 3)):
        with patch.object(advance_ahead, "pads_ahead", return_value=True):
            for threads in (1, 3):
                check(
                    graph,
                    choose_backend(backend, threads),
                    {"run_ahead": "on", "delta": delta},
                    loop=loop,
                )


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "options",
    [{}, {"mark_pred": True}, {"priority_queue": False}, {"run_ahead": "on"}, {"direction": "optimized"}],
    ids=str,
)
def test_over_several_devices(options: dict[str, Any], backend: str) -> None:
    chosen, counts = backend_of(backend)
    for graph in (two_ways(), lattice(30, 4)):
        for devices in counts:
            for partition in ("contiguous", "random"):
                check(graph, chosen, options, devices=str(devices), partition=partition)


@pytest.mark.gpu
@pytest.mark.parametrize("seed", range(40))
def test_large_lattices(seed: int) -> None:
    check(lattice(400, seed), choose_backend("cuda"), {}, runs=3)
