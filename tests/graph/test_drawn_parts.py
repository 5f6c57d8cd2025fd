"""Graphs drawn by several devices, each its rows: together bit for bit the graph that one draws; no
device holds more than its part, and the host nothing of it."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest

from graph.teams import Teams
from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.drawn_parts import drawn_in_parts, raw_degrees, undrawn
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Csr
from gunrock_cli.graph.model.hashing import content_hash
from gunrock_cli.graph.parts.parted import GraphInParts
from gunrock_cli.graph.parts.partition import cut, cut_within
from gunrock_cli.graph.rows import layout, native, native_library
from gunrock_cli.graph.sources.generate import complete_params, generate_edges
from gunrock_cli.graph.spec import GraphSpec

pytestmark = pytest.mark.skipif(native_library.library() is None, reason="no C++ compiler")


def parts_of(graph: GraphInParts) -> tuple[Csr, ...]:
    return graph.csr.parts  # type: ignore[attr-defined,no-any-return]


def same_rows(one: Csr | None, other: Csr | None) -> bool:
    if one is None or other is None:
        return one is other
    return (
        one.first == other.first
        and np.array_equal(one.row_offsets, other.row_offsets)
        and np.array_equal(one.column_indices, other.column_indices)
    )


RECIPES = [
    GraphSpec("rmat", params={"scale": 10, "edge_factor": 16}),
    GraphSpec("rmat", params={"scale": 3, "edge_factor": 9}),  # most parts have no vertex
    GraphSpec("rmat", params={"scale": 9, "permute": False, "seed": 5}, keep_duplicates=True),
    GraphSpec("rmat", params={"scale": 10}, undirected=False, reverse=True, keep_self_loops=True),
    GraphSpec("rmat", params={"scale": 8, "edges": 0}),
    GraphSpec("bipartite", params={"left": 1000, "right": 130, "edges": 9000, "skew": 0.52}),
    GraphSpec("smallworld", params={"nodes": 700, "rewire": 0.3}, undirected=False, reverse=True),
]
WAYS = {
    "one pass": {},
    "slices": {"_SMALL": 900, "_NARROW": 0, "_KEYS_PER_BUCKET": 16},
    "narrow keys": {"_SMALL": 0, "_NARROW": 12, "_MOST_SMALL_BUCKETS": 60, "_FEW_PASSES": 1 << 20},
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("spec", RECIPES)
def test_the_parts_are_the_graph_of_one_device(
    spec: GraphSpec, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for constant, value in WAYS[way].items():
        monkeypatch.setattr(layout, constant, value)
    whole = load_graph(spec)
    for count in (2, 5):
        graph = drawn_in_parts(spec, Teams(count))
        assert (graph.n, graph.m, graph.undirected, graph.hash, graph.name, graph.origin) == (
            whole.n,
            whole.m,
            whole.undirected,
            whole.hash,
            whole.name,
            whole.origin,
        )
        assert graph.changes == whole.changes
        together = graph.to(np)
        assert content_hash(together.csr) == content_hash(whole.csr)
        assert same_rows(together.reverse, whole.reverse)
        np.testing.assert_array_equal(graph.csr.degrees(), whole.csr.degrees())
        chosen = np.random.default_rng(1).random(graph.n) < 0.5
        assert graph.csr.edges_of(chosen) == whole.csr.edges_of(chosen)
        assert graph.csr.longest == whole.csr.longest
        assert graph.csr.longer_than(3) == whole.csr.longer_than(3)
        for place in range(count):
            for how in (
                (True, True, False),
                (False, True, False),
                (True, False, False),
                (False, True, True),
            ):
                made, expected = graph.part(place, *how), cut(whole, graph.partition, place, *how)
                assert same_rows(made.csr, expected.csr)
                assert same_rows(made.reverse, expected.reverse)
                np.testing.assert_array_equal(made.degrees, expected.degrees)
                assert (made.n, made.m, made.directed, made.bounds) == (
                    expected.n,
                    expected.m,
                    expected.directed,
                    expected.bounds,
                )
        for place, made in enumerate(graph.each_part_within()):
            expected = cut_within(whole, graph.partition, place)
            assert same_rows(made.csr, expected.csr)
            assert same_rows(made.reverse, expected.reverse)
            np.testing.assert_array_equal(made.crossing, expected.crossing)
            np.testing.assert_array_equal(made.degrees, expected.degrees)
            assert (made.whole, made.whole_n, made.whole_m, made.first, made.last) == (
                False,
                whole.n,
                whole.m,
                expected.first,
                expected.last,
            )


def test_a_team_takes_little_more_than_its_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host keeps nothing besides: all memory taken is that of the parts."""
    monkeypatch.setattr(layout, "_SMALL", 0)
    spec = GraphSpec("rmat", params={"scale": 14, "edge_factor": 16})
    drawn, most = native.rows_from_drawing, []

    def watched(*arguments: Any, **named: Any) -> Any:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        rows = drawn(*arguments, **named)
        assert rows is not None
        size = rows.row_offsets.nbytes + rows.column_indices.nbytes
        most.append((tracemalloc.get_traced_memory()[1] - before) / size)
        return rows

    monkeypatch.setattr(native, "rows_from_drawing", watched)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        graph = drawn_in_parts(spec, Teams(4))
        kept = tracemalloc.get_traced_memory()[0] - before
        parts = [graph.part(place, by_source=True, by_target=True) for place in range(4)]
    finally:
        tracemalloc.stop()
    assert len(most) == 8
    assert max(most) <= 1.4
    sizes = [rows.row_offsets.nbytes + rows.column_indices.nbytes for rows in parts_of(graph)]
    assert max(sizes) < 0.3 * sum(sizes)
    assert kept <= 1.05 * sum(sizes)
    for place, part in enumerate(parts):
        assert part.reverse is parts_of(graph)[place]  # no copy


def test_parts_have_about_as_many_edges() -> None:
    graph = drawn_in_parts(GraphSpec("rmat", params={"scale": 15, "edge_factor": 8}), Teams(4))
    sizes = [part.m for part in parts_of(graph)]
    assert max(sizes) < 1.05 * graph.m / 4


@pytest.mark.parametrize("keep", [True, False])
def test_input_edges_are_counted_where_they_begin(keep: bool) -> None:
    spec = GraphSpec("rmat", params={"scale": 9, "edge_factor": 3}, keep_self_loops=keep)
    raw = generate_edges("rmat", complete_params("rmat", dict(spec.params)), np)
    pieces = raw_degrees(spec, Teams(3), (0, 128, 128, 512))
    assert [len(piece) for piece in pieces] == [128, 0, 384]
    np.testing.assert_array_equal(np.concatenate(pieces), np.bincount(raw.src, minlength=512))


def test_what_is_said_of_a_graph_before_it_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = GraphSpec("rmat", params={"scale": 30, "edge_factor": 16})
    found = undrawn(spec, np)
    assert found is not None
    assert (found.name, found.n, found.undirected, found.weighted) == ("rmat-s30-e16", 2**30, True, False)
    assert 33e9 < found.m < 2 * 2**34
    assert found.reverse is found.csr
    assert found.csr.row_offsets.dtype == np.int64
    small = GraphSpec("rmat", params={"scale": 6})
    described = undrawn(small, np)
    assert described is not None
    assert described.to(np).hash == load_graph(small).hash
    for other in (GraphSpec("rmat", weights="random"), GraphSpec("path"), GraphSpec("market", path="x")):
        assert undrawn(other, np) is None
    with pytest.raises(GunrockError, match="path-n1024 is not drawn in parts"):
        drawn_in_parts(GraphSpec("path"), Teams(2))


def test_all_edges_at_once_are_refused() -> None:
    graph = drawn_in_parts(GraphSpec("rmat", params={"scale": 6}), Teams(2))
    with pytest.raises(GunrockError, match="lies in parts on several devices"):
        graph.csr.sources()
