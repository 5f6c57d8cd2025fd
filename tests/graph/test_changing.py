"""Graphs that change: batches against a dictionary of edges, what is counted, and what is refused."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from graph_helper import assert_well_formed, edges
from runs_helper import BACKENDS
from updated_helper import batch_for

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph import changing
from gunrock_cli.graph.changing import Applied, ChangingGraph
from gunrock_cli.graph.model.change import Updated
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.rows.transpose import is_reverse

Edges = dict[tuple[int, int], int]


def graph_of(*ends: tuple[int, ...], n: int = 5, undirected: bool = True, **how: Any) -> Graph:
    columns = np.array(ends, np.int32).reshape(len(ends), -1).T if ends else np.empty((2, 0), np.int32)
    return build_graph(n, *columns, undirected=undirected, keep_self_loops=True, **how)


def held(graph: Graph) -> Edges:
    return {(u, v): w[0] if w else 1 for u, v, *w in edges(graph.csr.to(np))}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_batches_do_what_they_do_to_a_dictionary(undirected: bool, weighted: bool, backend: str) -> None:
    xp = choose_backend(backend).xp
    rng = np.random.default_rng(3)
    for _ in range(40):
        n = int(rng.integers(0, 12))
        ends = rng.integers(0, n, (2, 2 * n)) if n else np.empty((2, 0), int)
        weights = rng.integers(0, 9, 2 * n).astype(np.int32) if weighted else None
        d = ChangingGraph(
            build_graph(n, *ends, weights, undirected=undirected, keep_self_loops=True).to(xp)
        )
        first, version, known = d.graph, d.version, held(d.graph)
        start = dict(known)
        for _ in range(3):
            batch = batch_for(d.graph.to(np), rng, int(rng.integers(0, 8)), grows=2)
            counts = expected(known, batch, undirected)
            assert d.apply(*batch) == counts
            assert held(d.graph) == known
            host = d.graph.to(np)
            assert_well_formed(host)
            assert is_reverse(host.csr, host.reverse)
            assert host.undirected == undirected
        assert held(first) == start
        told = d.after(version, {}).to(np)
        if isinstance(told, Updated):
            assert changed(told, weighted) == differences(start, known)


def expected(known: Edges, batch: Any, undirected: bool) -> Applied:
    """Apply a batch to a dictionary."""
    src, dst, weights, inserts = batch
    last: dict[tuple[int, int], int | None] = {}
    for place, (u, v, there) in enumerate(zip(src.tolist(), dst.tolist(), inserts, strict=True)):
        weight = (1 if weights is None else int(weights[place])) if there else None
        for end in {(u, v), (v, u)} if undirected else {(u, v)}:
            last[end] = weight
    counts = dict.fromkeys(("inserted", "reweighted", "present", "deleted", "missing"), 0)
    for (u, v), weight in last.items():
        old = known.get((u, v))
        what = (
            ("missing" if old is None else "deleted")
            if weight is None
            else ("inserted" if old is None else "present" if old == weight else "reweighted")
        )
        counts[what] += not undirected or u <= v
        if weight is None:
            known.pop((u, v), None)
        else:
            known[u, v] = weight
    return Applied(**counts)


def differences(before: Edges, after: Edges) -> dict[tuple[int, int], tuple[int | None, int | None]]:
    every = {**before, **after}
    return {e: (before.get(e), after.get(e)) for e in every if before.get(e) != after.get(e)}


def changed(graph: Updated, weighted: bool) -> dict[tuple[int, int], tuple[int | None, int | None]]:
    change = graph.change
    ends = [(int(key) >> 32, int(key) & 0xFFFFFFFF) for key in change.keys]
    ones = np.ones(len(ends), int)
    old, new = (change.old, change.new) if weighted else (ones, ones)
    return {
        end: (int(old[i]) if change.was[i] else None, int(new[i]) if change.now[i] else None)
        for i, end in enumerate(ends)
    }


def test_counts_and_repetitions() -> None:
    d = ChangingGraph(graph_of((0, 1, 4), (1, 2, 5)))
    assert d.insert([0, 2, 3, 3], [1, 1, 4, 4], [7, 5, 1, 2]) == Applied(
        inserted=1, reweighted=1, present=1
    )
    assert held(d.graph)[4, 3] == 2  # the last of equal edges counts
    assert d.delete([0, 0], [1, 2]) == Applied(deleted=1, missing=1)
    assert d.delete([0], [1]) == Applied(missing=1)
    assert d.version.number == 2  # a batch that changes nothing is none


def test_new_vertices_and_identity() -> None:
    d = ChangingGraph(graph_of((0, 1), n=2))
    assert d.insert([4], [0]).inserted == 1
    assert (d.graph.n, d.graph.m) == (5, 4)
    assert d.delete([9], [9]).missing == 1
    assert d.graph.n == 5
    hashes = [d.graph.hash]
    for batch in (([1], [2]), ([1], [3])):
        again = ChangingGraph(graph_of((0, 1), n=2))
        again.insert(*batch)
        hashes.append(again.graph.hash)
    assert len(set(hashes)) == 3


def test_old_changes_are_forgotten() -> None:
    d = ChangingGraph(graph_of((0, 1), n=2))
    version = d.version
    assert isinstance(d.after(version, {}), Updated)
    for v in range(2, 6):
        d.insert([0], [v])
        d.delete([0], [v])
    assert not isinstance(d.after(version, {}), Updated)


@pytest.mark.parametrize(
    ("batch", "problem"),
    [
        (([0], [-1]), "vertex number -1 is out of range"),
        (([0, 1], [2]), "unequal length"),
        (([0.5], [1]), "give integers"),
        (([0], [1], [2]), "edges has no weights"),
        (([[0]], [[1]]), "has 2 dimensions"),
        (([2**31], [1]), "out of range"),
    ],
)
def test_batches_that_are_none(batch: tuple[Any, ...], problem: str) -> None:
    d = ChangingGraph(graph_of((0, 1), name="edges"))
    with pytest.raises((InputError, UsageError), match=problem) as refused:
        d.insert(*batch)
    assert "\n" not in str(refused.value)
    assert d.version.number == 0


@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("size", [10, 40_000])
@pytest.mark.parametrize("inserts", [False, True])
def test_memory_is_asked_for(
    undirected: bool, weighted: bool, size: int, inserts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As much as a batch takes at its peak, and less than twice that."""
    rng = np.random.default_rng(5)
    ends = rng.integers(0, 5_000, (2, 200_000))
    weights = np.ones(200_000, np.int32) if weighted else None
    d = ChangingGraph(build_graph(5_000, *ends, weights, undirected=undirected))
    batch = rng.integers(0, 5_000, (2, size)) if inserts else ends[:, :size]
    asked, held = [], []

    def require(xp: Any, needed: int, what: str) -> None:
        tracemalloc.reset_peak()
        asked.append(needed)
        held.append(tracemalloc.get_traced_memory()[0])

    monkeypatch.setattr(changing, "require_memory", require)
    tracemalloc.start()
    try:
        d.apply(*batch, None, inserts)
        peak = tracemalloc.get_traced_memory()[1] - held[0]
    finally:
        tracemalloc.stop()
    assert peak <= asked[0] <= 2 * peak


@pytest.mark.parametrize("inserts", [[True, False, True], [[True], [False]], [[True], []]])
def test_choices_for_other_edges(inserts: Any) -> None:
    d = ChangingGraph(graph_of((0, 1)))
    with pytest.raises(InputError, match="one for each of the 2 edges") as refused:
        d.apply([0, 1], [2, 2], None, inserts)
    assert "\n" not in str(refused.value)


def test_weights_of_another_type() -> None:
    d = ChangingGraph(graph_of((0, 1, 4)))
    with pytest.raises(InputError, match=r"a new edge weighs 1\.5, which is no int32"):
        d.insert([0], [2], [1.5])
    d.insert([0], [2])
    assert held(d.graph)[0, 2] == 1


def test_whole_weights_are_not_rounded() -> None:
    large = 2**24 + 1  # no float32
    for given in ([large], np.array([large], np.float64)):
        d = ChangingGraph(graph_of((0, 1, 4)))
        d.insert([0], [2], given)
        assert held(d.graph)[0, 2] == large
    d = ChangingGraph(graph_of((0, 1, 4)))
    with pytest.raises(InputError, match=r"a new edge weighs 4294967296\.0, which is no int32"):
        d.insert([0], [2], [2.0**32])
    f = ChangingGraph(build_graph(3, np.array([0]), np.array([1]), np.array([0.5], np.float32)))
    f.insert([0, 1], [2, 2], [large, -0.0])
    assert held(f.graph)[0, 2] == 2**24
    assert not np.signbit(f.graph.csr.values).any()
    with pytest.raises(InputError, match="a new edge weighs nan, which is no float32"):
        f.insert([0], [2], [np.nan])


def test_graphs_that_cannot_change() -> None:
    twice = build_graph(2, np.array([0, 0]), np.array([1, 1]), keep_duplicates=True)
    with pytest.raises(UsageError, match="repeats edges"):
        ChangingGraph(twice)
    other = ChangingGraph(graph_of((0, 1)))
    with pytest.raises(UsageError, match="of another graph"):
        other.after(ChangingGraph(graph_of((0, 1))).version, {})
