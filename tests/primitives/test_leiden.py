"""Connected communities: checked by certificate, SciPy and NetworkX, beside Louvain's."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from primitives.graphs_for_sets import CORNERS, LARGER, graph_of, small_graphs
from runs_helper import BACKENDS, LOOPS, run_on

from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.primitives.leiden import PRIMITIVE, disconnected
from gunrock_cli.primitives.louvain import PRIMITIVE as LOUVAIN


def run(
    graph: Graph, given: dict[str, Any] | None = None, backend: str = "cpu", threads: int = 3, **how: Any
) -> Measured:
    return run_on(PRIMITIVE, graph, given or {}, backend, threads, **how)


def check(
    graph: Graph, given: dict[str, Any] | None = None, backend: str = "cpu", **how: Any
) -> Measured:
    measured = run(graph, given, backend, check="both", **how)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    labels = measured.outputs["communities"]
    assert disconnected(graph, labels) == -1
    for level in measured.outputs["levels"]:
        assert disconnected(graph, level) == -1
    return measured


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    check(graph_of(n, edges, **how), backend=backend)


def test_empty_graph() -> None:
    assert run(graph_of(0, [])).record.validation["verdict"] == "pass"


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    small_graphs(), st.sampled_from([0.0, 0.3, 1.0, 2.5]), st.sampled_from([0, 2]), st.sampled_from(LOOPS)
)
def test_random_graphs(graph: Graph, resolution: float, refine: int, loop: str) -> None:
    found = check(graph, {"resolution": resolution, "refine": refine}, loop=loop)
    if graph.m:
        own = nx.MultiGraph()
        own.add_nodes_from(range(graph.n))
        ends = zip(graph.csr.sources().tolist(), graph.csr.column_indices.tolist(), strict=True)
        own.add_edges_from((u, v) for u, v in ends if u <= v)
        labels = found.outputs["communities"]
        parts = [set(np.flatnonzero(labels == c).tolist()) for c in range(int(labels.max()) + 1)]
        expected = nx.community.modularity(own, parts, resolution=found.record.options["resolution"])
        assert found.record.metrics["modularity"] == pytest.approx(expected, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("weights", ["", "random:1:64"])
def test_not_far_from_louvain(weights: str, backend: str) -> None:
    for spec in LARGER:
        plain = load_graph(spec, np)
        graph = with_weights(plain, weights) if weights else plain
        theirs = run_on(LOUVAIN, graph, {}, backend, check="none").record.metrics["modularity"]
        found = check(graph, backend=backend).record.metrics["modularity"]
        assert found > theirs - 0.005
        again = check(graph, {"refine": 3}, backend).record.metrics["modularity"]
        assert again >= found


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_same_communities_every_time(backend: str) -> None:
    graph = with_weights(load_graph(LARGER[0], np), "random:1:64")
    first = run(graph, {"refine": 1}, check="none").outputs
    for threads, loop in ((1, "device"), (2, "host"), (5, "device")):
        found = run(graph, {"refine": 1}, backend, threads, loop=loop, check="none").outputs
        np.testing.assert_array_equal(found["communities"], first["communities"])
        np.testing.assert_array_equal(found["levels"], first["levels"])
    seeded = check(graph, {"refine": 1, "order_seed": 3}, backend).outputs
    assert not np.array_equal(seeded["communities"], first["communities"])


@pytest.mark.parametrize("backend", BACKENDS)
def test_by_cpm(backend: str) -> None:
    for spec in LARGER:
        for resolution in (0.01, 0.2):
            check(load_graph(spec, np), {"quality": "cpm", "resolution": resolution}, backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_ring_of_cliques(backend: str) -> None:
    """Each clique is a community."""
    size, count = 6, 30
    clique = np.column_stack(np.triu_indices(size, 1))
    firsts = size * np.arange(count)
    ring = np.column_stack((firsts, np.roll(firsts + 1, -1)))
    edges = np.concatenate([*(clique + first for first in firsts), ring])
    found = check(graph_of(size * count, edges), {"resolution": 4.0}, backend).outputs["communities"]
    assert (found.reshape(count, size) == np.arange(count)[:, None]).all()


def test_the_trace_names_the_steps() -> None:
    record = run(load_graph(LARGER[1], np), trace=True).record
    phases = [row["phase"] for row in record.trace]
    assert {"split", "single", "connect"} <= set(phases)
    assert phases[-1] == "flatten"


def test_validation_finds_parts() -> None:
    graph = graph_of(4, [(0, 1), (2, 3)])
    outputs = {"communities": np.array([0, 0, 0, 0])}
    found = PRIMITIVE.validate(graph, PRIMITIVE.asked({}), None, outputs)
    assert (found.verdict, found.message) == ("fail", "community 0 is not connected")


def test_directed_graphs_are_refused() -> None:
    with pytest.raises(UsageError, match="undirected"):
        run(graph_of(2, [(0, 1)], undirected=False))
