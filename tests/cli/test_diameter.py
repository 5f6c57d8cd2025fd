"""``gunrock diameter``, and the function, against NetworkX."""

from __future__ import annotations

import json
from typing import Any

import networkx as nx
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from primitives.graphs_for_sets import CORNERS, graph_of, in_networkx, small_graphs
from runs_helper import BACKENDS

import gunrock_cli as gunrock
from gunrock_cli.cli.main import cli
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph


def check(graph: Graph, backend: str = "cpu") -> None:
    """Of several largest components any may be taken."""
    own = in_networkx(graph)
    parts = list(nx.connected_components(own))
    most = max(map(len, parts))
    found = gunrock.diameter(graph, backend=backend)
    assert found.exact
    assert found.lower in {nx.diameter(own.subgraph(part)) for part in parts if len(part) == most}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs())
def test_random_graphs(graph: Graph) -> None:
    check(graph)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["no edges", "disconnected", "star", "odd ring", "clique", "bipartite"])
def test_corner_cases(name: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    n = min(n, 400)
    check(graph_of(n, [edge for edge in edges if max(edge) < n], **how), backend)


def test_a_path_takes_few_searches() -> None:
    n = 100_000
    found = gunrock.diameter((np.arange(n - 1), np.arange(1, n)), backend="cpu")
    assert (found.lower, found.upper) == (n - 1, n - 1)
    assert found.searches < 10


def run(*words: str) -> Any:
    return CliRunner().invoke(cli, ["diameter", *words, "--backend", "cpu"], catch_exceptions=False)


def test_the_command() -> None:
    assert run("grid2d", "--width", "30", "--height", "20").stdout.startswith(
        "grid2d-30x20: diameter 48, "
    )
    found = json.loads(run("grid2d", "--width", "30", "--height", "20", "--json").stdout)
    assert (found["diameter"], found["diameter_is_exact"], found["components"]) == (48, True, 1)
    bounds = run("grid2d", "--width", "30", "--height", "20", "--searches", "1").stdout
    assert bounds.startswith("grid2d-30x20: diameter between 46 and 92, 1 searches, ")
    assert (
        "diameter 0 of the largest of 5 components"
        in run("random", "--nodes", "5", "--edges", "0").stdout
    )


def test_no_searches_are_refused() -> None:
    with pytest.raises(UsageError, match="searches=0: give a whole number from 1"):
        gunrock.diameter(([0], [1]), searches=0)
