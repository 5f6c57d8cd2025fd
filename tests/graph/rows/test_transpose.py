"""The check that rows are the reverse of others, against a check by sorting."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from graph_helper import edges, generated
from hypothesis import given, settings
from hypothesis import strategies as st

from gunrock_cli.errors import InputError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Csr, Graph
from gunrock_cli.graph.rows import transpose
from gunrock_cli.graph.rows.build import build_graph, csr_from_edges
from gunrock_cli.graph.rows.transpose import is_reverse
from gunrock_cli.graph.sources.files.readers import binary
from gunrock_cli.graph.spec import GraphSpec

ENDS = st.lists(st.tuples(*[st.integers(0, 3)] * 2, st.integers(-1, 1)), max_size=8)


def rows(found, weighted):
    u, v, w = np.array(found, np.int32).reshape(-1, 3).T
    return csr_from_edges(
        np,
        4,
        u,
        v,
        w if weighted else None,
        both_directions=False,
        keep_self_loops=True,
        keep_duplicates=True,
    )


@settings(max_examples=300, deadline=None)
@given(
    one=ENDS, other=ENDS, related=st.booleans(), weighted=st.booleans(), step=st.sampled_from([1, 3, 99])
)
def test_as_sorting_says(one, other, related, weighted, step):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transpose, "_EDGES_AT_A_TIME", step)
        forth = rows(one, weighted)
        back = rows([(v, u, w) for u, v, w in one] if related else other, weighted)
        expected = Counter(edges(forth)) == Counter((v, u, *w) for u, v, *w in edges(back))
        assert is_reverse(forth, back) == expected
        assert expected or not related
        assert is_reverse(forth, forth) == (
            Counter(edges(forth)) == Counter((v, u, *w) for u, v, *w in edges(forth))
        )


@pytest.mark.parametrize("weights", ["none", "random"])
def test_graphs_of_many_parts(weights, monkeypatch):
    monkeypatch.setattr(transpose, "_EDGES_AT_A_TIME", 100)
    for undirected in (True, False):
        graph = generated("rmat", scale=8, undirected=undirected, weights=weights)
        assert is_reverse(graph.csr, graph.reverse)
        assert is_reverse(graph.csr, graph.csr) == undirected
        columns = graph.reverse.column_indices.copy()
        columns[-1] ^= 1
        assert not is_reverse(graph.csr, replace(graph.reverse, column_indices=columns))


def test_weights_on_one_side_only():
    graph = generated("path", nodes=4, weights="unit")
    assert not is_reverse(graph.csr, replace(graph.csr, values=None))
    assert not is_reverse(graph.csr, replace(graph.csr, values=graph.csr.values.astype(np.float32)))


def heavier(csr: Csr) -> Csr:
    values = csr.values.copy()
    values[0] += 1
    return replace(csr, values=values)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda graph: replace(graph, undirected=True, reverse=graph.csr), "an edge has no reverse"),
        (lambda graph: replace(graph, reverse=graph.csr), "in-edges are not the reverse"),
        (lambda graph: replace(graph, reverse=heavier(graph.reverse)), "in-edges are not the reverse"),
        (lambda graph: replace(graph, reverse=replace(graph.reverse, values=None)), "in-edges are not"),
    ],
)
def test_a_binary_graph_of_a_user_is_checked_the_cache_is_not(tmp_path, change, message):
    good = build_graph(
        4, np.array([0, 1, 2]), np.array([1, 2, 3]), np.array([5, 6, 7], np.int32), undirected=False
    )
    bad: Graph = change(good)
    path = tmp_path / "g.gcsr"
    for graph in (good, bad):
        with path.open("wb") as file:
            binary.write(graph, file)
        spec = GraphSpec("binary", path=str(path), undirected=False)
        if graph is good:
            assert edges(load_graph(spec).csr) == edges(good.csr)
    with pytest.raises(InputError, match=rf"g\.gcsr: damaged: .*{message}"):
        load_graph(spec)
    assert binary.read(str(path), verify="sums").m == 3
