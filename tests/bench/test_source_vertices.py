"""Which vertices a traversal starts from."""

from __future__ import annotations

import numpy as np
import pytest

from gunrock_cli.bench.source_vertices import choose_sources
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.build import build_graph
from gunrock_cli.graph.model import Graph


def star(leaves: int = 6, alone: int = 3) -> Graph:
    """The hub is vertex 2; the last ``alone`` vertices have no edges."""
    ends = [v for v in range(leaves + 1) if v != 2]
    return build_graph(leaves + 1 + alone, np.full(leaves, 2), np.array(ends), xp=np, name="star")


def test_names_and_numbers() -> None:
    graph = star()
    assert choose_sources(graph, "4", None, 0) == [4]
    assert choose_sources(graph, "largest-degree", None, 0) == [2]
    assert choose_sources(graph, "all", None, 0) == list(range(10))


def test_random_sources_have_a_path_out_and_follow_the_seed() -> None:
    graph = star()
    drawn = {choose_sources(graph, "random", None, seed)[0] for seed in range(60)}
    assert drawn == set(range(7))
    many = choose_sources(graph, "0", 7, 1)
    assert sorted(many) == list(range(7))
    assert many == choose_sources(graph, "random", 7, 1)
    assert many != choose_sources(graph, "random", 7, 2)


@pytest.mark.parametrize(("wanted", "count", "message"), [
    ("10", None, "vertices 0 to 9"), ("-1", None, "vertices 0 to 9"), ("hub", None, "give a vertex"),
    ("1.5", None, "give a vertex"), ("random", 8, "7 vertices have an out-edge"),
    ("random", 0, "7 vertices have an out-edge"), ("3", 2, "does not go with --src 3")])
def test_refusals(wanted: str, count: int | None, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        choose_sources(star(), wanted, count, 0)


def test_graphs_without_vertices_or_edges() -> None:
    none = np.zeros(0, np.int32)
    with pytest.raises(UsageError, match="no vertices"):
        choose_sources(build_graph(0, none, none, xp=np), "0", None, 0)
    with pytest.raises(UsageError, match="no edges"):
        choose_sources(build_graph(4, none, none, xp=np), "random", None, 0)
