"""Ranks that follow edges by their weights: PageRank and personalized PageRank with ``weighted``."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pagerank_helper import BACKENDS, LOOPS, distance
from weighted_helper import Edges, check_refusal, graph_of, small_graphs

import gunrock_cli as gunrock
from gunrock_cli.bench.protocol.runner import Measured, Protocol, measure
from gunrock_cli.cli.main import main
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.operators.gather_all import Lists, kinds_of_lists
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.certificates.base import Prover

EXACT: dict[str, Any] = {"precision": "float64", "tolerance": 1e-13, "max_iterations": 1000}
SINGLE: dict[str, Any] = {"tolerance": 0.0, "max_iterations": 150}
NAMES = ("pagerank", "ppr")
LARGEST = float(np.finfo(np.float32).max)
CORNERS: dict[str, tuple[int, Edges, dict[str, Any]]] = {
    "one vertex": (1, [], {}),
    "no edges": (70, [], {}),
    "one edge": (2, [(0, 1, 3)], {"undirected": False}),
    "nothing weighs": (4, [(0, 1, 0), (1, 2, 0), (2, 0, 0)], {"undirected": False}),
    "one vertex's edges weigh nothing": (
        4,
        [(0, 1, 2), (0, 2, 1), (1, 0, 0), (1, 3, 0), (2, 3, 5)],
        {"undirected": False},
    ),
    "some weigh nothing": (3, [(0, 1, 0), (0, 2, 1), (2, 0, 4), (1, 0, 7)], {"undirected": False}),
    "loops": (3, [(0, 0, 5), (0, 1, 1), (1, 1, 2), (1, 2, 2)], {"keep_self_loops": True}),
    "only loops": (3, [(v, v, v) for v in range(3)], {"keep_self_loops": True, "undirected": False}),
    "parallel edges": (
        4,
        [(0, 1, 1), (0, 1, 6), (0, 2, 2), (1, 2, 1), (2, 0, 3), (2, 3, 1), (2, 3, 0)],
        {"keep_duplicates": True, "undirected": False},
    ),
    "one among many": (
        900,
        [(0, v, 1000 if v == 7 else 1) for v in range(1, 900)],
        {"undirected": False},
    ),
    "into one": (9000, [(v, 0, v % 5) for v in range(1, 9000)], {}),
    "all of single precision's range": (
        4,
        [(0, 1, 1.2e-38), (0, 2, 3.6e-38), (1, 2, LARGEST), (1, 3, LARGEST), (2, 0, 1e-30), (3, 0, 1)],
        {"undirected": False},
    ),
}


def networkx_ranks(graph: Graph, **how: Any) -> np.ndarray[Any, Any]:
    """NetworkX's ranks; weights of parallel edges add up."""
    csr = graph.to(np).csr
    assert csr.values is not None
    own = nx.DiGraph()
    own.add_nodes_from(range(graph.n))
    rows = np.repeat(np.arange(graph.n), csr.degrees())
    for u, v, weight in zip(rows.tolist(), csr.column_indices.tolist(), csr.values.tolist(), strict=True):
        before = own.get_edge_data(u, v, {"weight": 0})["weight"]
        own.add_edge(u, v, weight=before + weight)
    ranks = nx.pagerank(own, tol=1e-12 / graph.n, max_iter=10_000, **how)
    return np.array([ranks[v] for v in range(graph.n)])


def run(name: str, graph: Graph, protocol: Protocol | None = None, **options: Any) -> Measured:
    primitive = get_primitive(name)
    asked = primitive.asked({"weighted": True, **options})
    measured = measure(
        primitive,
        graph,
        asked,
        [0] if primitive.reads_source(asked) else [],
        choose_backend("cpu" if graph.xp is np else "cuda", 3),
        protocol or Protocol(runs=1, warmup=0, check="both"),
    )
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    return measured


def check(name: str, graph: Graph, loop: str = "device") -> None:
    """Check both precisions against NetworkX."""
    protocol = Protocol(runs=1, warmup=0, loop=loop, check="both")
    how = {"personalization": {0: 1}} if name == "ppr" else {}
    expected = networkx_ranks(graph, **how)
    exact = run(name, graph, protocol, **EXACT).outputs["ranks"]
    assert exact.dtype == np.float64
    assert distance(exact, expected) < 1e-10
    single = run(name, graph, protocol, **SINGLE).outputs["ranks"]
    assert single.dtype == np.float32
    assert distance(single, expected) < 1e-6


@pytest.mark.sampled(2)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("corner", CORNERS)
def test_corner_cases(corner: str, name: str, loop: str, backend: str) -> None:
    n, edges, how = CORNERS[corner]
    check(name, graph_of(n, edges, backend, **how), loop)


def test_a_graph_without_vertices() -> None:
    assert len(run("pagerank", graph_of(0, [])).outputs["ranks"]) == 0


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(40), st.sampled_from(NAMES), st.sampled_from(LOOPS))
def test_random_graphs(graph: Graph, name: str, loop: str) -> None:
    check(name, graph, loop)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("spec", "lists"),
    [
        (GraphSpec("rmat", params={"scale": 11}, undirected=False), Lists.UNEVEN),
        (GraphSpec("grid2d", params={"width": 60, "height": 35}), Lists.SHORT),
        (GraphSpec("smallworld", params={"scale": 10, "neighbors": 20}), Lists.EVEN),
    ],
    ids=lambda each: getattr(each, "kind", ""),
)
def test_lists_of_every_shape(spec: GraphSpec, lists: Lists, name: str, backend: str) -> None:
    graph = load_graph(replace(spec, weights="random:0:64"), choose_backend(backend).xp)
    assert kinds_of_lists(graph) is lists
    check(name, graph)


@pytest.mark.parametrize("name", NAMES)
def test_equal_weights_change_nothing(name: str) -> None:
    graph = load_graph(GraphSpec("rmat", params={"scale": 8}, undirected=False, weights="random:7:7"))
    plain = run(name, graph, weighted=False, **EXACT).outputs["ranks"]
    assert distance(run(name, graph, **EXACT).outputs["ranks"], plain) < 1e-12
    other = with_weights(graph, "random:1:64")
    assert distance(run(name, other, **EXACT).outputs["ranks"], plain) > 1e-2
    assert distance(run(name, other, weighted=False, **EXACT).outputs["ranks"], plain) < 1e-12


def test_several_seeds() -> None:
    graph = load_graph(GraphSpec("rmat", params={"scale": 8}, undirected=False, weights="random:1:64"))
    found = run("ppr", graph, seeds="3,5,9", **EXACT).outputs["ranks"]
    expected = networkx_ranks(graph, personalization={3: 1, 5: 1, 9: 1})
    assert distance(found, expected) < 1e-10


# --- refusals -----------------------------------------------------------------------------------
WEIGHED = GraphSpec("rmat", params={"scale": 6}, weights="random:1:64")


@pytest.mark.parametrize(
    ("name", "changed", "message"),
    [
        ("pagerank", {"push": True}, "--weighted is for gathering; leave out --push"),
        (
            "pagerank",
            {"filter_converged": True},
            "--weighted is for gathering; leave out --filter-converged",
        ),
        ("pagerank", {"order": "degree"}, "--order degree does not go with --weighted"),
        ("ppr", {"order": "degree"}, "--order degree does not go with --weighted"),
        ("ppr", {"method": "push"}, "--weighted is for --method power or walks; leave out --method push"),
        ("ppr", {"batch": 3}, "--weighted takes one set of seeds: leave out --batch"),
    ],
)
def test_options_that_do_not_go_together(name: str, changed: dict[str, Any], message: str) -> None:
    primitive = get_primitive(name)
    with pytest.raises(UsageError, match=message):
        primitive.plan(load_graph(WEIGHED), primitive.asked({"weighted": True, **changed}))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (-1.0, "ranks need weights that are not negative"),
        (np.nan, "must be finite"),
        (np.inf, "must be finite"),
        (1e-40, "must be 0 or at least"),
    ],
)
def test_weights_that_ranks_cannot_follow(weight: float, message: str, name: str) -> None:
    primitive = get_primitive(name)
    graph = build_graph(3, np.array([0, 1]), np.array([1, 2]), np.array([1, weight], np.float32), xp=np)
    with pytest.raises(InputError, match=f"from 1 to 2.*{message}"):
        primitive.plan(graph, primitive.asked({"weighted": True}))
    assert primitive.plan(graph, primitive.asked({})).options.weighted is False


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("pagerank rmat --scale 6 --weighted", "the graph has no weights; use --weights random:1:64"),
        ("ppr rmat --scale 6 --weighted", "the graph has no weights; use --weights random:1:64"),
        ("pagerank rmat --scale 6 --weighted --weights random:-3:3", "has weight -3"),
        (
            "pagerank rmat --scale 6 --weights random --weighted --against scipy,igraph",
            "--against scipy,igraph: no other system is asked with --weighted",
        ),
    ],
)
def test_on_the_command_line_one_line_says_what_to_do(
    words: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    check_refusal(words, message, capsys)


def test_several_devices_are_refused() -> None:
    primitive = get_primitive("pagerank")
    with pytest.raises(UsageError, match="--weighted is for one device"):
        primitive.plan_in_parts(load_graph(WEIGHED), primitive.asked({"weighted": True}))


# --- records, Python ----------------------------------------------------------------------------
GRAPH = "rmat --scale 6 --weights random"


def test_a_record_and_a_sweep_hold_it(capsys: pytest.CaptureFixture[str]) -> None:
    main(["pagerank", *GRAPH.split(), "--weighted", "--backend", "cpu", "--json", "--check", "both"])
    record = json.loads(capsys.readouterr().out)
    assert record["options"]["weighted"] is True
    assert record["validation"]["verdict"] == "pass"
    main(
        [
            "sweep",
            "--graph",
            GRAPH,
            "--primitive",
            "pagerank",
            "--set",
            "weighted=true,false",
            "--dry-run",
        ]
    )
    commands = capsys.readouterr().out.splitlines()
    assert [command.split()[-2] for command in commands] == ["--weighted", "--no-weighted"]


def test_from_python() -> None:
    arrays = np.array([0, 0, 1, 2]), np.array([1, 2, 2, 0]), np.array([3.5, 1.0, 2.0, 1.0])
    own = nx.DiGraph()
    own.add_weighted_edges_from(zip(*(array.tolist() for array in arrays), strict=True))
    expected = nx.pagerank(own, tol=1e-12, max_iter=1000)
    how: dict[str, Any] = {"backend": "cpu", "weighted": True, "precision": "float64", "tolerance": 1e-12}
    for graph in (arrays, own, nx.to_scipy_sparse_array(own, nodelist=range(3))):
        found = gunrock.pagerank(graph, max_iterations=1000, **how).ranks
        np.testing.assert_allclose(found, [expected[v] for v in range(3)], rtol=1e-9)
    ones = gunrock.pagerank(nx.path_graph(4), **how).ranks  # without weights, each is 1
    assert ones.sum() == pytest.approx(1)
    with pytest.raises(UsageError, match="weighted=True is for gathering; leave out push=True"):
        gunrock.pagerank(own, push=True, **how)


# --- the certificate ----------------------------------------------------------------------------
@pytest.mark.parametrize("backend", BACKENDS)
def test_the_certificate_tells_weighted_ranks_from_others(backend: str) -> None:
    primitive, device = get_primitive("pagerank"), choose_backend(backend, 2)
    graph = load_graph(replace(WEIGHED, weights="random:0:64"), device.xp)
    certificate = certificate_of(primitive)
    assert certificate is not None
    for weighted in (False, True):
        options = primitive.plan(graph, primitive.asked({"weighted": weighted, **EXACT})).options
        prover = Prover(certificate, graph, options, device)
        for followed in (False, True):
            ranks = graph.xp.asarray(run("pagerank", graph, weighted=followed, **EXACT).outputs["ranks"])
            found = prover.verdict(0, {"ranks": ranks}, {})
            assert found is not None
            assert found.verdict == ("pass" if weighted == followed else "fail")
