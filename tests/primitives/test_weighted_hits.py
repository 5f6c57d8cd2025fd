"""Hubs and authorities with ``weighted``, compared with NumPy's iterates of dense matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import weighted_helper
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pagerank_helper import BACKENDS, LOOPS
from weighted_helper import Edges, check_refusal, small_graphs

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives.hits import PRIMITIVE

EXACT: dict[str, Any] = {"precision": "float64", "tolerance": 0.0, "max_iterations": 12}
Sides = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]


def graph_of(n: int, edges: Edges, backend: str = "cpu", **how: Any) -> Graph:
    return weighted_helper.graph_of(n, edges, backend, **{"undirected": False, **how})


def run(graph: Graph, loop: str = "device", **options: Any) -> Sides:
    measured = measure(
        PRIMITIVE,
        graph,
        PRIMITIVE.asked({"weighted": True, **options}),
        [],
        choose_backend("cpu" if graph.xp is np else "cuda", 3),
        Protocol(runs=1, warmup=0, loop=loop),
    )
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    assert measured.record.options["weighted"] is options.get("weighted", True)
    return measured.outputs["hubs"], measured.outputs["authorities"]


def dense(graph: Graph, iterations: int) -> Sides:
    """The iterates, of which parallel edges add up."""
    csr = graph.to(np).csr
    assert csr.values is not None
    matrix = np.zeros((graph.n, graph.n))
    np.add.at(matrix, (csr.sources(), csr.column_indices), csr.values)
    hubs = authorities = np.full(graph.n, 1 / graph.n)
    for _ in range(iterations):
        authorities = normal(matrix.T @ hubs)
        hubs = normal(matrix @ authorities)
    return hubs, authorities


def normal(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    total = values.sum()
    return values / total if total > 0 else values


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(30), st.sampled_from(LOOPS))
def test_random_graphs(graph: Graph, loop: str) -> None:
    expected = dense(graph, EXACT["max_iterations"])
    for found, side in zip(run(graph, loop, **EXACT), expected, strict=True):
        np.testing.assert_allclose(found, side, rtol=1e-9, atol=1e-12)
    single = run(graph, loop, **{**EXACT, "precision": "float32"})
    for found, side in zip(single, expected, strict=True):
        np.testing.assert_allclose(found, side, atol=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("undirected", [True, False])
def test_middle_sized_graphs(undirected: bool, backend: str) -> None:
    for kind, params in (("rmat", {"scale": 9}), ("smallworld", {"scale": 9, "neighbors": 20})):
        spec = GraphSpec(kind, params=params, undirected=undirected, weights="random:0:64")
        graph = load_graph(spec, choose_backend(backend).xp)
        expected = dense(graph, EXACT["max_iterations"])
        for found, side in zip(run(graph, **EXACT), expected, strict=True):
            np.testing.assert_allclose(found, side, rtol=1e-9, atol=1e-12)
        assert np.abs(run(graph, weighted=False, **EXACT)[0] - expected[0]).sum() > 1e-3


def test_the_largest_weights_stay_in_range() -> None:
    greatest = float(np.finfo(np.float32).max)
    graph = graph_of(3, [(0, 1, greatest), (0, 2, greatest), (1, 2, greatest / 2)])
    for found, side in zip(
        run(graph), dense(graph_of(3, [(0, 1, 2), (0, 2, 2), (1, 2, 1)]), 50), strict=True
    ):
        np.testing.assert_allclose(found, side, atol=1e-5)


def test_refusals(capsys: pytest.CaptureFixture[str]) -> None:
    graph = graph_of(3, [(0, 1, 1), (1, 2, -1)])
    asked = PRIMITIVE.asked({"weighted": True})
    with pytest.raises(InputError, match=r"from 1 to 2.*ranks need weights that are not negative"):
        PRIMITIVE.plan(graph, asked)
    with pytest.raises(UsageError, match="--order degree does not go with --weighted"):
        PRIMITIVE.plan(graph, PRIMITIVE.asked({"weighted": True, "order": "degree"}))
    check_refusal("hits rmat --scale 6 --weighted", "the graph has no weights; use --weights", capsys)
