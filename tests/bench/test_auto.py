"""The benchmark that asks whether the default is ever wrong."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest
from module_helper import benchmark

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.primitives import get_primitive


@pytest.fixture(scope="module")
def auto() -> ModuleType:
    return benchmark("auto")


@pytest.fixture
def cell(auto: Any) -> Any:
    backend = choose_backend("cpu", 2)
    graph = auto.named_graph("rmat:scale=8,edge_factor=8", backend.xp)
    assert graph.n == 256
    return auto.Cell(get_primitive("bfs"), graph, [0], backend)


def test_the_best_run_again_beside_the_default(cell: Any) -> None:
    found = cell.judge({"direction"}, best=2, scan_runs=1, runs=5)
    assert found.wrong == 0
    assert len(found.others) == 2
    assert {label.split("=")[0] for _, label in found.others} == {"direction"}
    assert [ms for ms, _ in found.others] == sorted(ms for ms, _ in found.others)
    assert found.ratio >= 1


def test_turns_are_taken(cell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five runs of each come in four turns of two, the default first in each."""
    run, asked = cell.run, []

    def noted(options: Any, run_options: Any, runs: int, validate: bool) -> Any:
        asked.append((options["direction"], runs, validate))
        return run(options, run_options, runs, validate)

    monkeypatch.setattr(cell, "run", noted)
    cell.judge({"direction"}, best=1, scan_runs=1, runs=5)
    scan, turns = asked[:-8], asked[-8:]
    assert all(validate and runs == 1 for _, runs, validate in scan)
    assert turns[0] == ("auto", 2, False)
    assert turns == turns[:2] * 4


def test_a_wrong_answer_counts(cell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    run = cell.run

    def wrong(options: Any, run_options: Any, runs: int, validate: bool) -> Any:
        record = run(options, run_options, runs, validate)
        if options["direction"] == "pull" and record.validation["verdict"] == "pass":
            record = replace(record, validation={"verdict": "fail", "message": "vertex 3: 7, expected 2"})
        return record

    monkeypatch.setattr(cell, "run", wrong)
    found = cell.judge({"direction"}, best=3, scan_runs=1, runs=4)
    assert found.wrong == 1
    assert "direction=pull" not in [label for _, label in found.others]


def test_the_ratio_is_over_the_best(auto: Any) -> None:
    assert auto.Verdict(3.0, [(2.0, "a"), (4.0, "b")], 0).ratio == 1.5
    assert auto.Verdict(3.0, [(4.0, "b")], 0).ratio == 1.0
