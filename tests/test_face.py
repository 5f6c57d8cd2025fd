"""The Python face: every primitive as a function, against SciPy and NetworkX, and its refusals."""

from __future__ import annotations

import copy
import inspect
import json
import pickle
import re
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.io import mmread
from scipy.sparse import csgraph

import gunrock_cli as gunrock
from gunrock_cli.bench.protocol.runner import Protocol
from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.schema import check_record
from gunrock_cli.errors import BackendError, GunrockError, InputError, UsageError, WrongAnswer
from gunrock_cli.face import functions, solve
from gunrock_cli.face.options import COMMON, MEASURED, TAKEN
from gunrock_cli.graph.arrays import graph_of
from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.bfs import Bfs
from gunrock_cli.primitives.resolve import offered

ROOT = Path(__file__).parents[1]
CPU: dict[str, Any] = {"backend": "cpu", "threads": 2}
BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]


@st.composite
def matrices(draw: st.DrawFn) -> sparse.csr_array:
    """Small matrices with loops, of positive whole numbers."""
    n = draw(st.integers(1, 12))
    ends = st.integers(0, n - 1)
    places = draw(st.dictionaries(st.tuples(ends, ends), st.integers(1, 9), max_size=3 * n))
    rows, columns = np.array(list(places), np.int32).reshape(-1, 2).T
    values = np.array(list(places.values()), np.int32)
    return sparse.csr_array(sparse.coo_array((values, (rows, columns)), shape=(n, n)))


def road(n: int = 30) -> sparse.csr_array:
    """A one-way ring with chords."""
    rows = np.tile(np.arange(n), 2)
    columns = np.concatenate((np.arange(1, n + 1) % n, (np.arange(n) * 7 + 3) % n))
    return sparse.csr_array(sparse.coo_array((1.0 + rows % 5, (rows, columns)), shape=(n, n)))


def networkx_of(a: sparse.csr_array) -> nx.DiGraph:
    return nx.from_scipy_sparse_array(a, create_using=nx.DiGraph)


def unreached_as(value: Any, distances: np.ndarray) -> np.ndarray:
    return np.where(np.isinf(distances), value, distances)


def levels(a: sparse.csr_array, source: int) -> np.ndarray:
    return unreached_as(-1, csgraph.shortest_path(a, unweighted=True, indices=source))


def check_all(a: sparse.csr_array, **how: Any) -> None:
    """Check all primitives against other libraries' answers for the same matrix."""
    n, source = a.shape[0], a.shape[0] // 2
    labels = gunrock.bfs(a, source=source, **how).labels
    assert (labels == levels(a, source)).all()
    distances = gunrock.sssp(a, source, **how).distances
    assert (distances == unreached_as(-1, csgraph.dijkstra(a, indices=source))).all()
    found = gunrock.bc(a, source=range(n), **how)
    expected = nx.betweenness_centrality(networkx_of(a), normalized=False)
    np.testing.assert_allclose(found.scores, [expected[v] for v in range(n)], rtol=1e-4, atol=1e-5)
    _, components = csgraph.connected_components(a)
    smallest = [int(np.flatnonzero(components == each)[0]) for each in components]
    assert gunrock.cc(a, **how).components.tolist() == smallest
    lightest = gunrock.mst(a, symmetrize=True, **how)
    assert lightest.weights.sum() == csgraph.minimum_spanning_tree(a).sum()
    mates = gunrock.matching(a, symmetrize=True, check=True, **how).mates
    assert (mates[mates[mates >= 0]] == np.flatnonzero(mates >= 0)).all()
    ones = sparse.csr_array((np.ones(a.nnz), a.indices, a.indptr), shape=a.shape)
    ranks = nx.pagerank(networkx_of(ones), tol=1e-12, max_iter=1000)
    found = gunrock.pagerank(a, precision="float64", tolerance=1e-12, max_iterations=1000, **how)
    np.testing.assert_allclose(found.ranks, [ranks[v] for v in range(n)], atol=1e-8)
    check_sets(a, **how)
    check_distances(a, source, **how)
    check_rankings(a, source, **how)
    check_communities(a, **how)
    check_directions(a, **how)


def check_sets(a: sparse.csr_array, **how: Any) -> None:
    """Check sets by their definition, and counts, on the graph without directions and loops."""
    own = nx.Graph(networkx_of(a))
    own.remove_edges_from(list(nx.selfloop_edges(own)))
    members = set(np.flatnonzero(gunrock.mis(a, symmetrize=True, **how).members).tolist())
    assert own.subgraph(members).number_of_edges() == 0
    assert members.union(*(own[v] for v in members)) == set(own)
    colors = gunrock.color(a, symmetrize=True, **how).colors
    assert (colors >= 0).all()
    assert all(colors[u] != colors[v] for u, v in own.edges)
    triangles = gunrock.triangles(a, symmetrize=True, **how).triangles
    assert dict(enumerate(triangles.tolist())) == nx.triangles(own)
    found = gunrock.clustering(a, symmetrize=True, **how)
    assert dict(enumerate(found.coefficients.tolist())) == nx.clustering(own)
    assert found.average[0] == pytest.approx(nx.average_clustering(own), rel=1e-12)
    assert found.transitivity[0] == nx.transitivity(own)
    cores = gunrock.kcore(a, symmetrize=True, **how).cores
    assert dict(enumerate(cores.tolist())) == nx.core_number(own)
    trusses = gunrock.ktruss(a, symmetrize=True, **how)
    ends = zip(trusses.sources.tolist(), trusses.targets.tolist(), strict=True)
    dense = {frozenset(edge) for edge, k in zip(ends, trusses.trussness, strict=True) if k >= 4}
    assert dense == set(map(frozenset, nx.k_truss(own, 4).edges))
    parts = gunrock.biconnected(a, symmetrize=True, **how)
    assert parts.articulation_points.tolist() == sorted(nx.articulation_points(own))
    assert set(map(frozenset, parts.bridges.tolist())) == set(map(frozenset, nx.bridges(own)))
    assert parts.components.max(initial=-1) + 1 == len(list(nx.biconnected_components(own)))
    sizes = list(map(len, nx.enumerate_all_cliques(own)))
    assert gunrock.cliques(a, symmetrize=True, **how).total.tolist() == [sizes.count(4)]
    paths = gunrock.walk(a, symmetrize=True, length=3, seed=1, **how).paths
    steps = [step for path in paths.tolist() for step in pairwise(path)]
    assert all(after in own[here] for here, after in steps if after not in (-1, here))  # here: by a loop
    sample = gunrock.sample(a, symmetrize=True, sample=2, fanout=[2, 3], seed=1, **how)
    ends = zip(
        sample.vertices[sample.sources].tolist(), sample.vertices[sample.targets].tolist(), strict=True
    )
    assert all(target in own[source] for source, target in ends if source != target)


def check_directions(a: sparse.csr_array, **how: Any) -> None:
    """Check components and labels of the graph with its directions."""
    own = networkx_of(a)
    components = gunrock.scc(a, **how).components
    for component in nx.strongly_connected_components(own):
        assert set(np.flatnonzero(components == min(component)).tolist()) == component
    labels = dict(zip(own, own, strict=True))
    for _ in range(3):
        seen = {v: Counter([labels[u] for u in nx.all_neighbors(own, v)]) for v in own}
        labels = {v: min(seen[v], key=lambda u: (-seen[v][u], u), default=labels[v]) for v in own}
    upper = sparse.triu(a, 1, format="csr")
    levels = gunrock.toposort(upper, **how).levels
    for level, vertices in enumerate(nx.topological_generations(networkx_of(upper))):
        assert np.flatnonzero(levels == level).tolist() == sorted(vertices)
    communities = gunrock.cdlp(a, max_iterations=3, **how).communities
    assert dict(enumerate(communities.tolist())) == labels


def check_distances(a: sparse.csr_array, source: int, **how: Any) -> None:
    """Check what searches from many sources add up to."""
    own = networkx_of(a)
    scores = gunrock.closeness(a, **how).scores
    np.testing.assert_allclose(scores, list(nx.closeness_centrality(own).values()), rtol=1e-12)
    hops = nx.single_source_shortest_path_length(own, source)
    found = gunrock.distances(a, sources=[source], per="pair", **how).distances
    assert {v: d for v, (d,) in enumerate(found.tolist()) if d >= 0} == hops
    assert gunrock.eccentricity(a, **how).eccentricities[source] == max(hops.values())


def check_rankings(a: sparse.csr_array, source: int, **how: Any) -> None:
    """Check rankings against the same iterations in NumPy, and NetworkX."""
    n = a.shape[0]
    ones = sparse.csr_array((np.ones(a.nnz), a.indices, a.indptr), shape=a.shape)
    hubs = np.full(n, 1 / n)
    for _ in range(4):
        authorities = ones.T @ hubs
        authorities /= max(authorities.sum(), 1e-300)
        hubs = ones @ authorities
        hubs /= max(hubs.sum(), 1e-300)
    found = gunrock.hits(a, precision="float64", tolerance=0, max_iterations=4, **how)
    np.testing.assert_allclose(found.hubs, hubs, atol=1e-12)
    np.testing.assert_allclose(found.authorities, authorities, atol=1e-12)
    backwards = ones.T.tocsr()
    forward = ones.multiply(1 / np.maximum(ones.sum(axis=1), 1)[:, None]).T.tocsr()
    back = backwards.multiply(1 / np.maximum(backwards.sum(axis=1), 1)[:, None]).T.tocsr()
    some = ones.sum(axis=0) > 0
    found = gunrock.salsa(a, precision="float64", tolerance=0, max_iterations=2, **how)
    expected = forward @ (back @ (forward @ (back @ (some / max(some.sum(), 1)))))
    np.testing.assert_allclose(found.authorities, expected, atol=1e-12)
    ranks = nx.pagerank(networkx_of(ones), tol=1e-12, max_iter=1000, personalization={source: 1})
    found = gunrock.ppr(a, source, precision="float64", tolerance=1e-12, max_iterations=1000, **how)
    np.testing.assert_allclose(found.ranks, [ranks[v] for v in range(n)], atol=1e-8)
    found = gunrock.wtf(a, source, recommendations=n, circle=n, **how)
    followed = {source, *a.indices[a.indptr[source] : a.indptr[source + 1]].tolist()}
    best = [v for v in found.recommendations.tolist() if v >= 0]
    assert set(best) == set(np.flatnonzero(found.scores).tolist())
    assert not followed & set(best)


def check_communities(a: sparse.csr_array, **how: Any) -> None:
    """Check that communities are as good as reported, with A's values as weights."""
    found = gunrock.louvain(a, symmetrize=True, **how)
    connected = gunrock.leiden(a, symmetrize=True, **how).communities
    own, entries = nx.empty_graph(a.shape[0]), a.tocoo()
    for u, v, weight in zip(entries.row, entries.col, entries.data, strict=True):
        before = own[u][v]["weight"] if own.has_edge(u, v) else weight
        own.add_edge(u, v, weight=min(before, weight))  # of two directions the lighter is kept
    if own.number_of_edges():
        parts = [
            set(np.flatnonzero(found.communities == c).tolist())
            for c in range(int(found.communities.max()) + 1)
        ]
        assert found.modularities[-1] == pytest.approx(nx.community.modularity(own, parts), abs=1e-6)
        for c in range(int(connected.max()) + 1):
            assert nx.is_connected(own.subgraph(np.flatnonzero(connected == c).tolist()))
    assert len(found.levels) == len(found.modularities) - 1


@given(matrices())
@settings(max_examples=12, deadline=None)
def test_the_five_answer_as_other_libraries_do(a: sparse.csr_array) -> None:
    check_all(a, **CPU)


@pytest.mark.gpu
@given(matrices())
@settings(max_examples=25, deadline=None)
def test_the_five_answer_as_other_libraries_do_on_the_gpu(a: sparse.csr_array) -> None:
    check_all(a, backend="cuda")


def test_that_covers_every_primitive() -> None:
    assert primitive_names() == (
        "bc",
        "bfs",
        "biconnected",
        "cc",
        "cdlp",
        "cliques",
        "closeness",
        "clustering",
        "color",
        "distances",
        "eccentricity",
        "hits",
        "kcore",
        "ktruss",
        "leiden",
        "louvain",
        "matching",
        "mis",
        "mst",
        "pagerank",
        "ppr",
        "salsa",
        "sample",
        "scc",
        "sssp",
        "toposort",
        "triangles",
        "walk",
        "wtf",
    )


# --- kinds of input -----------------------------------------------------------------------------------
def kinds() -> dict[str, Any]:
    a = road()
    pair = a.tocoo()
    return {
        **{form: a.asformat(form) for form in ("csr", "csc", "coo", "lil", "dok", "dia", "bsr")},
        "matrix": sparse.csr_matrix(a),
        "boolean": a.astype(bool),
        "complex": a.astype(complex),
        "pair": (pair.row, pair.col),
        "three": (pair.row, pair.col, pair.data),
        "lists": [pair.row.tolist(), pair.col.tolist()],
        "graph": gunrock.as_graph(a, backend="cpu"),
        "no in-edges": graph_of(a, reverse=False),
    }


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("kind", kinds())
def test_every_kind_of_input(kind: str, backend: str) -> None:
    found = gunrock.bfs(kinds()[kind], 4, mark_pred=True, check=True, backend=backend)
    assert isinstance(found.labels, np.ndarray)
    assert (found.labels == levels(road(), 4)).all()
    assert found.predecessors[4] == -1
    assert found.record.validation["verdict"] == "pass"


@pytest.mark.gpu
@pytest.mark.parametrize("backend", ["cuda", "auto", "cpu"])
@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "pair", "graph"])
def test_answers_are_cupy_s_where_the_input_is(kind: str, backend: str) -> None:
    import cupy
    from cupyx.scipy import sparse as on_gpu

    pair = road().tocoo()
    if kind == "pair":
        a: Any = cupy.asarray(pair.row), cupy.asarray(pair.col)
    else:
        a = on_gpu.csr_matrix(sparse.csr_matrix(road()))
        a = gunrock.as_graph(a) if kind == "graph" else a.asformat(kind)
    found = gunrock.bfs(a, 4, check=True, backend=backend)
    assert isinstance(found.labels, cupy.ndarray)
    assert found.record.backend == ("cpu" if backend == "cpu" else "cuda")
    assert (found.labels.get() == levels(road(), 4)).all()
    scores = gunrock.bc(a, range(5), check=True, backend=backend).scores
    assert isinstance(scores, cupy.ndarray)
    assert scores.dtype == np.float64


def test_directions_are_kept_unless_asked_otherwise() -> None:
    a = sparse.csr_array(np.array([[0, 1], [0, 0]]))
    assert gunrock.bfs(a, 1, **CPU).labels.tolist() == [-1, 0]
    for form in (a, gunrock.as_graph(a, backend="cpu"), ([0], [1])):
        found = gunrock.bfs(form, 1, symmetrize=True, **CPU)
        assert found.labels.tolist() == [1, 0]
        assert found.record.graph["undirected"]


def test_vertices_without_edges_are_there_with_n() -> None:
    assert len(gunrock.cc(([0], [1]), n=5, **CPU).components) == 5
    assert len(gunrock.pagerank(sparse.csr_array((3, 3)), **CPU).ranks) == 3
    assert len(gunrock.cc(([], []), **CPU).components) == 0


# --- weights ------------------------------------------------------------------------------------------
def distances(a: Any, **how: Any) -> np.ndarray:
    found: np.ndarray = gunrock.sssp(a, 0, **CPU, **how).distances
    return found


def test_weights_are_the_values() -> None:
    ends = [0, 1], [1, 2]
    whole = distances((*ends, [3, 4]), n=4)
    assert (whole.tolist(), whole.dtype) == ([0, 3, 7, -1], np.int32)
    real = distances((*ends, [0.1, 0.2]), n=4)
    assert (real.dtype, real[3]) == (np.float32, np.inf)
    np.testing.assert_allclose(real[:3], [0, 0.1, 0.3], rtol=1e-6)


@pytest.mark.parametrize("a", [([0, 1], [1, 2]), ([0, 1], [1, 2], [True, True])])
def test_without_values_every_edge_weighs_one(a: Any) -> None:
    for form in (a, gunrock.as_graph(a, backend="cpu")):
        found = gunrock.sssp(form, 0, check=True, **CPU)
        assert found.distances.tolist() == [0, 1, 2]
        assert found.record.graph["origin"]["weights"] == "unit"


def test_a_stored_zero_is_an_edge_that_costs_nothing() -> None:
    a = sparse.coo_array(([0, 2], ([0, 1], [1, 2])), shape=(3, 3))
    assert distances(a).tolist() == [0, 0, 2]


def test_duplicates_add_up_in_a_matrix_and_are_parallel_in_arrays() -> None:
    values, ends = [3, 4], ([0, 0], [1, 1])
    assert distances(sparse.coo_array((values, ends), shape=(2, 2))).tolist() == [0, 7]
    assert distances((*ends, values)).tolist() == [0, 3]


def test_values_are_not_looked_at_where_nothing_weighs() -> None:
    a = sparse.csr_array(np.array([[0, np.nan], [-1, 0]]))
    assert gunrock.bfs(a, 0, **CPU).labels.tolist() == [0, 1]
    with pytest.raises(InputError, match="not a number that fits"):
        distances(a)


def test_self_loops_count_for_ranks() -> None:
    a = sparse.csr_array(np.array([[1, 1], [0, 0]]))
    with_loop = gunrock.pagerank(a, **CPU).ranks
    without = gunrock.pagerank(gunrock.as_graph(a, keep_self_loops=False, backend="cpu"), **CPU).ranks
    assert with_loop[0] > without[0] + 0.01


# --- options, records, results ------------------------------------------------------------------------
def test_one_run_unchecked_unless_asked_otherwise() -> None:
    plain = gunrock.bfs(road(), **CPU).record
    assert (len(plain.runs_ms), plain.options["warmup"]) == (1, 0)
    assert plain.validation["verdict"] == "skipped"
    assert plain.trace == []
    asked = gunrock.bfs(
        road(),
        runs=3,
        warmup=1,
        check=True,
        trace=True,
        advance_mode="LB",
        direction="push",
        run_ahead=1,
        **CPU,
    )
    assert len(asked.record.runs_ms) == 3
    assert asked.record.validation["verdict"] == "pass"
    assert asked.record.options["advance_mode"] == "LB"
    assert asked.record.options["direction"] == "push"
    assert asked.trace == asked.record.trace
    assert {"phase", "mode", "ms"} <= asked.trace[0].keys()


def test_records_are_those_of_the_command_line() -> None:
    record = gunrock.sssp(road(), check=True, **CPU).record
    assert isinstance(record, Record)
    assert record.graph["origin"]["kind"] == "matrix"
    assert record.phases_ms["load"] > 0
    check_record(json.loads(record.to_json()))


def test_the_answer_is_that_of_the_command_line_s_function(monkeypatch: pytest.MonkeyPatch) -> None:
    """All callers measure by one function."""
    called = []
    own = solve.measure
    monkeypatch.setattr(solve, "measure", lambda *a, **how: called.append(a) or own(*a, **how))
    gunrock.cc(road(), runs=2, **CPU)
    assert called[0][0] is get_primitive("cc")
    assert isinstance(called[0][5], Protocol)


def test_results_show_what_they_hold() -> None:
    found = gunrock.bfs(road(), **CPU)
    assert repr(found).startswith("<bfs on 30 vertices, 60 edges: labels, ")
    assert {"labels", "record", "trace"} <= set(dir(found))
    with pytest.raises(
        AttributeError, match="no 'predecessors' in this result: there are labels, record"
    ):
        found.predecessors  # noqa: B018
    for again in (copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert (again.labels == found.labels).all()


def test_several_sources_are_for_those_that_add_up() -> None:
    both = gunrock.bc(road(), np.array([1, 2]), check=True, **CPU)
    single = [gunrock.bc(road(), source, **CPU).scores for source in (1, 2)]
    np.testing.assert_allclose(both.scores, single[0] + single[1], rtol=1e-5)
    assert both.record.sources == [1, 2]
    with pytest.raises(UsageError, match="bfs starts from one source"):
        gunrock.bfs(road(), [1, 2], **CPU)


def test_the_source_of_largest_degree() -> None:
    ends = [0, 2, 2, 1], [1, 0, 3, 0]  # vertex 0 has more edges in, vertex 2 more out
    for name in ("bfs", "sssp", "bc", "ppr", "wtf"):
        assert getattr(gunrock, name)(ends, "largest-degree", **CPU).record.sources == [2]
    assert gunrock.prepare("bfs", ends, **CPU)("largest-degree").labels.tolist() == [1, 2, 0, 1]
    assert gunrock.bfs((ends[1], ends[0]), np.str_("largest-degree"), **CPU).labels[0] == 0
    named = nx.DiGraph([("a", "largest-degree"), ("a", "b"), ("largest-degree", "c")])
    found = gunrock.bfs(named, "largest-degree", **CPU)
    assert found.to_frame().labels.to_dict() == {"a": -1, "largest-degree": 0, "b": -1, "c": 1}
    other = nx.relabel_nodes(named, {"largest-degree": "d"})
    assert gunrock.bfs(other, "largest-degree", **CPU).to_frame().labels["a"] == 0


def test_load_is_the_command_line_s_graph(tmp_path: Path) -> None:
    path = tmp_path / "g.mtx"
    path.write_text("%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 2 5\n2 3 1\n3 3 9\n")
    graph = gunrock.load(path, cache=False, backend="cpu")
    assert isinstance(graph, gunrock.Graph)
    assert (graph.undirected, graph.m) == (True, 4)
    assert distances(graph).tolist() == [0, 5, 6]
    kept = gunrock.load(path, undirected=False, keep_self_loops=True, cache=False, backend="cpu")
    assert kept.m == 3
    made = gunrock.load("rmat", scale=6, seed=3, weights="random:1:9", backend="cpu")
    assert (made.n, made.weighted, made.origin["seed"]) == (64, True, 3)
    assert gunrock.sssp(made, check=True, **CPU).record.graph["hash"] == made.hash


def test_a_file_and_its_matrix_are_the_same_graph_under_the_same_rule(tmp_path: Path) -> None:
    path = tmp_path / "g.mtx"
    path.write_text(
        "%%MatrixMarket matrix coordinate integer general\n3 3 4\n1 2 5\n2 1 3\n2 3 1\n3 3 9\n"
    )
    a, how = mmread(path), {"cache": False, "backend": "cpu"}
    assert gunrock.as_graph(a, symmetrize=True, keep_self_loops=False, backend="cpu").hash == (
        gunrock.load(path, **how).hash
    )
    assert gunrock.as_graph(a, backend="cpu").hash == (
        gunrock.load(path, undirected=False, keep_self_loops=True, **how).hash
    )


@pytest.mark.parametrize(
    ("name", "how", "message"),
    [
        ("nothing-here", {}, "is not a generator"),
        ("no/such.mtx", {}, "no such file"),
        ("rmat", {"scale": 99}, "scale"),
        ("rmat", {"width": 3}, "width"),
        ("rmat", {"scale": 5, "weights": "heavy"}, "weights='heavy'"),
        ("rmat", {"scale": "5"}, "scale='5': give a whole number"),
        ("rmat", {"scale": 5.5}, "scale=5.5: give a whole number"),  # not 5
        ("rmat", {"scale": True}, "scale=True: give a whole number"),
        ("rmat", {"a": "0.5"}, "a='0.5': give a finite number from 0 to 1"),
        ("rmat", {"permute": 1}, "permute=1: give True or False"),
        (3, {}, "no graph to load: a int; give the name"),
        ("roads.csv", {"columns": "from"}, "columns='from': give a tuple"),
    ],
)
def test_load_refuses_as_the_command_line_does(name: Any, how: dict[str, Any], message: str) -> None:
    with pytest.raises(GunrockError, match=message):
        gunrock.load(name, backend="cpu", **how)


# --- what is refused ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "a", "how", "message"),
    [
        ("bfs", sparse.csr_array((3, 4)), {}, "not square"),
        ("bfs", np.eye(3), {}, "a dense array"),
        ("bfs", road(), {"source": 30}, "source=30: matrix has the vertices 0 to 29"),
        ("bfs", road(), {"source": -1}, "source=-1: matrix has"),
        ("bfs", road(), {"source": 1.0}, "source=1.0: give a vertex"),
        ("bfs", road(), {"source": "random"}, "source='random': give a vertex, a whole number, or"),
        ("bfs", road(), {"source": True}, "source=True: give a vertex"),
        ("bc", road(), {"source": []}, "nothing to run"),
        ("bc", road(), {"source": [0, 99]}, "source=99"),
        ("bfs", sparse.csr_array((0, 0)), {}, "matrix has no vertices, so no source"),
        (
            "bfs",
            road(),
            {"directon": "push"},
            "bfs has no option 'directon': did you mean direction? There",
        ),
        ("cc", road(), {"source": 0}, "cc has no option 'source'"),
        ("bfs", road(), {"direction": "up"}, "direction='up': give one of auto, push, pull, optimized"),
        ("bfs", road(), {"runs": 0}, "runs=0: give a whole number from 1"),
        ("bfs", road(), {"threads": 10**6}, "threads=1000000: give a whole number from 1 to 1024"),
        ("bfs", road(), {"advance_mode": "fast"}, "advance_mode='fast': give one of TM"),
        ("bfs", road(), {"run_ahead": "far"}, "run_ahead='far': give a whole number"),
        ("bfs", road(), {"n": 30}, "n goes with arrays of ends"),
        ("bfs", graph_of(road()), {"n": 30}, "n goes with arrays of ends"),
        ("bfs", road(), {"max_steps": 1, "direction": "push", "run_ahead": 1}, "steps"),
        ("sssp", road() * -1, {}, "shortest paths need weights that are not negative"),
        ("sssp", road().astype(complex), {}, "complex128 cannot be edge weights"),
    ],
)
def test_errors_are_raised_in_one_line(
    name: str, a: Any, how: dict[str, Any], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(GunrockError) as refused:
        getattr(gunrock, name)(a, **{**CPU, **how})
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
    assert capfd.readouterr() == ("", "")


def test_no_gpu_is_an_error_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gunrock_cli.engine.backend.why_no_cuda", lambda: "no GPU in this test")
    with pytest.raises(BackendError, match="no GPU in this test"):
        gunrock.bfs(road(), backend="cuda")


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    gunrock.bfs(road(), runs=2, check=True, trace=True, **CPU)
    gunrock.sssp(gunrock.load("grid2d", width=5, height=5, backend="cpu"), **CPU)
    assert capfd.readouterr() == ("", "")


class Distrusting(Bfs):
    """Says that every answer is wrong, or breaks off."""

    error: BaseException | None = None

    def validate(self, *_: Any) -> Validation:
        if self.error is not None:
            raise self.error
        return Validation("fail", "test", "vertex 7: 1, expected 2")


def test_a_wrong_answer_is_raised_where_it_is_checked() -> None:
    ask = functions.function_of(Distrusting())
    with pytest.raises(WrongAnswer, match=r"^wrong answer: vertex 7: 1, expected 2$"):
        ask(road(), check=True, **CPU)
    assert ask(road(), **CPU).record.status == "ok"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (KeyboardInterrupt(), KeyboardInterrupt),
        (UsageError("too large"), UsageError),
        (ZeroDivisionError("by none"), GunrockError),
    ],
)
def test_what_breaks_off_after_the_runs_is_raised(
    error: BaseException, kind: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Distrusting, "error", error)
    with pytest.raises(kind) as raised:
        functions.function_of(Distrusting())(road(), check=True, **CPU)
    assert raised.type is kind


# --- names, signatures, help --------------------------------------------------------------------------
def test_every_primitive_is_a_function_with_its_options() -> None:
    assert set(primitive_names()) <= set(dir(gunrock))
    for name in primitive_names():
        function, primitive = getattr(gunrock, name), get_primitive(name)
        assert function is getattr(gunrock, name)
        assert function.__name__ == name
        assert function.__module__ == "gunrock_cli"
        assert pickle.loads(pickle.dumps(function)) is function
        parameters = inspect.signature(function).parameters
        own = {option.argument for option in primitive.options}
        assert ("source" in parameters) == (primitive.source is not None or "source" in own)
        assert function.__doc__.startswith(primitive.summary.partition(" --")[0].removesuffix(" with"))
        assert not re.search(r" --[a-z]+(?![\w-])", function.__doc__)
        with_effect = (*primitive.options, *MEASURED, *offered(primitive))
        assert {option.key for option in COMMON if option not in with_effect}.isdisjoint(parameters)
        for option in with_effect:
            assert parameters[option.argument].default == option.default
            assert parameters[option.argument].kind is inspect.Parameter.KEYWORD_ONLY
            assert f"{option.argument}={option.default!r}: " in function.__doc__
            assert option.name not in TAKEN or option in COMMON


def test_other_names_are_told_what_there_is() -> None:
    with pytest.raises(
        AttributeError, match=r"gunrock has no 'bfz': did you mean bfs\? There are .*load"
    ):
        gunrock.bfz  # noqa: B018
    for name, meant in (("page_rank", "pagerank"), ("dijkstra", "sssp"), ("BFS", "bfs")):
        with pytest.raises(AttributeError, match=rf"gunrock has no '{name}': did you mean {meant}\?"):
            getattr(gunrock, name)
    with pytest.raises(ImportError):
        from gunrock_cli import bfz  # noqa: F401
    from gunrock_cli import primitives

    assert inspect.ismodule(primitives)


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = (
        "import sys, gunrock_cli; assert gunrock_cli.__version__; "
        "print([name for name in sys.modules if name.partition('.')[0] in "
        "('numpy', 'scipy', 'pandas', 'click', 'cupy') or name.startswith('gunrock_cli.')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['gunrock_cli.version']"


def test_a_primitive_from_a_file(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "writing-a-primitive.md").read_text()
    for name, body in re.findall(r"`(\w+\.(?:cuh|py))`:\n```\w+\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(body)
    file = next(path for path in tmp_path.glob("*.py"))
    found = gunrock.run(file, road(), check=True, **CPU)
    assert found.record.validation["verdict"] == "pass"
    assert found.outputs
    again = gunrock.run(get_primitive("bfs"), road(), source=3, **CPU)
    assert (again.labels == levels(road(), 3)).all()
    with pytest.raises(InputError, match="no such file"):
        gunrock.run("nowhere.py", road())


def test_a_file_s_option_may_not_take_a_name_of_the_face(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from dataclasses import dataclass\n"
        "from gunrock_cli.primitives.own import Options, Primitive, Variant, option\n"
        "@dataclass(frozen=True)\nclass Asked(Options):\n    symmetrize: bool = option(False, 'x')\n"
        "class Mine(Primitive):\n    name = 'mine'\n    summary = 'Mine.'\n"
        "    takes = Asked\n    variant = Variant\n"
        "PRIMITIVE = Mine()\n"
    )
    with pytest.raises(InputError, match="there is another --symmetrize"):
        gunrock.run(file, road())
