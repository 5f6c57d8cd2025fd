"""Distances by weight and the nearest vertices, from many sources side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import pytest
from primitives.graphs_for_sets import CORNERS, LARGER, graph_of
from runs_helper import BACKENDS, run_on

from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import lengths
from gunrock_cli.primitives.distances import PRIMITIVE

WAYS: list[dict[str, Any]] = [
    {"weighted": True},
    {"weighted": True, "per": "pair", "within": 70},
    {"weighted": True, "nearest": 3},
    {"nearest": 5, "within": 3},
]
TYPES = ["int32", "float32"]
SMALL = GraphSpec("rmat", params={"scale": 9}, undirected=False)


def weighted(graph: Graph, kind: str, weights: str = "random:1:64") -> Graph:
    return with_weights(graph, weights, kind)


def check(graph: Graph, given: dict[str, Any], backend: str = "cpu", **how: Any) -> Measured:
    found = run_on(PRIMITIVE, graph, {"sample": 12, **given}, backend, check="both", **how)
    assert found.record.validation["verdict"] == "pass", found.record.validation
    return found


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("undirected", [True, False])
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, undirected: bool, backend: str) -> None:
    n, edges, how = CORNERS[name]
    graph = weighted(graph_of(n, edges, undirected=undirected, **how), "int32")
    for given in WAYS:
        check(graph, {**given, "sample": 3 if n > 10**4 else 12}, backend)


def test_empty_graph() -> None:
    for given in WAYS:
        found = run_on(PRIMITIVE, weighted(graph_of(0, []), "int32"), given, check="both")
        assert found.record.validation["verdict"] == "pass"


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("spec", [*LARGER, SMALL], ids=["rmat", "grid2d", "rgg", "directed"])
def test_larger_graphs(spec: GraphSpec, kind: str, backend: str) -> None:
    graph = weighted(load_graph(spec, np), kind)
    for given in WAYS:
        check(graph, given, backend)


@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("weights", ["unit", "random:0:3"])
def test_equal_lengths_and_none(weights: str, loop: str) -> None:
    """Many vertices are equally near, some at no distance."""
    graph = with_weights(load_graph(SMALL, np), weights)
    for given in WAYS:
        check(graph, given, loop=loop)


@pytest.mark.parametrize("threads", [1, 5])
def test_the_same_with_any_number_of_threads(threads: int) -> None:
    graph = weighted(load_graph(SMALL, np), "int32")
    for given in WAYS:
        check(graph, given, threads=threads)


def test_the_nearest_are_networkx_s() -> None:
    graph = weighted(load_graph(SMALL, np), "int32")
    own = nx.DiGraph()
    rows, columns, values = graph.csr.sources(), graph.csr.column_indices, graph.csr.values
    own.add_weighted_edges_from(zip(rows.tolist(), columns.tolist(), values.tolist(), strict=True))
    found = check(graph, {"weighted": True, "nearest": 7}).outputs
    rows = zip(found["sources"], found["nearest"], found["distances"], strict=True)
    for source, near, far in rows:
        paths = nx.single_source_dijkstra_path_length(own, source) if source in own else {}
        best = sorted((length, v) for v, length in paths.items() if v != source)[:7]
        assert list(zip(far[far >= 0].tolist(), near[near >= 0].tolist(), strict=True)) == best


def test_hops_do_not_ask_for_weights() -> None:
    """The nearest by hops are the same, whatever weights a graph has."""
    graph = load_graph(SMALL, np)
    plain = check(graph, {"nearest": 6}).outputs
    for kind in TYPES:
        found = check(weighted(graph, kind), {"nearest": 6}).outputs
        assert all((found[name] == plain[name]).all() for name in plain)
        assert found["distances"].dtype == np.int32


def test_narrow_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vertices wait in the far queue for several slices, and some become nearer there."""
    monkeypatch.setattr(lengths, "WIDTH", 0.5)
    graph = weighted(load_graph(LARGER[0], np), "float32")
    for given in WAYS:
        check(graph, given)


def test_lengths_that_no_number_holds() -> None:
    path = with_weights(graph_of(3, [(0, 1), (1, 2)]), "unit")
    values = np.full(path.m, 2**30 + 1, np.int32)
    path = replace(path, csr=replace(path.csr, values=values))
    failure = run_on(PRIMITIVE, path, {"weighted": True}).failure
    assert isinstance(failure, InputError)
    assert "beyond the range of int32; use --weight-type float32" in str(failure)
    assert check(path, {"weighted": True, "within": 2**30 + 1}).outputs["reached"].tolist() == [2, 3, 2]


def test_what_is_refused() -> None:
    graph = weighted(load_graph(SMALL, np), "int32")
    for given, why in (
        ({"within": 2.5}, "hops are whole numbers"),
        ({"weighted": True, "within": 2.5}, "all weights are whole numbers"),
        ({"nearest": 3, "per": "pair"}, "leave out one"),
        ({"weighted": True, "batch": "128"}, "--batch 128 is for searches together"),
        ({"nearest": 1, "searches": "together"}, "--searches together is for"),
    ):
        with pytest.raises(UsageError, match=why):
            run_on(PRIMITIVE, graph, given)
    with pytest.raises(UsageError, match="the graph has no weights"):
        run_on(PRIMITIVE, load_graph(SMALL, np), {"weighted": True})


@pytest.mark.parametrize(
    ("given", "output"),
    [
        ({"weighted": True}, "reached"),
        ({"weighted": True}, "sums"),
        ({"weighted": True}, "harmonic"),
        ({"weighted": True}, "eccentricities"),
        ({"weighted": True, "per": "pair"}, "distances"),
        ({"weighted": True, "nearest": 3}, "distances"),
        ({"weighted": True, "nearest": 3}, "nearest"),
        ({"nearest": 3}, "nearest"),
    ],
)
def test_validation_rejects(given: dict[str, Any], output: str) -> None:
    graph = weighted(graph_of(9, [(v, v + 1) for v in range(8)]), "int32")
    found = run_on(PRIMITIVE, graph, {"sample": 9, **given})
    outputs = {key: array.copy() for key, array in found.outputs.items()}
    outputs[output].flat[5] += 1
    verdict = PRIMITIVE.validate(graph, found.options, None, outputs)
    assert verdict.verdict == "fail"
    assert output in verdict.message or "nearest" in verdict.message
