"""The process that runs all cells of a graph: it loads the graph once, and records are those of separate
processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from gunrock_cli.bench.inputs import graphs as inputs
from gunrock_cli.bench.inputs.graphs import KeptGraph, keeping
from gunrock_cli.bench.records.file import read_file
from gunrock_cli.cli.worker import run
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.spec import GraphSpec

BFS = ["bfs", "grid2d", "--width", "9", "--backend", "cpu", "--iterations", "2", "--json"]
OWN = """
from gunrock_cli.primitives.bfs import Bfs

from gunrock_cli.primitives.bfs.variants import InStep

class Spoiling(InStep):
    def start(self, problem, source):
        super().start(problem, source)
        self.graph.csr.column_indices[0] += 1

class Spoiler(Bfs):
    def plan(self, graph, asked):
        found = super().plan(graph, asked)
        return Spoiling(graph, found.options)

PRIMITIVE = Spoiler()
"""


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[Graph]:
    """The graphs that are loaded from here on."""
    found: list[Graph] = []
    load = inputs.load_graph

    def counted(spec: GraphSpec, xp: ModuleType, *more: Any) -> Graph:
        found.append(load(spec, xp, *more))
        return found[-1]

    monkeypatch.setattr(inputs, "load_graph", counted)
    return found


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[KeptGraph]:
    monkeypatch.setattr(sys, "argv", sys.argv)
    with keeping() as found:
        yield found


def test_a_graph_is_loaded_once_and_others_take_its_place(
    loaded: list[Graph], kept: KeptGraph, capsys: pytest.CaptureFixture[str]
) -> None:
    weighted = ["sssp", *BFS[1:]]
    other = ["bfs", "grid2d", "--width", "8", *BFS[4:]]
    for words in (BFS, weighted, ["--quiet", *BFS], other, other, BFS):
        assert run(words, kept) == (0, False)
    assert [graph.n for graph in loaded] == [81, 64, 81]
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["command"] for record in records[:3]] == [
        ["gunrock", *BFS],
        ["gunrock", *weighted],
        ["gunrock", "--quiet", *BFS],
    ]
    assert [record["graph"]["vertices"] for record in records] == [81, 81, 81, 64, 64, 81]
    assert all(record["validation"]["verdict"] == "pass" for record in records)
    assert not loaded[0].weighted


def test_a_file_that_was_changed_is_loaded_again(
    tmp_path: Path, loaded: list[Graph], kept: KeptGraph
) -> None:
    """The result is that of separate processes, whatever the file's times are."""
    file = tmp_path / "edges.txt"
    words = ["bfs", "--edge-list", str(file), *BFS[4:]]
    for text in ("0 1\n", "0 1\n", "0 3\n"):
        file.write_text(text)
        os.utime(file, ns=(10**18, 10**18))
        assert run(words, kept) == (0, False)
    assert [graph.n for graph in loaded] == [2, 4]


@pytest.mark.parametrize(
    ("words", "code"), [(["bfs", "--no-such-option"], 2), (["bfs", "none.mtx"], 2), (["--version"], 0)]
)
def test_a_line_ends_as_its_process_would(words: list[str], code: int, kept: KeptGraph) -> None:
    assert run(words, kept) == (code, False)


def test_a_graph_that_was_written_over_is_noticed(kept: KeptGraph, loaded: list[Graph]) -> None:
    assert run(BFS, kept) == (0, False)
    for array in (loaded[0].csr.row_offsets, loaded[0].csr.column_indices):
        array[1] += 1
        assert not kept.is_intact()
        array[1] -= 1
        assert kept.is_intact()


def test_a_sweep_is_the_same_by_cell_and_by_graph(tmp_path: Path) -> None:
    (tmp_path / "spoiler.py").write_text(OWN)
    found = {}
    for process in ("cell", "graph"):
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "gunrock_cli.cli.main",
                "sweep",
                "--graph",
                "grid2d --width 9",
                "--primitive",
                "bfs,./spoiler.py,cc",
                "--set",
                "backend=cpu",
                "--set",
                "iterations=2",
                "--process",
                process,
                "--output",
                f"{process}.jsonl",
            ],
            cwd=tmp_path,
            check=False,
            capture_output=True,
            text=True,
            timeout=200,
        )
        assert done.returncode in (0, 1), done.stderr
        found[process] = read_file(tmp_path / f"{process}.jsonl").records
    each, shared = found["cell"], found["graph"]
    assert [record.status for record in shared] == ["ok", "error", "ok"]
    assert "wrote over its graph" in str(shared[1].error)
    assert [record.sweep.pop("process") for record in shared] == ["graph"] * 3
    for one, other in ((each[0], shared[0]), (each[2], shared[2])):
        for name in (
            "primitive",
            "graph",
            "options",
            "command",
            "sweep",
            "validation",
            "sources",
            "iterations",
            "traffic",
            "libraries",
        ):
            assert getattr(one, name) == getattr(other, name), name
