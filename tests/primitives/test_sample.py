"""Neighborhood samples against NumPy's, and the frequencies of drawn edges against their chances."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from primitives.graphs_for_sets import CORNERS, graph_of
from runs_helper import BACKENDS, run_on
from scipy import sparse
from scipy.stats import chisquare

import gunrock_cli as gunrock
from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.cli.main import cli
from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives.sample import PRIMITIVE

LEVEL = 1e-4
"""The chance of frequencies as far from the expected ones as those that fail. Seeds are fixed, so a test
always fails or never."""
Numbers = np.ndarray[Any, Any]
WAYS: list[dict[str, Any]] = [
    {"fanout": "3,2"},
    {"fanout": "4,0,2", "sample": 3},
    {"fanout": "-1,2,70"},
    {"fanout": "2,3", "replace": True},
    {"fanout": "5,2", "replace": True, "weighted": True},
]


def run(graph: Graph, options: dict[str, Any], backend: str = "cpu", **how: Any) -> Measured:
    return run_on(PRIMITIVE, graph, options, backend, **how)


def check(graph: Graph, options: dict[str, Any], backend: str = "cpu", **how: Any) -> dict[str, Numbers]:
    measured = run(graph, options, backend, check="both", **how)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    check_sample(graph, measured.outputs, measured.options)
    return measured.outputs


def check_sample(graph: Graph, found: dict[str, Numbers], options: Any) -> None:
    """What holds of a sample whatever the random numbers."""
    vertices, sources, targets, edges = (
        found[name] for name in ("vertices", "sources", "targets", "edges")
    )
    assert len(np.unique(vertices)) == len(vertices)
    np.testing.assert_array_equal(graph.csr.sources()[edges], vertices[sources])
    np.testing.assert_array_equal(graph.csr.column_indices[edges], vertices[targets])
    if not options.replace:
        assert len(np.unique(edges)) == len(edges)
    degrees = np.diff(graph.csr.row_offsets)[vertices]
    weights = np.zeros(graph.n) if graph.csr.values is None else strengths(graph)
    for hop, fanout in enumerate(map(int, options.fanout.split(","))):
        own = slice(*found["vertex_offsets"][hop : hop + 2])
        begin, end = found["edge_offsets"][hop : hop + 2]
        counts = np.bincount(sources[begin:end], minlength=len(vertices))[own]
        if options.weighted:
            expected = np.where(weights[vertices[own]] > 0, fanout, 0)
        elif options.replace:
            expected = np.where(degrees[own] > 0, fanout, 0)
        else:
            expected = degrees[own] if fanout < 0 else np.minimum(degrees[own], fanout)
        np.testing.assert_array_equal(counts, expected)
        assert counts.sum() == end - begin
    first = np.full(len(vertices), -1)
    first[targets[::-1]] = np.arange(len(targets))[::-1]
    assert (np.diff(first[found["vertex_offsets"][1] :]) > 0).all()


def strengths(graph: Graph) -> Numbers:
    return np.bincount(graph.csr.sources(), graph.csr.values, minlength=graph.n)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 20))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=70))
    how = {key: draw(st.booleans()) for key in ("undirected", "keep_self_loops", "keep_duplicates")}
    return with_weights(graph_of(n, edges, **how), "random:0:5")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graphs(), st.sampled_from(WAYS), st.integers(0, 2**63 - 1))
def test_random_graphs(graph: Graph, way: dict[str, Any], seed: int) -> None:
    check(graph, {**way, "sample_seed": seed})


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    graph = with_weights(graph_of(n, edges, **how), "random:1:5")
    for way in WAYS:
        check(graph, way, backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_larger_graphs(way: dict[str, Any], backend: str) -> None:
    graph = load_graph(GraphSpec("rmat", params={"scale": 11}, undirected=False), np)
    check(with_weights(graph, "random:1:64"), way, backend, loop="host")


def test_the_empty_graph() -> None:
    found = check(graph_of(0, []), {})
    assert not len(found["vertices"])
    assert found["vertex_offsets"].tolist() == [0] * 5


def test_a_sample_by_hand() -> None:
    """Of 2 all edges, to 0 and 1, then of these, of which 0 has none and 1 leads to 2 and 3."""
    graph = graph_of(5, [(2, 0), (2, 1), (1, 2), (1, 3), (3, 4)], undirected=False)
    found = check(graph, {"src": "2,2", "fanout": "2,2"})
    assert {name: values.tolist() for name, values in found.items()} == {
        "vertices": [2, 0, 1, 3],
        "sources": [0, 0, 2, 2],
        "targets": [1, 2, 0, 3],
        "edges": [2, 3, 0, 1],
        "vertex_offsets": [0, 1, 3, 4],
        "edge_offsets": [0, 2, 4],
    }


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_same_sample_with_any_number_of_threads(threads: int) -> None:
    graph = load_graph(GraphSpec("rmat", params={"scale": 9}), np)
    expected = run(graph, {"sample": 50}, threads=3).outputs
    for name, values in run(graph, {"sample": 50}, threads=threads).outputs.items():
        np.testing.assert_array_equal(values, expected[name])


def drawn_of_stars(degree: int, fanout: int, **options: Any) -> Numbers:
    """Places of the edges drawn of many vertices of one degree: a row for each vertex."""
    count = 20_000
    columns = np.tile(np.arange(count, count + degree, dtype=np.int32), count)
    offsets = np.r_[np.arange(count + 1) * degree, np.full(degree, count * degree)]
    weights = np.tile(np.arange(1, degree + 1, dtype=np.int32), count)
    graph = gunrock.from_csr(offsets, columns, values=weights)
    seeds = ",".join(map(str, range(count)))
    found = run(graph, {"src": seeds, "fanout": str(fanout), "sample_seed": 3, **options}).outputs
    return np.asarray(found["edges"]).reshape(count, fanout) % degree


@pytest.mark.parametrize(("degree", "fanout"), [(5, 2), (6, 3), (4, 3)])
def test_every_set_of_edges_is_as_likely_as_any_other(degree: int, fanout: int) -> None:
    drawn = np.sort(drawn_of_stars(degree, fanout), axis=1)
    assert (np.diff(drawn, axis=1) > 0).all()
    _, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(counts) == {(5, 2): 10, (6, 3): 20, (4, 3): 4}[degree, fanout]
    assert chisquare(counts).pvalue > LEVEL


def test_every_edge_of_a_long_list_is_as_likely_as_any_other() -> None:
    """Lists that are longer than the bits that say what has been drawn."""
    drawn = drawn_of_stars(150, 40)
    assert (np.diff(np.sort(drawn, axis=1), axis=1) > 0).all()
    counts = np.bincount(drawn.ravel(), minlength=150)
    shares = np.full(150, counts.mean())
    spread = ((counts - shares) ** 2 / shares).sum() / (1 - 40 / 150)  # draws of one list are different
    assert spread < 245  # the 1e-6 quantile of chi-squared with 149 degrees of freedom is 241


def test_with_replacement_edges_are_drawn_by_weight_and_apart() -> None:
    drawn = drawn_of_stars(4, 2, replace=True, weighted=True)
    pairs = np.bincount(drawn[:, 0] * 4 + drawn[:, 1], minlength=16)
    shares = np.outer([1, 2, 3, 4], [1, 2, 3, 4]).ravel() / 100
    assert chisquare(pairs, shares * pairs.sum()).pvalue > LEVEL
    pairs = np.bincount(drawn_of_stars(4, 2, replace=True) @ [4, 1], minlength=16)
    assert chisquare(pairs).pvalue > LEVEL


def test_another_seed_gives_other_seeds_and_draws() -> None:
    graph = load_graph(GraphSpec("rmat", params={"scale": 9}), np)
    one, other = (run(graph, {"sample": 20, "sample_seed": seed}).outputs for seed in (1, 2))
    assert set(one["vertices"][:20]) != set(other["vertices"][:20])
    one, other = (run(graph, {"src": "0,1,2", "sample_seed": seed}).outputs for seed in (1, 2))
    assert not np.array_equal(one["edges"], other["edges"])


def test_from_python_source_fanout_and_seed_are_arguments() -> None:
    graph = graph_of(5, [(0, 1), (1, 2), (2, 3), (3, 4)])
    found = gunrock.sample(graph, source=[2, 0], fanout=[2, 1], seed=7, backend="cpu", check=True)
    assert found.vertices[:2].tolist() == [2, 0]
    frame = found.to_frame()
    np.testing.assert_array_equal(frame["source"], found.vertices[found.sources])
    np.testing.assert_array_equal(frame["target"], graph.csr.column_indices[found.edges])
    sample = gunrock.prepare("sample", graph, source=[2, 0], fanout=[2, 1], seed=7, backend="cpu")
    for values in found.outputs.values():
        assert np.shares_memory(np.from_dlpack(values), values)
    for _ in range(2):
        np.testing.assert_array_equal(sample().edges, found.edges)


def test_edges_are_entries_of_a_sorted_matrix() -> None:
    matrix = sparse.csr_array(sparse.random(60, 60, density=0.2, random_state=1))
    matrix.setdiag(1)
    matrix.sort_indices()
    found = gunrock.sample(matrix, source=[3, 4], fanout=[3, 2], backend="cpu")
    np.testing.assert_array_equal(matrix.indices[found.edges], found.vertices[found.targets])
    owners = np.repeat(np.arange(60), np.diff(matrix.indptr))
    np.testing.assert_array_equal(owners[found.edges], found.vertices[found.sources])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"src": "0,9"}, "--src 9: .* has the vertices 0 to 3"),
        ({"src": "0", "sample": 2}, "--src says where to begin, and so does --sample"),
        ({"fanout": "5,x"}, r"--fanout 5,x: give a number from 0 to 4096 for each hop"),
        ({"fanout": "4097"}, r"--fanout 4097: give a number"),
        ({"fanout": ""}, r"--fanout : give a number"),
        ({"fanout": ",".join(65 * "1")}, r"65 hops are too many"),
        ({"fanout": "-1", "replace": True}, "--fanout -1 takes every edge once"),
        ({"weighted": True}, "--weighted draws with replacement only: add --replace"),
        ({"weighted": True, "replace": True}, "the graph has no weights"),
    ],
)
def test_what_cannot_be_drawn_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(GunrockError, match=words):
        run(graph_of(4, [(0, 1), (1, 2)]), options)
    with pytest.raises(UsageError, match="fanout=None: give text"):
        gunrock.sample(graph_of(4, [(0, 1)]), fanout=None)


def test_a_sample_of_too_many_edges_is_refused() -> None:
    path = np.arange(600_000)
    graph = graph_of(600_001, np.column_stack((path, path + 1)))
    with pytest.raises(
        UsageError, match="a sample of --fanout 4096 may have 2457604096 edges; draw fewer"
    ):
        run(graph, {"fanout": "4096", "replace": True, "sample": 600_001})


def test_saved_edges_are_between_the_graphs_vertices(tmp_path: Path) -> None:
    words = ["sample", "rmat", "--scale", "6", "--src", "3,9", "--fanout", "4,2", "--backend", "cpu"]
    saved = {}
    for suffix in ("npy", "csv", "parquet", "npz"):
        saved[suffix] = tmp_path / f"edges.{suffix}"
        arguments = [*words, "--save", str(saved[suffix])]
        assert CliRunner().invoke(cli, arguments, catch_exceptions=False).exit_code == 0
    table = pd.read_csv(saved["csv"])
    assert list(table.columns) == ["source", "target", "edge"]
    assert set(table["source"][:8]) == {3, 9}
    graph = load_graph(GraphSpec("rmat", params={"scale": 6}, undirected=False), np)
    np.testing.assert_array_equal(graph.csr.column_indices[table["edge"]], table["target"])
    pd.testing.assert_frame_equal(pd.read_parquet(saved["parquet"]).astype(np.int64), table)
    pd.testing.assert_frame_equal(pd.DataFrame(np.load(saved["npy"])).astype(np.int64), table)
    arrays = np.load(saved["npz"])
    np.testing.assert_array_equal(arrays["vertices"][arrays["targets"]], table["target"])
    assert arrays["edge_offsets"].tolist() == [0, 8, len(table)]


@pytest.mark.parametrize(
    "name", ["vertices", "sources", "targets", "edges", "vertex_offsets", "edge_offsets"]
)
def test_a_wrong_answer_fails(name: str) -> None:
    graph = load_graph(GraphSpec("rmat", params={"scale": 7}), np)
    measured = run(graph, {"sample": 9})
    wrong = {each: np.array(values) for each, values in measured.outputs.items()}
    wrong[name][2] += 1
    assert PRIMITIVE.validate(graph, measured.options, None, wrong).verdict == "fail"
