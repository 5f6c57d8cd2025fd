"""The guide's k-core compared with another way of peeling and with NetworkX."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import networkx as nx
import numpy as np
import pytest
from arches import EDGE64, compiled
from docs.guide import FILES, write_files
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from modes import MODES, ON_A_CORE

from gunrock_cli.bench.protocol.runner import Measured, Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.engine.tuning import tune
from gunrock_cli.errors import BackendError, UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.peers import get_peer
from gunrock_cli.peers.measure import run_peer
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.external import load_primitive
from gunrock_cli.toolchain.nvrtc import nvrtc
from gunrock_cli.toolchain.unit import Unit

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
LOOPS = ["device", "host"]
SHARED = {75: 64 * 1024, 80: 163 * 1024, 90: 227 * 1024}
MOST_LINES, LINE_LENGTH = 70, 106
Edges = list[tuple[int, int]]


@pytest.fixture(scope="session")
def k_core(tmp_path_factory: pytest.TempPathFactory) -> Primitive:
    folder = tmp_path_factory.mktemp("guide")
    write_files(folder)
    return load_primitive(str(folder / "k_core.py"))


def graph_of(n: int, edges: Edges, **how: Any) -> Graph:
    ends = np.array(edges, np.int64).reshape(-1, 2)
    return build_graph(n, ends[:, 0], ends[:, 1], None, xp=np, **how)


def edges_of(graph: Graph) -> Edges:
    """Every entry of every list."""
    tails = np.repeat(np.arange(graph.n), graph.csr.degrees()).tolist()
    return list(zip(tails, graph.csr.column_indices.tolist(), strict=True))


def cores_of(graph: Graph) -> list[int]:
    """The definition: for each k, the vertices left when those of fewer than k edges go, one by one."""
    lists = [Counter[int]() for _ in range(graph.n)]
    for u, v in edges_of(graph):
        if u != v:
            lists[u][v] += 1
    cores = [0] * graph.n
    for k in itertools.count(1):
        while (v := next((v for v, own in enumerate(lists) if 0 < own.total() < k), -1)) >= 0:
            for u in lists[v]:
                del lists[u][v]
            lists[v].clear()
        left = [v for v, own in enumerate(lists) if own]
        if not left:
            return cores
        for v in left:
            cores[v] = k
    return cores


def run(k_core: Primitive, graph: Graph, backend: str, **protocol: Any) -> Measured:
    chosen = choose_backend(backend, 3)
    return measure(
        k_core,
        graph.to(chosen.xp),
        {},
        [],
        chosen,
        Protocol(**{"runs": 1, "warmup": 0, "check": "none", **protocol}),
    )


def check(
    k_core: Primitive, graph: Graph, expected: list[int], backend: str = "cpu", **protocol: Any
) -> Measured:
    measured = run(k_core, graph, backend, **protocol)
    assert measured.outputs["cores"].tolist() == expected
    return measured


def test_no_more_lines_than_promised() -> None:
    """Count lines that are neither blank nor only a comment; includes and imports count."""
    lines = [line for name in ("k_core.cuh", "k_core.py") for line in FILES[name].splitlines()]
    code = [line for line in lines if line and not line.lstrip().startswith(("//", "# "))]
    assert len(code) <= MOST_LINES
    assert max(map(len, lines)) <= LINE_LENGTH


CORNERS: dict[str, tuple[int, Edges, dict[str, Any]]] = {
    "no vertex": (0, [], {}),
    "one vertex": (1, [], {}),
    "no edges": (5, [], {}),
    "one edge": (2, [(0, 1)], {}),
    "loops": (4, [(0, 0), (0, 1), (1, 2), (2, 0), (3, 3)], {"keep_self_loops": True}),
    "parallel edges": (4, [(0, 1), (0, 1), (0, 1), (2, 3)], {"keep_duplicates": True}),
    "triangle with a tail": (5, [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4)], {}),
    "disconnected": (9, [(0, 1), (1, 2), (2, 0), (3, 4), (5, 6), (6, 7), (7, 8), (8, 5)], {}),
    "cliques joined by an edge": (
        16,
        [*itertools.combinations(range(9), 2), *itertools.combinations(range(9, 16), 2), (0, 9)],
        {},
    ),
    "bipartite": (7, [(a, b) for a in range(3) for b in range(3, 7)], {}),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, loop: str, backend: str, k_core: Primitive) -> None:
    n, edges, how = CORNERS[name]
    graph = graph_of(n, edges, **how)
    check(k_core, graph, cores_of(graph), backend, loop=loop)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_shapes_that_peel_slowly_or_at_once(loop: str, backend: str, k_core: Primitive) -> None:
    for graph, expected in (
        (graph_of(5000, [(0, v) for v in range(1, 5000)]), [1] * 5000),  # a list for a block
        (graph_of(3000, [(v, v + 1) for v in range(2999)]), [1] * 3000),  # a lone block's work
        (graph_of(3000, [(v, (v + 1) % 3000) for v in range(3000)]), [2] * 3000),
        (graph_of(120, list(itertools.combinations(range(120), 2))), [119] * 120),
    ):
        check(k_core, graph, expected, backend, loop=loop)


def random_graph(n: int, m: int, seed: int) -> Graph:
    """Half of the ends are among a tenth of the vertices: many core numbers."""
    draw = np.random.default_rng(seed)
    ends = draw.integers(0, n, (m, 2)) // np.where(draw.random((m, 2)) < 0.5, 10, 1)
    return graph_of(n, list(map(tuple, ends.tolist())))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("mode", MODES)
def test_modes_and_loops(mode: str, loop: str, backend: str, k_core: Primitive) -> None:
    graph = random_graph(3000, 20_000, 1)
    own = nx.Graph(edges_of(graph))
    own.add_nodes_from(range(graph.n))
    found = nx.core_number(own)
    expected = [found[v] for v in range(graph.n)]
    assert len(set(expected)) > 10
    check(k_core, graph, expected, backend, loop=loop, advance_mode=mode)


@st.composite
def small_graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 20))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=60))
    return graph_of(n, edges, keep_self_loops=draw(st.booleans()), keep_duplicates=draw(st.booleans()))


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(graph=small_graphs(), loop=st.sampled_from(LOOPS))
def test_random_graphs(graph: Graph, loop: str, k_core: Primitive) -> None:
    """Graphs may have loops and parallel edges; the example's own reference agrees."""
    pytest.importorskip("igraph")
    measured = check(k_core, graph, cores_of(graph), loop=loop, check="reference")
    assert measured.record.validation["verdict"] == "pass"


@pytest.mark.parametrize("backend", BACKENDS)
def test_random_graphs_on_each_backend(backend: str, k_core: Primitive) -> None:
    for seed, loop in itertools.product(range(10), LOOPS):
        graph = random_graph(60, 40 * (seed + 1), seed)
        check(k_core, graph, cores_of(graph), backend, loop=loop)


def test_validation_finds_a_wrong_core(k_core: Primitive) -> None:
    pytest.importorskip("igraph")
    graph = graph_of(4, [(0, 1), (1, 2), (2, 0)])
    found = k_core.validate(graph, k_core.asked({}), None, {"cores": np.array([2, 2, 1, 0])})
    assert (found.verdict, found.message) == ("fail", "1 cores differ: vertex 2: 1, expected 2")


def test_the_record_and_the_trace(k_core: Primitive) -> None:
    graph = graph_of(5, [(0, 1), (1, 2), (2, 0), (2, 3)])
    record = run(k_core, graph, "cpu", trace=True).record
    assert record.metrics == {"degeneracy": 2}
    assert record.traffic == {"read": 4 * 4, "written": 4 * 5, "passes": 1}
    shown = [(row["phase"], row["iteration"], row["frontier_vertices"]) for row in record.trace]
    assert shown == [
        ("count", 0, 5),
        ("collect", 0, 5),
        ("peel", 0, 1),
        ("collect", 1, 5),
        ("peel", 1, 1),
        ("collect", 2, 5),
        ("peel", 2, 3),
    ]


def test_the_peer_has_the_same_answer(k_core: Primitive) -> None:
    peer = get_peer("networkit")
    if peer.available() is not None:
        pytest.skip(str(peer.available()))
    pytest.importorskip("igraph")
    record = run_peer(peer, k_core, random_graph(500, 3000, 2), k_core.asked({}), None, 2)
    assert (record.status, record.validation["verdict"]) == ("ok", "pass")
    assert len(record.runs_ms) == 2


def test_directed_graphs_are_refused(k_core: Primitive) -> None:
    graph = graph_of(3, [(0, 1), (1, 2)], undirected=False)
    with pytest.raises(UsageError, match=r"k_core is for undirected graphs.*leave out --directed"):
        run(k_core, graph, "cpu")


@pytest.mark.parametrize(("arch", "edge64"), EDGE64)
def test_compiles_without_a_gpu_for(arch: int, edge64: bool, k_core: Primitive) -> None:
    try:
        nvrtc()
    except BackendError as error:
        pytest.skip(str(error))
    assert k_core.variant is not None
    kernel = k_core.variant.file()
    for mode in range(len(ON_A_CORE)):
        defines = {
            "GR_EDGE64": int(edge64),
            "GR_WEIGHT_FLOAT": 0,
            "GR_EDGE_FRONTIER": 0,
            "GR_TRACE": 1,
            "GR_AHEAD": 0,
            "GR_ADVANCE_MODE": mode,
            **tune(SHARED[arch], 8 if edge64 else 4, 4).defines(),
        }
        assert compiled(arch, Unit.of(kernel, defines)).kernels
