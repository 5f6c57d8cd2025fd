"""Betweenness over paths of least weight, compared with NetworkX and with fractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from weighted_helper import Edges, check_refusal, graph_of

import gunrock_cli as gunrock
from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives.bc import PRIMITIVE

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
LOOPS = ("device", "host")
CORNERS: dict[str, tuple[int, Edges, dict[str, Any]]] = {
    "one vertex": (1, [], {}),
    "no edges": (70, [], {}),
    "a detour that is shorter": (4, [(0, 3, 10), (0, 1, 2), (1, 2, 3), (2, 3, 4)], {}),
    "a detour that is as long": (4, [(0, 3, 9), (0, 1, 2), (1, 2, 3), (2, 3, 4)], {}),
    "loops": (3, [(0, 0, 1), (0, 1, 1), (1, 1, 5), (1, 2, 2)], {"keep_self_loops": True}),
    "parallel edges": (
        4,
        [(0, 1, 1), (0, 1, 1), (0, 1, 2), (1, 2, 1), (1, 3, 2), (1, 3, 2), (2, 3, 1)],
        {"keep_duplicates": True, "undirected": False},
    ),
    "against the edges": (4, [(1, 0, 1), (0, 2, 1), (2, 3, 1), (3, 0, 1)], {"undirected": False}),
    "in tenths": (4, [(0, 1, 0.1), (1, 2, 0.2), (0, 2, 0.3), (2, 3, 0.7), (0, 3, 1.0)], {}),
    "star": (9000, [(0, v, 1 + v % 7) for v in range(1, 9000)], {}),
    "hubs": (
        3000,
        [
            *((1, v, 2) for v in range(2, 3000)),
            *((0, v, 2) for v in range(2, 3000, 2)),
            *((v, v + 1, 1) for v in range(2999)),
        ],
        {},
    ),
}


def brandes(graph: Graph, source: int) -> np.ndarray[Any, Any]:
    """The scores by counts and fractions without rounding, over distances in Python's floats."""
    csr = graph.to(np).csr
    assert csr.values is not None
    edges = list(
        zip(csr.sources().tolist(), csr.column_indices.tolist(), csr.values.tolist(), strict=True)
    )
    distances = {source: 0.0}
    for _ in range(graph.n):
        for u, v, weight in edges:
            if u in distances:
                distances[v] = min(distances.get(v, np.inf), distances[u] + weight)
    tight = [(u, v) for u, v, w in edges if u in distances and distances[u] + w == distances[v]]
    tight.sort(key=lambda edge: distances[edge[0]])
    paths, scores = {source: 1}, dict.fromkeys(distances, Fraction(0))
    for u, v in tight:
        paths[v] = paths.get(v, 0) + paths[u]
    tight.sort(key=lambda edge: -distances[edge[1]])
    for u, v in tight:
        scores[u] += Fraction(paths[u], paths[v]) * (1 + scores[v])
    return np.array([float(scores.get(v, 0)) if v != source else 0.0 for v in range(graph.n)])


def scores(
    graph: Graph, sources: Sequence[int] = (0,), loop: str = "device", **options: Any
) -> np.ndarray[Any, Any]:
    """The scores of a run, which the certificate proves and the reference accepts."""
    measured = measure(
        PRIMITIVE,
        graph,
        PRIMITIVE.asked({"weighted": True, **options}),
        list(sources),
        choose_backend("cpu" if graph.xp is np else "cuda", 3),
        Protocol(runs=1, warmup=0, loop=loop, check="both"),
    )
    found = measured.record.validation
    assert found["verdict"] == "pass", found
    assert found["method"] in ("both", "reference")
    return np.asarray(measured.outputs["scores"])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("corner", CORNERS)
def test_corner_cases(corner: str, loop: str, backend: str) -> None:
    n, edges, how = CORNERS[corner]
    graph = graph_of(n, edges, backend, **how)
    for source in {0, n // 2}:
        found = scores(graph, [source], loop)
        if n < 100:
            np.testing.assert_allclose(found, brandes(graph, source), rtol=1e-6)


@st.composite
def small_graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 25))
    vertex = st.integers(0, n - 1)
    weight = draw(
        st.sampled_from([st.integers(1, 3), st.integers(1, 2**31 - 1), st.sampled_from(TENTHS)])
    )
    return graph_of(
        n,
        draw(st.lists(st.tuples(vertex, vertex, weight), max_size=70)),
        undirected=draw(st.booleans()),
        keep_self_loops=draw(st.booleans()),
        keep_duplicates=draw(st.booleans()),
    )


TENTHS = [float(np.float32(k / 10)) for k in range(1, 10)]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.data(), st.sampled_from(LOOPS))
def test_random_graphs(graph: Graph, data: st.DataObject, loop: str) -> None:
    source = data.draw(st.integers(0, graph.n - 1))
    np.testing.assert_allclose(scores(graph, [source], loop), brandes(graph, source), rtol=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_all_sources_are_networkxs(seed: int) -> None:
    """Weights have fractions whose sums are rounded: ties are NetworkX's own."""
    own = nx.gnp_random_graph(40, 0.12, seed=seed, directed=bool(seed % 2))
    draw = np.random.default_rng(seed)
    for u, v in own.edges:
        own[u][v]["weight"] = float(draw.choice(TENTHS)) if seed % 3 else int(draw.integers(1, 5))
    ends = np.array(list(own.edges), np.int64).reshape(-1, 2)
    weights = [own[u][v]["weight"] for u, v in own.edges]
    table = [(u, v, w) for (u, v), w in zip(ends.tolist(), weights, strict=True)]
    graph = graph_of(40, table, undirected=not own.is_directed())
    expected = nx.betweenness_centrality(own, normalized=False, weight="weight")
    found = scores(graph, range(40)) / (1 if own.is_directed() else 2)
    np.testing.assert_allclose(found, [expected[v] for v in range(40)], rtol=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "spec",
    [
        GraphSpec("rmat", params={"scale": 10}),
        GraphSpec("rmat", params={"scale": 10, "edge_factor": 4}, undirected=False),
        GraphSpec("grid2d", params={"width": 60, "height": 35}),
    ],
    ids=lambda spec: f"{spec.kind}-{spec.undirected}",
)
def test_middle_sized_graphs(spec: GraphSpec, backend: str) -> None:
    for weights, kind in (("random:1:4", "int32"), ("random:0.5:8", "float32")):
        graph = load_graph(replace(spec, weights=weights, weight_type=kind), choose_backend(backend).xp)
        scores(graph, [int(graph.csr.degrees().argmax())])


def test_unit_weights_give_what_hops_give() -> None:
    """Also where there are more paths than a double counts."""
    for spec in (
        GraphSpec("rmat", params={"scale": 9}, weights="unit"),
        GraphSpec("grid2d", params={"width": 600, "height": 600}, weights="random:3:3"),
    ):
        graph = load_graph(spec)
        by_hops = scores(graph, [1], weighted=False)
        np.testing.assert_allclose(scores(graph, [1]), by_hops, rtol=1e-5, atol=1e-6 * by_hops.max())


# --- refusals -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"variant": "edges"}, "--variant edges does not go with --weighted"),
        ({"backward": "push"}, "--backward push does not go with --weighted"),
        ({"backward": "optimized"}, "--backward optimized does not go with --weighted"),
        ({"frontiers": "rebuilt"}, "--frontiers rebuilt does not go with --weighted"),
        ({"run_ahead": 4}, "--run-ahead 4 does not go with --weighted"),
    ],
)
def test_options_that_do_not_go_together(changed: dict[str, Any], message: str) -> None:
    graph = graph_of(2, [(0, 1, 1)])
    with pytest.raises(UsageError, match=message):
        PRIMITIVE.plan(graph, PRIMITIVE.asked({"weighted": True, **changed}))
    with pytest.raises(UsageError, match="--weighted is for one device"):
        PRIMITIVE.plan_in_parts(graph, PRIMITIVE.asked({"weighted": True}))


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (0, "some weights are 0, and the paths of bc --weighted need weights above 0"),
        (-2, "shortest paths need weights that are not negative"),
        (np.nan, "must be finite"),
        (np.inf, "must be finite"),
    ],
)
def test_weights_without_shortest_paths(weight: float, message: str) -> None:
    graph = graph_of(3, [(0, 1, 1), (1, 2, weight)])
    with pytest.raises(InputError, match=message):
        PRIMITIVE.plan(graph, PRIMITIVE.asked({"weighted": True}))


def test_a_weight_too_small_beside_a_distance() -> None:
    edges = np.array([0, 1]), np.array([1, 2]), np.array([1e20, 1.5])
    with pytest.raises(InputError, match=r"distance of vertex 2 .* is the same without the last edge"):
        gunrock.bc(edges, backend="cpu", weighted=True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("bc rmat --scale 6 --weighted", "the graph has no weights; use --weights random:1:64"),
        ("bc rmat --scale 6 --weighted --weights random:0:3", "need weights above 0"),
        (
            "bc rmat --scale 6 --weights random --weighted --against igraph",
            "--against igraph: no other system is asked with --weighted",
        ),
    ],
)
def test_on_the_command_line_one_line_says_what_to_do(
    words: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    check_refusal(words, message, capsys)


def test_from_python() -> None:
    own = nx.Graph()
    own.add_weighted_edges_from([("a", "b", 1.0), ("b", "c", 2.5), ("a", "c", 3.5), ("c", "d", 1.0)])
    found = gunrock.bc(own, "a", backend="cpu", weighted=True, check=True)
    assert found.record.options["weighted"] is True
    by_name = dict(zip("abcd", np.asarray(found.scores).tolist(), strict=True))
    assert by_name == {"a": 0, "b": 1, "c": 1, "d": 0}
    assert np.asarray(found.distances).tolist() == [0, 1, 3.5, 4.5]
