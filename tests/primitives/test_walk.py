"""Random walks against NumPy's, and the frequencies of their steps against what they should be."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from primitives.graphs_for_sets import CORNERS, graph_of
from runs_helper import BACKENDS, LOOPS, run_on
from scipy.stats import chisquare

import gunrock_cli as gunrock
from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.cli.main import cli
from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.operators.pick import NOTHING, alias_table
from gunrock_cli.primitives.walk import PRIMITIVE

LEVEL = 1e-4
"""The chance of frequencies as far from the expected ones as those that fail. Seeds are fixed, so a test
always fails or never."""
Numbers = np.ndarray[Any, Any]
WAYS: list[dict[str, Any]] = [
    {},
    {"weighted": True},
    {"p": 0.25, "q": 4.0},
    {"p": 3.0, "q": 0.5, "weighted": True, "restart": 0.1},
    {"restart": 0.2, "walks": 2},
    {"visits": True},
    {"visits": True, "restart": 0.3, "q": 2.0},
]


def run(graph: Graph, options: dict[str, Any], backend: str = "cpu", **how: Any) -> Measured:
    return run_on(PRIMITIVE, graph, {"walk_length": 9, **options}, backend, **how)


def check(graph: Graph, options: dict[str, Any], backend: str = "cpu", **how: Any) -> Measured:
    measured = run(graph, options, backend, check="both", **how)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    return measured


def check_paths(graph: Graph, paths: Numbers, way: dict[str, Any]) -> None:
    """Every step is an edge, or goes back to the start; a walk ends only where no edge leads on."""
    there = graph.csr.values > 0 if way.get("weighted") else np.ones(graph.m, bool)
    ends = graph.csr.sources()[there].tolist(), graph.csr.column_indices[there].tolist()
    edges, left, restarts = set(zip(*ends, strict=True)), set(ends[0]), "restart" in way
    for path in paths.tolist():
        for here, after in pairwise(path):
            if restarts:
                assert (here, after) in edges or after == path[0]
            elif after < 0:
                assert here not in left
            else:
                assert (here, after) in edges


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 20))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=70))
    how = {key: draw(st.booleans()) for key in ("undirected", "keep_self_loops", "keep_duplicates")}
    graph = graph_of(n, edges, **how)
    return with_weights(graph, draw(st.sampled_from(["random:1:9", "random:0.0:1.0"])))


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graphs(), st.sampled_from(WAYS), st.sampled_from(LOOPS), st.integers(0, 2**63 - 1))
def test_random_graphs(graph: Graph, way: dict[str, Any], loop: str, seed: int) -> None:
    found = check(graph, {**way, "walk_seed": seed}, loop=loop).outputs
    if "paths" in found:
        check_paths(graph, found["paths"], way)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    graph = with_weights(graph_of(n, edges, **how), "random:1:5")
    for way in WAYS:
        check(graph, {**way, "walk_length": 3}, backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("weights", ["random:1:64", "random:0:1"])
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_larger_graphs(way: dict[str, Any], weights: str, backend: str) -> None:
    graph = load_graph(GraphSpec("rmat", params={"scale": 9}, undirected=False), np)
    check(with_weights(graph, weights), way, backend)


def test_the_empty_graph_and_no_steps() -> None:
    assert check(graph_of(0, []), {}).outputs["paths"].shape == (0, 10)
    assert check(graph_of(3, [(0, 1)]), {"walk_length": 0}).outputs["paths"].tolist() == [[0], [1], [2]]


def test_walks_begin_where_they_are_told_and_end_at_dead_ends() -> None:
    graph = graph_of(4, [(0, 1), (1, 2)], undirected=False)
    found = run(graph, {"src": "1,0,3,1", "walk_length": 3, "walks": 2}).outputs["paths"]
    assert found.tolist() == [
        *2 * [[1, 2, -1, -1]],
        *2 * [[0, 1, 2, -1]],
        *2 * [[3, -1, -1, -1]],
        *2 * [[1, 2, -1, -1]],
    ]
    back = run(graph, {"src": "1", "walk_length": 3, "restart": 1e-9}).outputs["paths"]
    assert back.tolist() == [[1, 2, 1, 2]]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_same_walks_with_any_number_of_threads(threads: int) -> None:
    graph = load_graph(GraphSpec("rmat", params={"scale": 8}), np)
    expected = run(graph, {"p": 0.5}, threads=3).outputs["paths"]
    np.testing.assert_array_equal(run(graph, {"p": 0.5}, threads=threads).outputs["paths"], expected)


def steps_from(graph: Graph, **options: Any) -> Numbers:
    found = run(graph, {"src": "0", "walks": 40_000, "walk_seed": 3, **options}).outputs["paths"]
    return np.asarray(found)


def check_frequencies(found: Numbers, expected: Numbers) -> None:
    expected = expected.astype(np.float64)
    counts = np.bincount(found, minlength=len(expected))
    assert not counts[expected == 0].any()
    some = expected > 0
    shares = expected[some] / expected.sum() * len(found)
    assert chisquare(counts[some], shares).pvalue > LEVEL


@pytest.mark.parametrize("kind", [np.int32, np.float32])
def test_edges_are_taken_in_proportion_to_their_weights(kind: Any) -> None:
    weights = np.array([0, 5, 1, 0, 7, 30, 2, 0], kind)
    columns = np.arange(1, 9, dtype=np.int32)
    graph = gunrock.from_csr(np.r_[0, np.full(9, 8)], columns, values=weights)
    check_frequencies(steps_from(graph, walk_length=1, weighted=True)[:, 1], np.r_[0, weights])
    check_frequencies(steps_from(graph, walk_length=1)[:, 1], np.r_[0, np.ones(8)])


def test_a_vertex_whose_edges_weigh_nothing_is_a_dead_end() -> None:
    graph = gunrock.from_csr(np.array([0, 1, 2]), np.array([1, 0]), values=np.array([3, 0]))
    assert run(graph, {"weighted": True, "walk_length": 2}).outputs["paths"].tolist() == [
        [0, 1, -1],
        [1, -1, -1],
    ]


@pytest.mark.parametrize(("p", "q"), [(0.25, 4.0), (4.0, 0.25), (1.0, 3.0), (2.0, 1.0)])
def test_second_steps_are_taken_as_node2vec_weighs_them(p: float, q: float) -> None:
    """From 0 to 1, then: back to 0, to 2 and 3, which 0 knows, or to 4, 5 and 6."""
    edges = [(0, 1), (0, 2), (0, 3), *((1, v) for v in range(2, 7))]
    found = steps_from(graph_of(7, edges), walk_length=2, p=p, q=q)
    weights = np.array([1 / p, 0, 1, 1, 1 / q, 1 / q, 1 / q])
    check_frequencies(found[found[:, 1] == 1, 2], weights)


def test_restarts_are_as_frequent_as_asked() -> None:
    ring = graph_of(50, [(v, (v + 1) % 50) for v in range(50)], undirected=False)
    after = steps_from(ring, walk_length=1, restart=0.3)[:, 1]
    check_frequencies(after, np.array([0.3, 0.7]))


def test_visits_are_those_of_the_paths() -> None:
    graph = load_graph(GraphSpec("rmat", params={"scale": 8}), np)
    paths = run(graph, {"walks": 2}).outputs["paths"]
    visits = run(graph, {"walks": 2, "visits": True}).outputs["visits"]
    np.testing.assert_array_equal(visits, np.bincount(paths[paths >= 0], minlength=graph.n))


def test_from_python_source_length_and_seed_are_arguments() -> None:
    graph = graph_of(4, [(0, 1), (1, 2), (2, 3)])
    found = gunrock.walk(graph, source=[0, 2, 2], length=5, seed=7, backend="cpu")
    assert found.paths.shape == (3, 6)
    assert found.paths[:, 0].tolist() == [0, 2, 2]
    assert found.to_frame().shape == (3, 6)
    assert np.shares_memory(np.from_dlpack(found.paths), found.paths)
    walk = gunrock.prepare("walk", graph, source=[0, 2, 2], length=5, seed=7, backend="cpu")
    np.testing.assert_array_equal(walk().paths, found.paths)
    with pytest.raises(UsageError, match=r"length=-1: give a whole number from 0 to 1000000"):
        gunrock.walk(graph, length=-1)
    with pytest.raises(UsageError, match=r"source=9: .* has the vertices 0 to 3"):
        gunrock.walk(graph, source=[9], backend="cpu")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"weighted": True}, "the graph has no weights; use --weights random:1:64 or --weights unit"),
        ({"src": "0,9"}, "--src 9: .* has the vertices 0 to 3"),
        (
            {"walks": 2**31 - 1, "walk_length": 10**6},
            "not enough memory for paths of --walks 2147483647 and --walk-length 1000000",
        ),
    ],
)
def test_what_cannot_be_walked_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(GunrockError, match=words):
        run(graph_of(4, [(0, 1)]), options)


def test_saved_paths(tmp_path: Path) -> None:
    words = ["walk", "rmat", "--scale", "5", "--src", "3,3,9", "--walk-length", "4", "--backend", "cpu"]
    saved = {}
    for suffix in ("npy", "csv", "parquet"):
        path = tmp_path / f"paths.{suffix}"
        assert (
            CliRunner().invoke(cli, [*words, "--save", str(path)], catch_exceptions=False).exit_code == 0
        )
        saved[suffix] = path
    array = np.load(saved["npy"])
    assert array.shape == (3, 5)
    table = pd.read_csv(saved["csv"])
    assert list(table.columns) == [f"step_{number}" for number in range(5)]
    np.testing.assert_array_equal(table.to_numpy(), array)
    np.testing.assert_array_equal(pd.read_parquet(saved["parquet"]).to_numpy(), array)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_wrong_answer_fails(way: dict[str, Any]) -> None:
    graph = with_weights(load_graph(GraphSpec("rmat", params={"scale": 7}), np), "random:1:9")
    measured = run(graph, way)
    name, answer = next(iter(measured.outputs.items()))
    wrong = np.array(answer)
    wrong.flat[5] += 1
    verdict = PRIMITIVE.validate(graph, measured.options, None, {name: wrong})
    assert verdict.verdict == "fail"


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_alias_tables_give_each_entry_its_share(graph: Graph) -> None:
    table, offsets = alias_table(graph), graph.csr.row_offsets
    for begin, end in pairwise(offsets.tolist()):
        weights = graph.csr.values[begin:end].astype(float)
        if not weights.any():
            assert (table[begin:end] == NOTHING).all()
            continue
        own = (table[begin:end] & np.uint64(2**32 - 1)) / 2**32
        place = (table[begin:end] >> np.uint64(32)).astype(int)
        shares = own + np.bincount(place, weights=1 - own, minlength=end - begin)
        np.testing.assert_allclose(shares / (end - begin), weights / weights.sum(), atol=1e-7)
        assert not shares[weights == 0].any()
