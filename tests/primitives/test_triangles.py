"""Triangles against NetworkX, SciPy and known numbers, in every order and way to mark."""

from __future__ import annotations

import itertools
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from primitives.graphs_for_sets import CORNERS, LARGER, Numbers, graph_of, in_networkx, small_graphs
from runs_helper import BACKENDS, LOOPS, run_on

from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.on_gpu import as_on_gpu
from gunrock_cli.primitives.triangles import PRIMITIVE, choose, triangles_of, triangles_of_entries

WAYS = list(itertools.product(["graph", "degree"], ["longer", "own"]))
IN_WAYS = pytest.mark.parametrize(("order", "marked"), WAYS)


def run(graph: Graph, backend: str = "cpu", threads: int = 3, **how: Any) -> Measured:
    options = {key: how.pop(key) for key in ("per", "order", "marked") if key in how}
    return run_on(PRIMITIVE, graph, options, backend, threads, **how)


def by_networkx(graph: Graph) -> Numbers:
    return np.array([found for _, found in sorted(nx.triangles(in_networkx(graph)).items())], np.int64)


def of_entries(graph: Graph) -> list[int]:
    """The common neighbors of each entry's two ends; a loop has none."""
    sets = {v: set(near) for v, near in in_networkx(graph).adjacency()}
    ends = zip(graph.csr.sources().tolist(), graph.csr.column_indices.tolist(), strict=True)
    return [len(sets[u] & sets[v]) if u != v else 0 for u, v in ends]


def check(graph: Graph, backend: str = "cpu", **how: Any) -> None:
    expected = by_networkx(graph)
    for per in ("vertex", "edge", "graph"):
        if per == "edge" and how.get("marked") == "own":
            continue
        measured = run(graph, backend, per=per, check="both", **how)
        assert measured.record.validation["verdict"] == "pass", measured.record.validation
        assert measured.record.metrics == {"triangles": int(expected.sum()) // 3}
        if per == "vertex":
            np.testing.assert_array_equal(measured.outputs["triangles"], expected)
        elif per == "edge":
            assert measured.outputs["triangles"].tolist() == of_entries(graph)
            np.testing.assert_array_equal(measured.outputs["sources"], graph.csr.sources())
            np.testing.assert_array_equal(measured.outputs["targets"], graph.csr.column_indices)
        else:
            assert measured.outputs["total"].tolist() == [int(expected.sum()) // 3]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("backend", BACKENDS)
@IN_WAYS
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, order: str, marked: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    check(graph_of(n, edges, **how), backend, order=order, marked=marked)


@pytest.mark.parametrize("per", ["vertex", "edge", "graph"])
def test_empty_graph(per: str) -> None:
    record = run(graph_of(0, []), per=per).record
    assert (record.validation["verdict"], record.metrics) == ("pass", {"triangles": 0})


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.sampled_from(WAYS), st.sampled_from(LOOPS))
def test_random_graphs(graph: Graph, way: tuple[str, str], loop: str) -> None:
    check(graph, order=way[0], marked=way[1], loop=loop)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_larger_graphs(loop: str, backend: str) -> None:
    for spec in LARGER:
        check(load_graph(spec, np), backend, loop=loop)


def test_a_clique_has_more_than_fit_in_32_bits() -> None:
    """Each two of 3000 hubs and any third vertex: the number is known, and beyond 2^32."""
    n = 3000
    tails, heads = np.triu_indices(n, 1)
    measured = run(graph_of(n, np.column_stack((tails, heads))), per="graph", check="none")
    assert measured.outputs["total"].tolist() == [n * (n - 1) * (n - 2) // 6]
    assert measured.outputs["total"][0] > 2**32


def test_wheels_of_known_numbers() -> None:
    """A hub and a ring of k: k triangles, each at the hub and at two neighbours of the ring."""
    for k in (4, 5, 70, 1000):
        rim = np.arange(1, k + 1)
        edges = np.concatenate((np.column_stack((0 * rim, rim)), np.column_stack((rim, rim % k + 1))))
        found = run(graph_of(k + 1, edges)).outputs["triangles"]
        assert found.tolist() == [k] + [2] * k


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_same_with_any_number_of_threads(threads: int) -> None:
    check(load_graph(LARGER[0], np), threads=threads)


def test_what_auto_chooses() -> None:
    lattice, rmat = (load_graph(spec, np) for spec in (LARGER[1], LARGER[0]))
    asked = PRIMITIVE.asked({})
    for graph, expected in ((lattice, ("graph", "own")), (rmat, ("degree", "own"))):
        chosen = choose(graph, asked)
        assert (chosen.order, chosen.marked) == expected
    assert choose(as_on_gpu(rmat), asked).marked == "longer"
    assert choose(as_on_gpu(lattice), asked).marked == "own"
    assert choose(lattice, PRIMITIVE.asked({"per": "edge"})).marked == "longer"


def test_counts_of_edges_mark_the_longer_list() -> None:
    with pytest.raises(UsageError, match="--marked own: --per edge marks the longer list; leave it out"):
        run(graph_of(2, [(0, 1)]), per="edge", marked="own")


def test_lists_too_long_for_the_order_of_the_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_of(5, [(0, v) for v in range(1, 5)])
    monkeypatch.setattr("gunrock_cli.primitives.triangles.MOST_BY_NUMBER", 3)
    with pytest.raises(UsageError, match="a vertex has 4 edges, and 3 are the most; use --order degree"):
        choose(graph, PRIMITIVE.asked({"order": "graph"}))
    assert choose(graph, PRIMITIVE.asked({"order": "degree"})).order == "degree"


def test_the_record_and_the_trace() -> None:
    graph = graph_of(5, [(0, 1), (0, 2), (1, 2), (2, 3)])
    record = run(graph, per="graph", order="degree", marked="longer", trace=True).record
    assert record.metrics == {"triangles": 1}
    assert record.traffic == {"read": 16, "written": 8, "passes": 1}
    assert record.mteps is None
    assert [row["phase"] for row in record.trace] == ["number", *3 * ["orient"], "count"]


@pytest.mark.parametrize(
    ("outputs", "words"),
    [
        ({"triangles": [1, 1, 1, 1]}, "1 triangles differ: vertex 3: 1, expected 0"),
        ({"triangles": [0, 1, 1]}, "shape"),
        ({"total": [3]}, "3 triangles, expected 1"),
        ({"triangles": [1, 1, 1, 1, 1, 2, 0, 0], "sources": []}, "edge 2 1: 2, expected 1"),
        ({"triangles": [1, 1], "sources": []}, "shape (2,), expected (8,)"),
    ],
)
def test_validation_rejects(outputs: dict[str, list[int]], words: str) -> None:
    graph = graph_of(4, [(0, 1), (0, 2), (1, 2), (2, 3)])
    arrays = {name: np.array(values) for name, values in outputs.items()}
    found = PRIMITIVE.validate(graph, PRIMITIVE.asked({}), None, arrays)
    assert found.verdict == "fail"
    assert words in found.message


def test_the_reference_takes_rows_in_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = load_graph(LARGER[2], np)
    whole, of_edges = triangles_of(graph), triangles_of_entries(graph)
    monkeypatch.setattr("gunrock_cli.primitives.references._ENTRIES_AT_ONCE", 50)
    np.testing.assert_array_equal(triangles_of(graph), whole)
    np.testing.assert_array_equal(triangles_of_entries(graph), of_edges)


def test_directed_graphs_are_refused() -> None:
    with pytest.raises(GunrockError, match="undirected"):
        run(graph_of(2, [(0, 1)], undirected=False))
