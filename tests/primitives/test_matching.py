"""Matchings compared with a greedy walk through the edges in order, and with NetworkX's heaviest."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from primitives import weighted_graphs
from primitives.graphs_for_sets import scramble
from primitives.weighted_graphs import CORNERS, DICE, edges_of, graph_of, larger, weighed
from runs_helper import BACKENDS, LOOPS, run_on

import gunrock_cli as gunrock
from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.cli.main import cli
from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives import matching
from gunrock_cli.primitives.matching import PRIMITIVE, MatchingOptions

WAYS: list[dict[str, Any]] = [
    {},
    {"by": "random"},
    {"priority_seed": 7},
    {"by": "random", "priority_seed": 7},
]


def is_integer(graph: Graph) -> bool:
    """True if both kinds of order are to be tried: each type of weights is a build more."""
    return graph.csr.values is not None and graph.csr.values.dtype == np.int32


def run(
    graph: Graph,
    backend: str = "cpu",
    threads: int = 3,
    way: dict[str, Any] | None = None,
    **protocol: Any,
) -> Measured:
    return run_on(PRIMITIVE, graph, way or {}, backend, threads, **protocol)


def greedy(graph: Graph, by: str = "weight", priority_seed: int = 0) -> list[int]:
    """Take one edge after the other, by weight, then by random rank, then by its ends."""

    def place(edge: tuple[int, int, float]) -> tuple[float, int, int, int]:
        u, v, weight = edge
        rank = int(scramble(scramble(np.array([u ^ priority_seed], np.uint32)) + np.uint32(v))[0])
        return -weight if by == "weight" else 0, rank, u, v

    mates = [-1] * graph.n
    for u, v, _ in sorted(edges_of(graph), key=place):
        if mates[u] < 0 and mates[v] < 0:
            mates[u], mates[v] = v, u
    return mates


def check(graph: Graph, backend: str = "cpu", way: dict[str, Any] | None = None, **how: Any) -> Measured:
    measured = run(graph, backend, way=way, **how)
    assert measured.outputs["mates"].tolist() == greedy(graph, **(way or {}))
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    return measured


@pytest.mark.sampled(2)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, backend: str, loop: str) -> None:
    n, edges, how = CORNERS[name]
    for way in WAYS[:1] if how.get("dtype") else WAYS[:2]:
        check(graph_of(n, edges, **how), backend, way, loop=loop)


@pytest.mark.parametrize("backend", BACKENDS)
def test_empty_graph(backend: str) -> None:
    assert check(graph_of(0, []), backend).record.metrics == {"size": 0, "weight": 0}


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_long_chain_of_edges_that_wait_for_each_other(backend: str) -> None:
    """Only a vertex or two match at a time, and not everyone in every round. On the CPU a core does it
    alone; on a GPU no block ever does: its code took registers that the walk of lists needs
    [D-alone-1]."""
    n = 20_000
    rows = check(
        graph_of(n, weighed(itertools.pairwise(range(n)), range(n))), backend, trace=True
    ).record.trace
    assert len(rows) > n
    assert sum(row["frontier_vertices"] for row in rows) < 10 * n
    assert max(row["frontier_vertices"] for row in rows[3:]) == 2
    assert {row["one_block"] for row in rows[3:]} == {backend == "cpu"}


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_star_of_a_hundred_thousand(backend: str) -> None:
    star = graph_of(100_000, weighed(((0, v) for v in range(1, 100_000)), itertools.cycle(DICE)))
    assert check(star, backend).record.metrics["size"] == 1


LENGTHS = [most + more for most in (8, 32, 64, 128, 256, 2048, 4096) for more in (-1, 0, 1)]
"""Lengths around the number of entries that a thread, eight lanes, a warp or a block loads at once, or
folds at most."""


@pytest.mark.parametrize("backend", BACKENDS)
def test_lists_as_long_as_what_is_loaded_at_once(backend: str) -> None:
    """There are two lists of each length: the heaviest edge of both leads to the same vertex, so one is
    folded again. The edge to be found is a list's last entry, in the first round and in the second."""
    edges: list[tuple[int, int, float]] = []
    n = 2 * len(LENGTHS)
    for k, length in enumerate(LENGTHS):
        ends = range(n, n + 2 * length - 1)
        edges += weighed(((2 * k, v) for v in ends[:length]), [*DICE[: length - 1], 99])
        edges += weighed(((2 * k + 1, v) for v in ends[length - 1 :]), [98, *DICE[: length - 2], 97])
        n += len(ends)
    mates = check(graph_of(n, edges), backend).outputs["mates"]
    assert all(mates[2 * k + 1] - mates[2 * k] == length - 1 for k, length in enumerate(LENGTHS))


small_graphs = weighted_graphs.small_graphs((0, 4), (0.0, 0.25, 1e-37, 3.0))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs, st.sampled_from(WAYS), st.sampled_from(LOOPS))
def test_random_graphs(graph: Graph, way: dict[str, Any], loop: str) -> None:
    check(graph, way=way if is_integer(graph) else WAYS[0], loop=loop)


@pytest.mark.gpu
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs, st.sampled_from(WAYS), st.sampled_from(LOOPS))
def test_random_graphs_on_the_gpu(graph: Graph, way: dict[str, Any], loop: str) -> None:
    check(graph, "cuda", way, loop=loop)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs)
def test_at_least_half_of_the_heaviest_and_of_the_largest(graph: Graph) -> None:
    own = nx.Graph()
    for u, v, weight in edges_of(graph):
        own.add_edge(u, v, weight=max(weight, own.get_edge_data(u, v, {"weight": 0})["weight"]))
    best = sum(own.edges[edge]["weight"] for edge in nx.max_weight_matching(own))
    metrics = run(graph).record.metrics
    assert 2 * metrics["weight"] >= best - 1e-6
    largest = len(nx.max_weight_matching(own, maxcardinality=True, weight=None))
    assert 2 * metrics["size"] >= largest
    assert 2 * run(graph, way={"by": "random"}).record.metrics["size"] >= largest


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_larger_graphs(loop: str, backend: str) -> None:
    for graph in larger():
        for way in WAYS[:2] if is_integer(graph) else WAYS[:1]:
            check(graph, backend, way, loop=loop)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_same_matching_every_time(backend: str) -> None:
    for graph in larger()[1:3]:
        expected = greedy(graph)
        for threads in (1, 2, 7):
            for _ in range(3):
                found = run(graph, backend, threads, runs=5, check="none")
                assert found.outputs["mates"].tolist() == expected


def test_seeds_give_others() -> None:
    graph = larger()[1]
    found = [run(graph, way=way).outputs["mates"].tolist() for way in WAYS]
    assert found[0] == found[1]  # all weights are equal
    assert found[2] == found[3] != found[0]


def test_the_record() -> None:
    record = check(graph_of(6, [(0, 1, 4), (1, 2, 5), (2, 3, 3), (4, 5, 8)])).record
    assert record.metrics == {"size": 2, "weight": 13}
    twins = graph_of(2, [(0, 1, 4), (0, 1, 9)], keep_duplicates=True)
    assert check(twins).record.metrics == {"size": 1, "weight": 9}
    assert record.mteps is None


def test_the_trace_names_the_steps() -> None:
    rows = run(larger()[3], trace=True).record.trace
    assert [row["phase"] for row in rows[:3]] == ["point", "pair", "point"]
    assert [row["phase"] for row in rows[-4:]] == ["point", "match", "release", "point"]
    assert rows[0]["frontier_vertices"] == larger()[3].n
    assert rows[-1]["frontier_vertices"] == 0


def verdict(graph: Graph, mates: list[int], **way: Any) -> tuple[str, str]:
    found = PRIMITIVE.validate(graph, PRIMITIVE.asked(way), None, {"mates": np.array(mates, np.int32)})
    return found.verdict, found.message


def test_validation_rejects_what_is_not_the_greedy_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_of(6, [(0, 1, 4), (1, 2, 5), (2, 3, 4), (3, 4, 1)])
    for chunk in (matching.CHUNK, 3):
        monkeypatch.setattr(matching, "CHUNK", chunk)
        assert verdict(graph, [-1, 2, 1, 4, 3, -1]) == ("pass", "")
        assert "lacks an edge" in verdict(graph, [1, 0, 3, 2, -1, -1])[1]  # heavier, not dominant
        assert "lacks an edge" in verdict(graph, [-1, 2, 1, -1, -1, -1])[1]  # not maximal
        assert "not each other's: vertex 0 has 1" in verdict(graph, [1, 2, 1, 4, 3, -1])[1]
        assert "not each other's: vertex 5 has 6" in verdict(graph, [-1, 2, 1, 4, 3, 6])[1]
        assert "not each other's: vertex 5 has 5" in verdict(graph, [-1, 2, 1, 4, 3, 5])[1]
        assert "no edge from vertex 0 to its mate 5" in verdict(graph, [5, 2, 1, 4, 3, 0])[1]
    even = graph_of(4, [(0, 1, 1), (1, 2, 1), (2, 3, 1)])
    assert [verdict(even, mates)[0] for mates in ([1, 0, 3, 2], [-1, 2, 1, -1])].count("pass") == 1


def test_a_peers_matching_need_only_be_maximal() -> None:
    graph = graph_of(4, [(0, 1, 1), (1, 2, 9), (2, 3, 1)])
    for partners, verdict in (
        ([-1, 2, 1, -1], "pass"),
        ([1, 0, 3, 2], "pass"),
        ([1, 0, -1, -1], "fail"),
        ([1, 0, 3, -1], "fail"),
    ):
        found = PRIMITIVE.validate(graph, MatchingOptions(), None, {"partners": np.array(partners)})
        assert found.verdict == verdict, found
    assert PRIMITIVE.work(graph, MatchingOptions(), {"partners": np.array([1, 0, 3, 2])}).metrics == {
        "size": 2,
        "weight": 2,
    }


def test_what_it_refuses() -> None:
    with pytest.raises(UsageError, match="matching is for undirected graphs"):
        run(graph_of(3, [(0, 1, 1)], undirected=False))
    negative = graph_of(2, [(0, 1, -3)])
    with pytest.raises(InputError, match=r"from 0 to 1 .* weight -3: a matching by weight needs weights"):
        run(negative)
    assert check(negative, way={"by": "random"}).record.metrics == {"size": 1, "weight": -3}
    with pytest.raises(InputError, match="weight inf: must be finite"):
        run(graph_of(2, [(0, 1, float("inf"))], "float32"))


def test_from_python() -> None:
    found = gunrock.matching(
        ([0, 1, 2], [1, 2, 3], [0.5, 1.5, 0.5]), symmetrize=True, check=True, backend="cpu", threads=2
    )
    assert found.mates.tolist() == [-1, 2, 1, -1]


def test_of_parallel_edges_the_heaviest_counts(tmp_path: Path) -> None:
    """Of each pair the lightest would make the edge in the middle the heaviest. From Python equal edges
    are already merged to the lightest, unless all are kept."""
    ends, targets, weights = [0, 0, 1, 2, 3], [1, 1, 2, 3, 2], [1, 5, 4, 1, 5]
    file = tmp_path / "g.txt"
    file.write_text("".join(f"{u} {v} {w}\n" for u, v, w in zip(ends, targets, weights, strict=True)))
    result = CliRunner().invoke(cli, ["matching", "--edge-list", str(file), "--backend", "cpu", "--json"])
    assert json.loads(result.stdout)["metrics"]["weight"] == 10
    kept = gunrock.as_graph(
        (ends, targets, weights), symmetrize=True, keep_duplicates=True, backend="cpu"
    )
    for a in (kept, gunrock.load(file, keep_duplicates=True, backend="cpu")):
        assert gunrock.matching(a, check=True, backend="cpu").record.metrics == {"size": 2, "weight": 10}
    found = gunrock.matching((ends, targets, weights), symmetrize=True, check=True, backend="cpu")
    assert found.record.metrics == {"size": 1, "weight": 4}
