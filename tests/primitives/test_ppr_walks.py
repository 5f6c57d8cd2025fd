"""Personalized PageRank by walks: estimates within their bound, with the frequencies that exact ranks
say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pagerank_helper import BACKENDS, CORNERS, graph_of
from ppr_helper import networkx_ranks, run, words
from scipy.stats import chisquare

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives.ppr import PRIMITIVE
from gunrock_cli.primitives.ppr.walks import error_of

LEVEL = 1e-4
"""The chance of frequencies as far from the expected ones as those that fail. Seeds are fixed, so a test
always fails or never."""
WALKS: dict[str, Any] = {"method": "walks", "walks": 20_000, "precision": "float64"}
DIRECTED = GraphSpec("rmat", params={"scale": 8}, undirected=False)
EXACT: dict[str, Any] = {"tolerance": 1e-12, "precision": "float64", "max_iterations": 1000}


def check_ends(ranks: np.ndarray[Any, Any], exact: np.ndarray[Any, Any], walks: int) -> None:
    """Compare how many walks end where with exact ranks."""
    assert np.abs(ranks - exact).max() <= error_of(len(exact), walks)
    assert not ranks[exact == 0].any()
    expected = walks * exact
    common = expected >= 8
    rest = [walks - expected[common].sum()] if expected[~common].sum() > 1 else []
    found = np.rint(walks * ranks)
    ends = [walks - found[common].sum()] if rest else []
    shares = np.r_[expected[common], rest]
    assert chisquare(np.r_[found[common], ends], shares * walks / shares.sum()).pvalue > LEVEL


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", [name for name in CORNERS if name != "empty"])
def test_corner_cases(name: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    graph = graph_of(n, edges, backend, **how)
    seeds = sorted({0, n - 1, n // 2})
    found = run(graph, seeds=words(seeds), backend=backend, **{**WALKS, "walks": 500})
    assert found.outputs["ranks"].sum() == pytest.approx(1)


@pytest.mark.parametrize(
    "changed",
    [{}, {"damping": 0.5}, {"seeds": "0,5", "damping": 0.0}, {"seeds": "0,5,9,9", "damping": 0.97}],
    ids=str,
)
def test_estimates_follow_exact_ranks(changed: dict[str, Any]) -> None:
    graph = load_graph(DIRECTED, np)
    found = run(graph, 3, threads=3, walk_seed=5, **WALKS, **changed)
    ranks = found.outputs["ranks"]
    assert found.record.metrics["error"] == pytest.approx(np.sqrt(np.log(2 * 256 / 0.05) / 40_000))
    assert ranks.sum() == pytest.approx(1)
    np.testing.assert_array_equal(
        ranks, run(graph, 3, threads=1, walk_seed=5, **WALKS, **changed).outputs["ranks"]
    )
    if changed:
        check_ends(ranks, run(graph, 3, **EXACT, **changed).outputs["ranks"], 20_000)
    else:
        check_ends(ranks, networkx_ranks(graph, [3]), 20_000)


def test_walks_follow_edges_by_weight() -> None:
    graph = with_weights(load_graph(DIRECTED, np), "random:0:9")
    ranks = run(graph, 3, weighted=True, **WALKS).outputs["ranks"]
    check_ends(ranks, run(graph, 3, weighted=True, **EXACT).outputs["ranks"], 20_000)


def test_a_wrong_answer_fails() -> None:
    graph = load_graph(DIRECTED, np)
    found = run(graph, 3, **WALKS)
    wrong = np.array(found.outputs["ranks"])
    wrong[[3, 4]] += [-1 / 20_000, 1 / 20_000]
    verdict = PRIMITIVE.validate(graph, found.options, 3, {"ranks": wrong})
    assert verdict.verdict == "fail"
    assert "2 ranks are not where walks end: vertex 3" in verdict.message


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"walks": 9}, "--walks 9 is for --method walks, not power; leave it out"),
        ({"method": "push", "walk_seed": 1}, "--walk-seed 1 is for --method walks, not push"),
        ({"method": "walks", "tolerance": 1e-3}, "--tolerance 0.001 is for --method power, not walks"),
        ({"method": "walks", "batch": 2}, "--method walks takes one set of seeds: leave out --batch"),
        ({"method": "walks", "order": "degree"}, "--method walks"),
    ],
)
def test_options_of_other_methods_are_refused(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        run(graph_of(3, [(0, 1)], "cpu"), **changed)
