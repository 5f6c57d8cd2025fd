"""What the lengths and ends of lists say about a graph."""

from __future__ import annotations

import numpy as np
import pytest

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.operators import lists


def graph_of(n: int, edges: list[tuple[int, int]], undirected: bool = True) -> Graph:
    ends = np.array(edges, np.int64).reshape(-1, 2)
    return build_graph(n, ends[:, 0].copy(), ends[:, 1].copy(), None, undirected=undirected, xp=np)


HUB = [(0, v) for v in range(1, 101)]
NEAR = [(v, 1 + (v + k) % 100) for v in range(101, 1000) for k in range(10)]
APART = [(v, v + 1 + k) for v in range(101, 990) for k in range(10)]


@pytest.mark.parametrize("windows", [64, 2])
def test_a_graph_is_around_its_hub_if_most_vertices_are_near(
    windows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Vertex 0 knows the first 100; each of the others knows 10 of these, or 10 others."""
    monkeypatch.setattr(lists, "WINDOWS", windows)
    monkeypatch.setattr(lists, "WINDOW", 128)
    assert lists.is_around_hub(graph_of(1000, HUB + NEAR))
    assert not lists.is_around_hub(graph_of(1000, HUB + APART))
    assert not lists.is_around_hub(graph_of(1000, HUB + NEAR, undirected=False))


def test_short_lists_and_no_lists_are_around_no_hub() -> None:
    assert not lists.is_around_hub(graph_of(1000, [(0, v) for v in range(1, 1000)]))
    assert not lists.is_around_hub(graph_of(3, []))
    assert not lists.is_around_hub(graph_of(0, []))
