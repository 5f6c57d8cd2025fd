"""Strongly connected components against SciPy, NetworkX and known ones."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from primitives.directed_graphs import CORNERS, FAR, LARGER, directed, path, ring, small_digraphs
from runs_helper import BACKENDS, LOOPS, run_on

from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.scc import PRIMITIVE


def run(graph: Graph, backend: str = "cpu", threads: int = 3, **how: Any) -> Measured:
    return run_on(PRIMITIVE, graph, {}, backend, threads, **how)


def check(graph: Graph, backend: str = "cpu", **how: Any) -> Measured:
    measured = run(graph, backend, check="both", **how)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    return measured


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    check(directed(n, edges, **how), backend)


def test_empty_graph() -> None:
    record = run(directed(0, [])).record
    assert record.validation["verdict"] == "pass"
    assert record.metrics == {"components": 0, "largest_component": 0, "single_vertices": 0}


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_digraphs(), st.sampled_from(LOOPS))
def test_random_graphs(graph: Graph, loop: str) -> None:
    found = check(graph, loop=loop).outputs["components"]
    ends = zip(graph.csr.sources().tolist(), graph.csr.column_indices.tolist(), strict=True)
    own = nx.DiGraph(ends)
    own.add_nodes_from(range(graph.n))
    for component in nx.strongly_connected_components(own):
        assert set(np.flatnonzero(found == min(component)).tolist()) == component


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_digraphs())
def test_condensations_are_networkxs(graph: Graph) -> None:
    found = run_on(PRIMITIVE, graph, {"condense": True}, check="both")
    assert found.record.validation["verdict"] == "pass"
    ends = zip(graph.csr.sources().tolist(), graph.csr.column_indices.tolist(), strict=True)
    own = nx.DiGraph(ends)
    own.add_nodes_from(range(graph.n))
    condensed = nx.condensation(own)
    names = {c: min(condensed.nodes[c]["members"]) for c in condensed}
    edges = zip(found.outputs["sources"].tolist(), found.outputs["targets"].tolist(), strict=True)
    assert list(edges) == sorted((names[u], names[v]) for u, v in condensed.edges)
    for level, some in enumerate(nx.topological_generations(condensed)):
        members = {v for c in some for v in condensed.nodes[c]["members"]}
        assert set(np.flatnonzero(found.outputs["levels"] == level).tolist()) == members


def test_a_wrong_condensation_fails() -> None:
    graph = directed(4, np.array([(0, 1), (1, 0), (1, 2), (2, 3)]))
    found = run_on(PRIMITIVE, graph, {"condense": True})
    wrong = {
        **found.outputs,
        "sources": found.outputs["sources"][:1],
        "targets": found.outputs["targets"][:1],
    }
    verdict = PRIMITIVE.validate(graph, found.options, None, wrong)
    assert verdict.message == "1 edges between components, not 2"
    for levels, message in (
        ([0, 1, 1, 2], "a component has several levels"),
        ([0, 0, 1, 1], "an edge leads to a level that is no greater"),
        ([0, 0, 1, 3], "no edge explains a level"),
        ([1, 1, 2, 3], "no edge explains a level"),
    ):
        wrong = {**found.outputs, "levels": np.array(levels, np.int32)}
        assert PRIMITIVE.validate(graph, found.options, None, wrong).message == message


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_larger_graphs(loop: str, backend: str) -> None:
    for spec in LARGER:
        check(load_graph(spec, np), backend, loop=loop)


def _shuffled(edges: np.ndarray[Any, Any], n: int) -> np.ndarray[Any, Any]:
    names: np.ndarray[Any, Any] = np.random.default_rng(0).permutation(n)
    return names[edges]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("backward", "shuffles"), [(False, False), (True, False), (False, True)])
def test_long_ways_take_few_steps(backward: bool, shuffles: bool, backend: str) -> None:
    """A ring is one component, and its broken form as many as it has vertices."""
    for edges, components in ((ring(FAR), 1), (path(FAR), FAR)):
        ways = edges[:, ::-1] if backward else edges
        graph = directed(FAR, _shuffled(ways, FAR) if shuffles else ways)
        found = run(graph, backend, 1, check="reference")
        assert found.record.validation["verdict"] == "pass"
        assert found.record.metrics["components"] == components
        # Most are a single block's. A core reads what it has just written; an H200 took up to 4,219.
        assert found.record.iterations < (1000 if backend == "cpu" else FAR / 16)


@pytest.mark.parametrize("backend", BACKENDS)
def test_long_ways_are_proved(backend: str) -> None:
    """A step of the proof for each vertex of them, by one thread, which waits for none."""
    for edges in (ring(FAR), path(FAR)):
        found = run(directed(FAR, edges), backend, 1, check="certificate")
        assert found.record.validation["verdict"] == "pass"


def test_components_that_follow_each_other() -> None:
    """Of a hub's component, those before it, those after it, and one beside it."""
    edges = [
        (0, 1),
        (1, 0),
        (1, 2),
        (2, 3),
        (3, 4),
        (4, 2),
        (4, 5),
        (2, 4),
        (5, 6),
        (6, 5),
        (0, 7),
        (7, 6),
    ]
    found = check(directed(8, edges))
    assert found.outputs["components"].tolist() == [0, 0, 2, 2, 2, 5, 5, 7]
    assert found.record.metrics == {"components": 4, "largest_component": 3, "single_vertices": 1}


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_same_with_any_number_of_threads(threads: int) -> None:
    check(load_graph(LARGER[0], np), threads=threads, runs=5)


def test_the_record_and_the_trace() -> None:
    record = run(directed(3, [(0, 1), (1, 0), (1, 2)]), trace=True).record
    assert record.traffic == {"read": 4, "written": 4, "passes": 1}
    phases = [row["phase"] for row in record.trace]
    assert phases[:4] == ["look", "mark", "seed", "reach"]
    assert record.mteps is None


def test_validation_rejects() -> None:
    graph = directed(3, [(0, 1), (1, 0)])
    found = PRIMITIVE.validate(graph, PRIMITIVE.asked({}), None, {"components": np.array([0, 0, 0])})
    assert (found.verdict, found.message) == ("fail", "1 components differ: vertex 2: 0, expected 2")
