"""Minimum spanning forests compared with this file's own Kruskal, edge by edge, and with NetworkX's
weights."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from planned import planned
from primitives import weighted_graphs
from primitives.weighted_graphs import CORNERS, PATH, Edges, edges_of, graph_of, weighed
from runs_helper import BACKENDS, LOOPS, run_on

import gunrock_cli as gunrock
from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives.mst import PRIMITIVE, Packing, spanning_forest
from gunrock_cli.primitives.options import Options

Forest = Edges


def run(graph: Graph, backend: str = "cpu", threads: int = 3, **protocol: Any) -> Measured:
    return run_on(PRIMITIVE, graph, {}, backend, threads, **protocol)


def kruskal(graph: Graph) -> Forest:
    """Edges by weight, then smaller end, then larger; each that joins two trees."""
    parents = list(range(graph.n))

    def root(v: int) -> int:
        while parents[v] != v:
            parents[v] = v = parents[parents[v]]
        return v

    chosen = []
    for weight, u, v in sorted((weight, u, v) for u, v, weight in edges_of(graph)):
        a, b = root(u), root(v)
        if a != b:
            parents[a] = b
            chosen.append((u, v, weight))
    return sorted(chosen)


def forest_of(measured: Measured) -> Forest:
    return list(
        zip(*(measured.outputs[name].tolist() for name in ("sources", "targets", "weights")), strict=True)
    )


def check(graph: Graph, backend: str = "cpu", **how: Any) -> Measured:
    measured = run(graph, backend, **how)
    assert forest_of(measured) == kruskal(graph)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    return measured


OWN_CORNERS: dict[str, tuple[int, Edges, dict[str, Any]]] = {
    "zero and negative": (
        6,
        [(0, 1, 0), (1, 2, 0), (2, 0, 0), (2, 3, -5), (3, 4, -5), (4, 2, -9), (4, 5, 2)],
        {},
    ),
    "extremes of both signs": (
        5,
        [(0, 1, 2**31 - 1), (1, 2, -(2**31)), (2, 0, 2**31 - 1), (2, 3, 2**31 - 1), (3, 4, 0)],
        {},
    ),
    "floats of both signs": (
        5,
        [(0, 1, 0.5), (1, 2, -0.25), (2, 0, 0.5), (2, 3, -1e-37), (3, 4, 1e38), (0, 4, -3e38)],
        {"dtype": "float32"},
    ),
    "both zeros": (
        4,
        [(0, 1, 0.0), (1, 2, -0.0), (2, 0, -0.0), (0, 3, 0.0), (1, 3, -0.0)],
        {"dtype": "float32"},
    ),
}


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS | OWN_CORNERS)
def test_corner_cases(name: str, backend: str, loop: str) -> None:
    n, edges, how = (CORNERS | OWN_CORNERS)[name]
    check(graph_of(n, edges, **how), backend, loop=loop)


@pytest.mark.parametrize("backend", BACKENDS)
def test_empty_graph(backend: str) -> None:
    record = check(graph_of(0, []), backend).record
    assert record.metrics == {"weight": 0, "edges": 0}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("shape", ["upwards", "downwards", "star"])
def test_a_hundred_thousand(shape: str, backend: str) -> None:
    """On a path whose weights grow every vertex chooses the one before: a chain as long as the graph."""
    n = 100_000
    pairs = PATH_100K if shape != "star" else [(0, v) for v in range(1, n)]
    weights = range(n, 0, -1) if shape == "downwards" else range(n)
    found = run(graph_of(n, weighed(pairs, weights)), backend)
    assert found.record.validation["verdict"] == "pass"
    assert len(found.outputs["weights"]) == n - 1
    assert found.record.iterations is not None
    assert found.record.iterations < 60


PATH_100K = list(itertools.pairwise(range(100_000)))


small_graphs = weighted_graphs.small_graphs((-3, 3), (-1.5, -0.0, 0.0, 0.25, 1e-37, 3.0))


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs, st.sampled_from(LOOPS))
def test_random_graphs(graph: Graph, loop: str) -> None:
    check(graph, loop=loop)


@pytest.mark.gpu
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs, st.sampled_from(LOOPS))
def test_random_graphs_on_the_gpu(graph: Graph, loop: str) -> None:
    check(graph, "cuda", loop=loop)


def larger() -> list[Graph]:
    mesh = load_graph(GraphSpec("grid2d", params={"width": 70, "height": 50}), np)
    near = load_graph(GraphSpec("rgg", params={"scale": 11}), np)
    return [
        *weighted_graphs.larger(),
        with_weights(mesh, "random:-5:5"),
        with_weights(near, "random:1:64"),
    ]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_larger_graphs(loop: str, backend: str) -> None:
    for graph in larger():
        check(graph, backend, loop=loop)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_same_forest_every_time(backend: str) -> None:
    """There are ties everywhere; the team also always agrees on the next step, or it would hang."""
    for graph in larger()[1:3]:
        expected = kruskal(graph)
        for threads in (1, 2, 7):
            for _ in range(5):
                assert forest_of(run(graph, backend, threads, runs=5, check="none")) == expected


def test_other_libraries_agree_on_the_weight() -> None:
    for graph in larger():
        own = nx.Graph()
        own.add_weighted_edges_from(edges_of(graph))
        weight = sum(edge[-1]["weight"] for edge in nx.minimum_spanning_edges(own))
        assert run(graph).record.metrics["weight"] == pytest.approx(weight)


def test_the_record() -> None:
    record = check(graph_of(6, [(0, 1, 4), (1, 2, 2), (0, 2, 3), (4, 5, -8)])).record
    assert record.metrics == {"weight": -3, "edges": 3}
    assert record.traffic == {"read": 8 * 4, "written": 4 * 3, "passes": 1}
    assert record.mteps is None


def test_the_trace_names_the_steps() -> None:
    graph = larger()[4]
    rows = run(graph, trace=True).record.trace
    phases = [row["phase"] for row in rows]
    assert phases[:5] == ["scan", "hook", "compress", "scan", "hook"]
    assert phases[-2:] == ["scan", "hook"]  # no vertex has an edge out of its tree
    assert rows[-1]["frontier_vertices"] == 0
    tried = [row["frontier_vertices"] for row in rows if row["phase"] == "scan"]
    assert tried == sorted(tried, reverse=True)
    path = run(graph_of(3000, weighed(PATH, range(3000))), threads=1, trace=True).record.trace
    assert {row["iteration"] for row in path if row["phase"] == "compress"} == {0}


def test_long_chains_take_several_steps() -> None:
    """Every vertex of a path is hooked to the next, which one thread meets from the wrong end."""
    graph = graph_of(3000, weighed(PATH, range(3000, 0, -1)))
    rows = run(graph, threads=1, trace=True).record.trace
    assert [row["phase"] for row in rows].count("compress") > 1
    assert [row["phase"] for row in rows if row["frontier_vertices"]].count("hook") == 1


def test_a_tree_of_most_edges_is_left_out_of_later_rounds() -> None:
    """A star's leaves all have an edge to some vertex of a path, which looks on its own."""
    star = [(0, v, 1) for v in range(1, 3000)]
    path = [(v, v + 1, v % 7 + 2) for v in range(3000, 3499)]
    between = [(v, 3000 + v % 500, 100 + v % 9) for v in range(1, 3000)]
    rows = check(graph_of(3500, star + path + between), trace=True).record.trace
    tried = [row["frontier_vertices"] for row in rows if row["phase"] == "scan"]
    assert 0 < tried[2] <= 500


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_weights_that_leave_no_room_for_ends(dtype: str, backend: str) -> None:
    """32 bits of weight and two ends of 17 are more than a word: ties are settled in a separate step."""
    n, draw = 70_000, np.random.default_rng(5)
    ends = draw.integers(0, n, (90_000, 2))
    weights = draw.integers(-3, 4, len(ends)).tolist()
    most = 2**31 - 1 if dtype == "int32" else 1e30
    graph = graph_of(n, [*weighed(ends, weights), (0, 1, most), (1, 2, -most)], dtype)
    assert not Packing.of(graph).fits
    measured = run(graph, backend, trace=True)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    phases = [row["phase"] for row in measured.record.trace]
    assert phases[:6] == ["scan", "hook", "compress", "scan", "ties", "hook"]


def test_packed_edges() -> None:
    packing = Packing.of(graph_of(9, [(2, 8, -7), (3, 4, 5)]))
    assert packing == Packing(2**31 - 7, 4, 4)
    assert packing.fits
    ends, orders = packing.unpack(np.array([12 << 8 | 3 << 4 | 4, 0 << 8 | 2 << 4 | 8], np.uint64))
    assert ends.tolist() == [3 << 32 | 4, 2 << 32 | 8]
    assert orders.tolist() == [2**31 + 5, 2**31 - 7]
    assert not Packing(0, 32, 16).fits  # the last bit: no edge is NO_EDGE


def test_validation_rejects_other_forests() -> None:
    graph = graph_of(5, [(0, 1, 1), (1, 2, 1), (0, 2, 1), (3, 4, 7)])
    right = spanning_forest(graph)
    assert [array.tolist() for array in right] == [[0, 0, 3], [1, 2, 4], [1, 1, 7]]
    names = ("sources", "targets", "weights")

    def verdict(*arrays: list[int]) -> str:
        outputs = dict(zip(names, map(np.array, arrays), strict=True))
        return PRIMITIVE.validate(graph, Options(), None, outputs).verdict

    assert verdict([0, 0, 3], [1, 2, 4], [1, 1, 7]) == "pass"
    assert verdict([0, 1, 3], [1, 2, 4], [1, 1, 7]) == "fail"  # as light, but with other ties
    assert verdict([0, 0, 3], [1, 2, 4], [1, 2, 7]) == "fail"
    assert verdict([0, 0], [1, 2], [1, 1]) == "fail"
    assert verdict([0, 0, 1, 3], [1, 2, 2, 4], [1, 1, 1, 7]) == "fail"
    weights = {"weights": np.array([7, 1, 1])}  # a peer's
    assert PRIMITIVE.validate(graph, Options(), None, weights).verdict == "pass"
    weights = {"weights": np.array([7, 1, 2])}
    assert PRIMITIVE.validate(graph, Options(), None, weights).verdict == "fail"


def test_what_it_refuses() -> None:
    with pytest.raises(UsageError, match="mst is for undirected graphs"):
        run(graph_of(3, [(0, 1, 1)], undirected=False))
    with pytest.raises(InputError, match=r"from 0 to 1 .* weight nan: must be finite"):
        run(graph_of(2, [(0, 1, float("nan"))], "float32"))
    with pytest.raises(UsageError, match="no weights"):
        planned(PRIMITIVE, build_graph(2, np.array([0]), np.array([1])))


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gunrock_cli.cli.main", *words],
        capture_output=True,
        text=True,
        check=False,
    )


QUICK = ("--backend", "cpu", "--threads", "2", "--iterations", "1", "--warmup", "0")


@pytest.mark.parametrize("suffix", [".npy", ".csv", ".parquet"])
def test_save_writes_the_edges(suffix: str, tmp_path: Path) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    file = tmp_path / f"forest{suffix}"
    edges = tmp_path / "g.mtx"
    edges.write_text("%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n2 1 4\n3 2 2\n3 1 3\n")
    done = command("mst", "--market", str(edges), "--save", str(file), "--json", *QUICK)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["metrics"] == {"weight": 5, "edges": 2}
    if suffix == ".npy":
        found = pd.DataFrame(np.load(file))
    else:
        found = pd.read_csv(file) if suffix == ".csv" else pd.read_parquet(file)
    assert list(found.columns) == ["source", "target", "weight"]
    assert found.to_numpy().tolist() == [[0, 2, 3], [1, 2, 2]]


def test_no_value_of_each_vertex_to_show_the_highest_of() -> None:
    done = command("mst", "grid2d", "--width", "4", "--top", "3", *QUICK)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "gunrock: --top: mst finds a list, not a value of each vertex; --save writes it"
    ]


def test_from_python() -> None:
    found = gunrock.mst(
        ([0, 1, 2], [1, 2, 0], [0.5, 1.5, 4.0]), symmetrize=True, check=True, backend="cpu", threads=2
    )
    assert found.sources.tolist() == [0, 1]
    assert found.targets.tolist() == [1, 2]
    assert found.weights.tolist() == [0.5, 1.5]
    with pytest.raises(gunrock.GunrockError, match="symmetrize=True"):
        gunrock.mst(([0], [1], [2.0]), backend="cpu")
