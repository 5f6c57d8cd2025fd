"""Parts of a graph: every vertex has one owner, every edge is where its end is, and all come back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gunrock_cli.graph import partition as partitions
from gunrock_cli.graph.build import build_graph
from gunrock_cli.graph.model import Graph
from gunrock_cli.graph.partition import (
    ALIGNMENT,
    DEALT,
    cut,
    cut_within,
    dealt,
    dealt_numbers,
    partition_of,
    renumbered,
)
from gunrock_cli.graph.partition_kinds import KINDS


def graph_of(n: int, m: int, undirected: bool = False) -> Graph:
    draw = np.random.default_rng(n + m)
    heads = (n * draw.random(m) ** 3).astype(np.int64)  # the first ones are hubs
    return build_graph(n, draw.integers(0, n, m), heads, draw.integers(1, 9, m).astype(np.int32),
                       undirected=undirected, xp=np)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("parts", [2, 3, 7])
@pytest.mark.parametrize(("n", "m"), [(1, 0), (127, 300), (4000, 30_000)])
def test_every_vertex_has_one_owner(n: int, m: int, parts: int, kind: str) -> None:
    found = partition_of(graph_of(n, m), parts, kind)
    assert found.parts == parts
    assert found.bounds[0] == 0
    assert found.bounds[-1] == n
    assert list(found.bounds) == sorted(found.bounds)
    assert all(bound % ALIGNMENT == 0 for bound in found.bounds[:-1])
    values = np.arange(n)
    if found.order is not None:
        assert sorted(found.order.tolist()) == values.tolist()
        np.testing.assert_array_equal(found.in_graph_order(found.order), values)
        assert [found.number(v) for v in found.order[:5].tolist()] == list(range(min(n, 5)))
        np.testing.assert_array_equal(found.vertices(np.array([-1, 0, n - 1])),
                                      [-1, found.order[0], found.order[n - 1]])


def test_contiguous_parts_have_as_many_edges_and_the_others_as_many_vertices() -> None:
    graph = graph_of(50_000, 400_000, undirected=True)
    offsets = graph.csr.row_offsets
    edges = [np.diff(offsets[list(partition_of(graph, 4, kind).bounds)]) for kind in ("contiguous",)]
    assert edges[0].max() < 1.1 * graph.m / 4
    for kind in ("striped", "random"):
        assert max(np.diff(partition_of(graph, 4, kind).bounds)) < 50_000 / 4 + ALIGNMENT


@pytest.mark.parametrize("at_a_time", [7, 1 << 26])
@pytest.mark.parametrize("kind", ["contiguous", "striped", "random"])
@pytest.mark.parametrize("undirected", [False, True])
def test_the_parts_edges_are_the_graphs(undirected: bool, kind: str, at_a_time: int,
                                        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitions, "_EDGES_AT_A_TIME", at_a_time)
    graph = graph_of(1000, 3000, undirected)
    partition = partition_of(graph, 3, kind)
    numbered = renumbered(graph, partition)
    by_source, by_target = set(), set()
    for place in range(3):
        part = cut(numbered, partition, place, by_source=True, by_target=True)
        assert (part.n, part.m) == (graph.n, graph.m)
        own = range(part.first, part.last)
        assert part.reverse is not None
        assert (part.csr.first, part.reverse.first) == (0, part.first)
        assert part.csr.n == graph.n
        assert part.reverse.n == len(part.degrees) == len(own)
        assert all(column in own for column in part.csr.column_indices.tolist())
        assert part.csr.values is not None
        assert part.reverse.values is not None
        for e, (u, v) in enumerate(zip(part.csr.sources(), part.csr.column_indices, strict=True)):
            by_source.add((int(u), int(v), int(part.csr.values[e])))
        for e, (v, u) in enumerate(zip(part.reverse.sources(), part.reverse.column_indices, strict=True)):
            by_target.add((int(u), int(v) + part.first, int(part.reverse.values[e])))
        np.testing.assert_array_equal(part.degrees, numbered.csr.degrees()[part.first : part.last])
    assert graph.csr.values is not None
    ends = [partition.order[each] if partition.order is not None else each for each in range(graph.n)]
    expected = set(zip(graph.csr.sources().tolist(), graph.csr.column_indices.tolist(),
                       graph.csr.values.tolist(), strict=True))
    for found in (by_source, by_target):
        assert {(int(ends[u]), int(ends[v]), w) for u, v, w in found} == expected


@pytest.mark.parametrize("kind", ["contiguous", "striped", "random"])
@pytest.mark.parametrize("undirected", [False, True])
def test_edges_within_the_parts_and_those_that_cross_are_the_graphs(undirected: bool, kind: str) -> None:
    graph = graph_of(1000, 3000, undirected)
    partition = partition_of(graph, 3, kind)
    numbered = renumbered(graph, partition)
    within: set[tuple[int, int]] = set()
    keys: dict[tuple[int, int], int] = {}
    for place in range(3):
        part = cut_within(numbered, partition, place)
        assert (part.n, part.csr.n) == (part.last - part.first,) * 2
        assert part.csr.first == part.reverse.first == 0
        assert (part.reverse is part.csr) == undirected
        own = set(zip(part.csr.sources().tolist(), part.csr.column_indices.tolist(), strict=True))
        assert own == {(v, u) for u, v in
                       zip(part.reverse.sources().tolist(), part.reverse.column_indices.tolist(),
                           strict=True)}
        assert all(0 <= v < part.n for _, v in own)
        within |= {(u + part.first, v + part.first) for u, v in own}
        words = [divmod(int(word), 1 << 32) for word in part.crossing]
        assert len(set(words)) == len(words)
        for end, key in words:
            assert 0 <= end < part.n
            keys[end + part.first, key] = place
    edges = set(zip(numbered.csr.sources().tolist(), numbered.csr.column_indices.tolist(), strict=True))
    owner = np.searchsorted(partition.bounds[1:-1], np.arange(graph.n), side="right")
    assert within == {(u, v) for u, v in edges if owner[u] == owner[v]}
    cross = {(u, v) for u, v in edges if owner[u] != owner[v]}
    assert set(keys) == {(end, min(u, v)) for u, v in cross for end in (u, v)}


@pytest.mark.parametrize("undirected", [False, True])
def test_rows_of_edges_out_of_a_part_may_follow_those_into_it(undirected: bool) -> None:
    graph = graph_of(1000, 3000, undirected)
    partition = partition_of(graph, 3)
    edges = list(zip(graph.csr.sources().tolist(), graph.csr.column_indices.tolist(), strict=True))
    for place in range(3):
        part = cut(graph, partition, place, by_source=True, by_target=True, both=True)
        first, last = partition.bounds[place : place + 2]
        rows = list(zip(part.csr.sources().tolist(), part.csr.column_indices.tolist(), strict=True))
        assert part.csr.n == graph.n + last - first
        assert rows == [(u, v) for u, v in edges if first <= v < last] + [
            (graph.n + u - first, v) for u, v in edges if first <= u < last]
        leaving = {u for u, v in edges if first <= u < last and not first <= v < last}
        entered = {v for u, v in edges if first <= v < last and not first <= u < last}
        assert part.border().tolist() == sorted(leaving)
        assert part.border(either_way=True).tolist() == sorted(leaving | entered)


def test_a_part_that_needs_no_rows_of_all_vertices_has_none() -> None:
    graph = graph_of(1000, 3000)
    part = cut(graph, partition_of(graph, 2), 1, by_source=False, by_target=True)
    assert part.csr is part.reverse
    without = replace(graph, reverse=None)
    pushed = cut(without, partition_of(graph, 2), 1, by_source=True, by_target=False)
    assert pushed.reverse is None


@pytest.mark.parametrize("parts", [1, 2, 5])
@pytest.mark.parametrize("n", [0, 1, DEALT, 3 * DEALT + 7, 1000])
def test_dealt_parts_have_every_vertex_once(n: int, parts: int) -> None:
    order = np.random.default_rng(n).permutation(n).astype(np.int32)
    partition = dealt(order, parts)
    assert partition.parts == parts
    assert partition.order is not None
    np.testing.assert_array_equal(np.sort(partition.order), np.arange(n))
    np.testing.assert_array_equal(partition.in_graph_order(partition.order), np.arange(n))
    sizes = np.diff(partition.bounds)
    assert sizes.max() - sizes.min() <= DEALT
    for part in range(parts):
        numbers = dealt_numbers(np, n, part, parts)
        assert (np.diff(numbers) > 0).all()
        np.testing.assert_array_equal(partition.order[slice(*partition.bounds[part:part + 2])],
                                      order[numbers])


def test_what_is_dealt_to_and_fro_is_of_like_weight() -> None:
    """Falling degrees: dealt in one direction, the first part would have 1.4% more than the last."""
    weights = 1e6 / np.arange(128, 100_128) ** 0.5
    shares = [weights[dealt_numbers(np, len(weights), part, 4)].sum() for part in range(4)]
    assert max(shares) < 1.005 * min(shares)
