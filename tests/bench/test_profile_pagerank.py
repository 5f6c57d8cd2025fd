"""The graphs of the profile of PageRank, each with more left out."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from script_helper import load_benchmark

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives.pagerank import PRIMITIVE
from gunrock_cli.primitives.pagerank.options import PageRankOptions

LATTICE = load_graph(GraphSpec("grid2d", params={"width": 9, "height": 7}), np)
DIRECTED = build_graph(5, np.array([0, 1, 1, 3]), np.array([1, 2, 4, 2]), None, undirected=False)


@pytest.fixture
def profile() -> ModuleType:
    return load_benchmark("profile_pagerank")


@pytest.mark.parametrize("graph", [LATTICE, DIRECTED], ids=["undirected", "directed"])
def test_parts(profile: ModuleType, graph: Graph) -> None:
    parts = dict(profile.without_parts(graph))
    assert list(parts) == ["whole", "gathers at hand", "no entries", "one vertex"]
    assert parts["whole"] is graph
    near, none, alone = (parts[name].reverse for name in list(parts)[1:])
    np.testing.assert_array_equal(near.degrees(), graph.reverse.degrees())
    np.testing.assert_array_equal(near.column_indices, np.repeat(np.arange(graph.n), near.degrees()))
    assert (none.n, none.m, alone.n, alone.m) == (graph.n, 0, 1, 0)
    for part in parts.values():
        assert (part.csr is part.reverse) == graph.undirected or part.n == 1


def test_each_part_runs_the_code_of_the_whole(profile: ModuleType) -> None:
    asked = PageRankOptions(order="graph", tolerance=0.0)
    like, own = (
        PRIMITIVE.plan(each, asked)
        for each in (build_graph(80, np.zeros(79, np.int64), np.arange(1, 80), None), LATTICE)
    )
    assert like.defines != own.defines
    for _, part in profile.without_parts(LATTICE):
        compiled = profile.Compiled(part, own.options, like.defines)
        assert compiled.defines == like.defines
        assert np.isfinite(profile.iteration_us(compiled, choose_backend("cpu", 1), 1))
