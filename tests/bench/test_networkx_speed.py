"""The benchmark of NetworkX's backends: measured rows, compared answers, limits."""

from __future__ import annotations

import re
import sys
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any

import networkx as nx
import numpy as np
import pytest
from script_helper import load_benchmark

from gunrock_cli.face import networkx_backend

installed = pytest.mark.skipif(
    not entry_points(group="networkx.backends", name="gunrock"),
    reason="the package was installed before it had a NetworkX backend: pip install -e .",
)
KARATE = ["--backend", "cpu", "--edges", "78", "--runs", "1", "--systems", "networkx,gunrock"]


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    return load_benchmark("networkx_backend")


@pytest.fixture
def rows(benchmark: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """The cells of the table's rows that the given words print, and stderr."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")

    def printed(*words: str) -> tuple[list[list[str]], str]:
        monkeypatch.setattr(sys, "argv", ["networkx_backend.py", *words])
        benchmark.main()
        said = capsys.readouterr()
        lines = [line for line in said.out.splitlines() if line.startswith("| `")]
        return [[word.strip(" `") for word in line.strip("|").split("|")] for line in lines], said.err

    return printed


@installed
def test_every_function_answers_as_networkx_does(benchmark: Any, rows: Any) -> None:
    found, said = rows(*KARATE)
    assert [cells[0] for cells in found] == list(benchmark.FUNCTIONS)
    for name, edges, theirs, converting, faster, kept, kept_faster, answers in found:
        assert edges == "78"
        assert float(faster) == pytest.approx(float(theirs) / float(converting), rel=0.02)
        assert float(kept_faster) == pytest.approx(float(theirs) / float(kept), rel=0.02)
        if name == "louvain_communities":  # NetworkX draws another order in each run
            assert min(map(float, re.findall(r"0\.\d+", answers))) > 0.35, answers
        else:
            assert answers == "same"
    assert "failed" not in said


@installed
def test_what_would_take_too_long_is_left_out(rows: Any) -> None:
    found, _ = rows("--edges", "78,2000", "--limit", "0", *KARATE[4:], "--functions", "pagerank")
    assert [cells[:2] for cells in found] == [["pagerank", "78"]]


@installed
def test_a_wrong_answer_and_a_failure_are_told(rows: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    right = networkx_backend.pagerank
    monkeypatch.setattr(
        networkx_backend, "pagerank", lambda *args, **how: {**right(*args, **how), 0: 0.5}
    )

    def failing(*_: Any, **__: Any) -> Any:
        raise TypeError("no scores") from RuntimeError("out of order")

    monkeypatch.setattr(networkx_backend, "hits", failing)
    (ranks, scores), said = rows(*KARATE, "--functions", "pagerank,hits", "--whole", "hits")
    assert ranks[3:5] == ["-", "-"]
    assert ranks[-1] == "WRONG: gunrock, by NetworkX"
    assert scores[3:] == ["-", "-", "-", "-", "unchecked"]
    assert "gunrock failed: RuntimeError: out of order" in said


def test_graphs_have_no_loops_and_the_edges_that_were_drawn(benchmark: Any) -> None:
    ends = benchmark.ends_of(400)
    graph = benchmark.graph_of(ends)
    assert 380 < len(ends) == graph.number_of_edges()
    assert nx.number_of_selfloops(graph) == 0
    assert list(graph) == list(range(ends.max() + 1))
    assert {length for *_, length in graph.edges(data="length")} == set(range(1, 65))


def test_modularity_is_networkxs(benchmark: Any) -> None:
    ends = benchmark.ends_of(400)
    graph = benchmark.graph_of(ends)
    parts = nx.community.louvain_communities(graph, weight=None, seed=1)
    theirs = nx.community.modularity(graph, parts, weight=None)
    assert benchmark.modularity(parts, ends) == pytest.approx(theirs)
    assert np.isnan(benchmark.modularity(parts[1:], ends))
    assert np.isnan(benchmark.modularity([*parts, parts[0]], ends))
