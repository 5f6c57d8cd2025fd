"""Parts of a graph: every vertex has one owner, every edge is at its end's owner, and all come back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gunrock_cli.errors import OutOfMemory, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.parts import layered
from gunrock_cli.graph.parts import partition as partitions
from gunrock_cli.graph.parts.kinds import KINDS
from gunrock_cli.graph.parts.layered import layered_order
from gunrock_cli.graph.parts.partition import (
    ALIGNMENT,
    DEALT,
    cut,
    cut_within,
    dealt,
    dealt_numbers,
    edges_cut,
    partition_of,
    renumbered,
)
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec


def graph_of(n: int, m: int, undirected: bool = False) -> Graph:
    draw = np.random.default_rng(n + m)
    heads = (n * draw.random(m) ** 3).astype(np.int64)  # the first ones are hubs
    return build_graph(
        n,
        draw.integers(0, n, m),
        heads,
        draw.integers(1, 9, m).astype(np.int32),
        undirected=undirected,
        xp=np,
    )


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
        np.testing.assert_array_equal(
            found.vertices(np.array([-1, 0, n - 1])), [-1, found.order[0], found.order[n - 1]]
        )


def test_contiguous_parts_have_as_many_edges_and_the_others_as_many_vertices() -> None:
    graph = graph_of(50_000, 400_000, undirected=True)
    offsets = graph.csr.row_offsets
    edges = [np.diff(offsets[list(partition_of(graph, 4, kind).bounds)]) for kind in ("contiguous",)]
    assert edges[0].max() < 1.1 * graph.m / 4
    for kind in ("striped", "random"):
        assert max(np.diff(partition_of(graph, 4, kind).bounds)) < 50_000 / 4 + ALIGNMENT


def shuffled_grid(width: int, height: int, seed: int = 0) -> Graph:
    """A mesh whose numbers say nothing about its vertices' places."""
    grid = load_graph(GraphSpec("grid2d", params={"width": width, "height": height}), np)
    return renumbered(grid, partition_of(grid, 2, "random", seed))


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(1, 60),
    undirected=st.booleans(),
    pairs=st.lists(st.tuples(st.integers(0, 59), st.integers(0, 59)), max_size=90),
)
def test_layers_have_every_vertex_once(n: int, pairs: list[tuple[int, int]], undirected: bool) -> None:
    """Vertices of a large component follow each other, each next to an earlier one."""
    ends = np.array(pairs, np.int64).reshape(-1, 2) % n
    graph = build_graph(n, ends[:, 0], ends[:, 1], undirected=undirected, xp=np)
    order = layered_order(graph)
    assert order.dtype == np.int32
    assert sorted(order.tolist()) == list(range(n))
    both = {
        (u, v)
        for a, b in zip(graph.csr.sources(), graph.csr.column_indices, strict=True)
        for u, v in ((a, b), (b, a))
    }
    begun = [v for place, v in enumerate(order) if not any((u, v) in both for u in order[:place])]
    components = {min(reached(v, both)) for v in range(n)}
    if len(components) <= 16:
        assert len(begun) == len(components)


def reached(source: int, edges: set[tuple[int, int]]) -> set[int]:
    found, ahead = {source}, [source]
    while ahead:
        u = ahead.pop()
        new = {b for a, b in edges if a == u} - found
        found |= new
        ahead += new
    return found


@pytest.mark.parametrize("parts", [2, 3, 8])
def test_layers_cut_a_mesh_where_it_is_narrow(parts: int) -> None:
    """Layers go from end to end, whatever the numbers: a layer of a grid 20 wide has 20 vertices, each
    with two edges to the next, and a part begins at a multiple of 128."""
    graph = shuffled_grid(400, 20)
    partition = partition_of(graph, parts, "layered")
    assert edges_cut(graph, partition) <= (parts - 1) * 2 * 2 * 20
    edges = np.diff(renumbered(graph, partition).csr.row_offsets[list(partition.bounds)])
    assert edges.max() < graph.m / parts + 4 * ALIGNMENT


def test_edges_that_are_cut_have_two_owners(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitions, "_EDGES_AT_A_TIME", 1000)
    graph = graph_of(1000, 3000)
    for kind in ("contiguous", "random"):
        partition = partition_of(graph, 3, kind)
        owner = partition.owners(np)
        assert [owner[v] for v in (0, 500)] == [
            np.searchsorted(partition.bounds[1:-1], partition.number(v), side="right") for v in (0, 500)
        ]
        pairs = zip(graph.csr.sources(), graph.csr.column_indices, strict=True)
        assert edges_cut(graph, partition) == sum(owner[u] != owner[v] for u, v in pairs)


def test_auto_looks_for_layers_on_a_mesh_of_long_borders_only(monkeypatch: pytest.MonkeyPatch) -> None:
    mesh, random = shuffled_grid(100, 30), graph_of(3000, 9000, undirected=True)
    assert partition_of(mesh, 2, mesh=True).kind == "layered"
    assert partition_of(mesh, 2).kind == "contiguous"
    assert partition_of(random, 2, mesh=True).kind == "contiguous"  # layers cut nearly as much
    ordered = load_graph(GraphSpec("grid2d", params={"width": 30, "height": 300}), np)
    monkeypatch.setattr(partitions, "layered_order", None)  # not even tried
    assert partition_of(ordered, 2, mesh=True).kind == "contiguous"
    monkeypatch.setattr(partitions, "MOST_EDGES", mesh.m - 1)
    assert partition_of(mesh, 2, mesh=True).kind == "contiguous"


def test_auto_does_without_layers_that_the_host_has_no_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(graph: Graph) -> None:
        raise OutOfMemory("layers")

    monkeypatch.setattr(partitions, "layered_order", no_room)
    assert partition_of(shuffled_grid(100, 30), 2, mesh=True).kind == "contiguous"
    with pytest.raises(OutOfMemory):
        partition_of(shuffled_grid(100, 30), 2, "layered")


def test_layers_of_a_graph_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layered, "MOST_EDGES", 100)
    with pytest.raises(UsageError, match=r"--partition layered: .* more than the 100"):
        partition_of(graph_of(1000, 3000), 2, "layered")


@pytest.mark.parametrize("at_a_time", [7, 1 << 26])
@pytest.mark.parametrize("kind", ["contiguous", "layered", "striped", "random"])
@pytest.mark.parametrize("undirected", [False, True])
def test_the_parts_edges_are_the_graphs(
    undirected: bool, kind: str, at_a_time: int, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    expected = set(
        zip(
            graph.csr.sources().tolist(),
            graph.csr.column_indices.tolist(),
            graph.csr.values.tolist(),
            strict=True,
        )
    )
    for found in (by_source, by_target):
        assert {(int(ends[u]), int(ends[v]), w) for u, v, w in found} == expected


@pytest.mark.parametrize("kind", ["contiguous", "layered", "striped", "random"])
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
        assert own == {
            (v, u)
            for u, v in zip(
                part.reverse.sources().tolist(), part.reverse.column_indices.tolist(), strict=True
            )
        }
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
            (graph.n + u - first, v) for u, v in edges if first <= u < last
        ]
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
        np.testing.assert_array_equal(
            partition.order[slice(*partition.bounds[part : part + 2])], order[numbers]
        )


def test_what_is_dealt_to_and_fro_is_of_like_weight() -> None:
    """Degrees fall: dealt in one direction, the first part would have 1.4% more than the last."""
    weights = 1e6 / np.arange(128, 100_128) ** 0.5
    shares = [weights[dealt_numbers(np, len(weights), part, 4)].sum() for part in range(4)]
    assert max(shares) < 1.005 * min(shares)
