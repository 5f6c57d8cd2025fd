"""Rows built from edges, against a plain Python model."""

import numpy as np
import pytest
from graph_helper import assert_well_formed, edges
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.graph import offset_dtype
from gunrock_cli.graph.rows.build import build_graph


def model(pairs, *, undirected, keep_self_loops, keep_duplicates, heaviest=False):
    """The cleaned edge list: sorted (u, v, w), the lightest or the heaviest of equal edges."""
    kept = [edge for edge in pairs if keep_self_loops or edge[0] != edge[1]]
    if undirected:
        kept += [(v, u, w) for u, v, w in kept if u != v]
    kept.sort()
    if keep_duplicates:
        return kept
    one = {}
    for u, v, w in kept:
        one[u, v] = w if heaviest else one.get((u, v), w)
    return [(u, v, w) for (u, v), w in one.items()]


@settings(max_examples=150, deadline=None)
@given(
    pairs=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(-5, 5)), max_size=40),
    undirected=st.booleans(),
    loops=st.booleans(),
    duplicates=st.booleans(),
    weighted=st.booleans(),
)
def test_matches_the_model(pairs, undirected, loops, duplicates, weighted):
    u, v, w = (np.array([edge[i] for edge in pairs], dtype=np.int32) for i in range(3))
    graph = build_graph(
        7,
        u,
        v,
        w if weighted else None,
        undirected=undirected,
        keep_self_loops=loops,
        keep_duplicates=duplicates,
    )
    assert_well_formed(graph)
    expected = model(pairs, undirected=undirected, keep_self_loops=loops, keep_duplicates=duplicates)
    if not weighted:
        expected = [edge[:2] for edge in expected]
    assert edges(graph.csr) == expected
    backwards = sorted((edge[1], edge[0], *edge[2:]) for edge in expected)
    assert edges(graph.reverse) == backwards


SETS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(-5, 5)), max_size=40)


@pytest.mark.parametrize("kind", [None, np.int32, np.float32])
@pytest.mark.usefixtures("cpu_path")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    pairs=SETS,
    undirected=st.booleans(),
    loops=st.booleans(),
    duplicates=st.booleans(),
    heaviest=st.booleans(),
)
def test_both_builders_match_the_model(kind, pairs, undirected, loops, duplicates, heaviest):
    u, v, w = (np.array([edge[i] for edge in pairs], dtype=np.int32) for i in range(3))
    graph = build_graph(
        7,
        u,
        v,
        None if kind is None else w.astype(kind),
        undirected=undirected,
        keep_self_loops=loops,
        keep_duplicates=duplicates,
        heaviest=heaviest,
    )
    assert_well_formed(graph)
    expected = model(
        pairs, undirected=undirected, keep_self_loops=loops, keep_duplicates=duplicates, heaviest=heaviest
    )
    assert edges(graph.csr) == (expected if kind else [edge[:2] for edge in expected])


@pytest.mark.parametrize("n", [1, 2, 3, 100, 1000, 1 << 16, 1 << 20])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("duplicates", [False, True])
def test_both_builders_agree_on_larger_graphs(monkeypatch, n, weighted, duplicates):
    from gunrock_cli.graph.rows import layout, native

    rng = np.random.default_rng(n)
    count = 150_000
    u = (n * rng.random(count) ** 3).astype(np.int32)  # hubs: rows and buckets of all sizes
    v = rng.integers(0, n, count).astype(np.int32)
    w = rng.integers(0, 100, count).astype(np.float32) if weighted else None
    hashes = set()
    for least in (0, 1 << 62):
        monkeypatch.setattr(native, "WORTH_IT", least)
        for keys, small in ((1 << 6, 1 << 14), (1 << 15, 1 << 14), (1 << 15, 1)):
            monkeypatch.setattr(layout, "_KEYS_PER_BUCKET", keys)
            monkeypatch.setattr(layout, "_MOST_SMALL_BUCKETS", small)  # 1: keys of 64 bits
            for undirected in (False, True):
                graph = build_graph(
                    n, u, v, w, undirected=undirected, keep_self_loops=True, keep_duplicates=duplicates
                )
                hashes.add((undirected, graph.hash))
    assert len(hashes) == 2


def test_order_of_the_input_does_not_matter():
    rng = np.random.default_rng(0)
    u, v = rng.integers(0, 50, (2, 500)).astype(np.int32)
    w = rng.integers(0, 9, 500).astype(np.int32)
    order = rng.permutation(500)
    for duplicates in (False, True):
        one = build_graph(50, u, v, w, keep_duplicates=duplicates)
        two = build_graph(50, u[order], v[order], w[order], keep_duplicates=duplicates)
        assert one.hash == two.hash


def test_empty_graphs():
    none = np.empty(0, np.int32)
    for n in (0, 1, 5):
        graph = build_graph(n, none, none)
        assert (graph.n, graph.m) == (n, 0)
        assert_well_formed(graph)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize(("n", "u", "v"), [(3, [0], [3]), (3, [-1], [0]), (0, [0], [0])])
@pytest.mark.usefixtures("cpu_path")
def test_ends_out_of_range(n, u, v, dtype):
    with pytest.raises(InputError, match="an edge ends at vertex"):
        build_graph(n, np.array(u, dtype), np.array(v, dtype))


@pytest.mark.usefixtures("cpu_path")
def test_ends_that_would_wrap_around():
    with pytest.raises(InputError, match=f"an edge ends at vertex {2**32 + 1}"):
        build_graph(3, np.array([0]), np.array([2**32 + 1]))


def test_too_many_vertices_and_unequal_lengths():
    none = np.empty(0, np.int32)
    with pytest.raises(InputError, match="32-bit"):
        build_graph(2**31, none, none)
    with pytest.raises(InputError, match="unequal"):
        build_graph(3, np.array([0]), none)


def test_offsets_widen_with_the_edges():
    assert offset_dtype(np, 2**31 - 2**20 - 1) is np.int32
    assert offset_dtype(np, 2**31 - 2**20) is np.int64


def test_hash_tells_graphs_apart():
    u, v = np.array([0, 1]), np.array([1, 2])
    hashes = {
        build_graph(3, u, v).hash,
        build_graph(4, u, v).hash,
        build_graph(3, u, v, undirected=False).hash,
        build_graph(3, u, v, np.array([1, 1], np.int32)).hash,
        build_graph(3, u, v, np.array([1, 2], np.int32)).hash,
        build_graph(3, u, v, np.array([1, 2], np.float32)).hash,
    }
    assert len(hashes) == 6
