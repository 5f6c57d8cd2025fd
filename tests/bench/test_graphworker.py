"""Sweeps with a process per graph: shared state, and failures that cost only their own cell."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from ended_helper import gone

from gunrock_cli.bench.records.file import read_file
from gunrock_cli.bench.sweeps.graphworker import SPOILT, GraphWorker, by_graph, run_plan
from gunrock_cli.bench.sweeps.plan import Plan, plan_from_axes
from gunrock_cli.bench.sweeps.run import Outcome, recorded_cells, run_cell
from gunrock_cli.bench.sweeps.run import run_plan as run_each

TESTS = Path(__file__).parents[1]
FAKE = [sys.executable, str(TESTS / "fake_worker.py")]
CELL = [sys.executable, str(TESTS / "fake_gunrock.py")]


def plan_of(*graphs: str, do: str = "fine", timeout: float = 60) -> Plan:
    return plan_from_axes("test", ["bfs"], graphs, [f"do={do}"], timeout)


def outcomes(plan: Plan, folder: Path, skip: set[str] | None = None) -> list[Outcome]:
    return list(run_plan(plan, folder / "r.jsonl", FAKE, skip or set()))


def process_of(outcome: Outcome) -> str:
    """The process, by which the fake names its records."""
    return outcome.records[0].id


def test_cells_of_a_graph_share_a_process_and_follow_each_other(tmp_path: Path) -> None:
    plan = plan_from_axes("test", ["bfs", "cc"], ["g", "h"], ["src=0,1"], 60)
    found = outcomes(plan, tmp_path)
    assert [(one.cell.graph.label, one.cell.name, dict(one.cell.options)["src"]) for one in found] == [
        (graph, name, src) for graph in "gh" for name in ("bfs", "cc") for src in "01"
    ]
    assert len({process_of(one) for one in found[:4]}) == len({process_of(one) for one in found[4:]}) == 1
    assert process_of(found[0]) != process_of(found[4])


def test_records_are_those_of_a_process_each_but_say_how_they_were_run(tmp_path: Path) -> None:
    plan = plan_of("g", do="fine,wrong,peers")
    shared = [record for one in outcomes(plan, tmp_path) for record in one.records]
    each = run_each(plan, tmp_path / "own.jsonl", CELL, set())
    own = [record for one in each for record in one.records]
    assert [record.sweep.pop("process") for record in shared] == ["graph"] * 4
    for one, other in zip(shared, own, strict=True):
        one.id = other.id = one.time = other.time = ""
    assert shared == own


@pytest.mark.parametrize(("do", "status", "error"), [
    ("wrong", "wrong", "3 labels differ"), ("oom", "OOM", "not enough memory for the graph"),
    ("crash", "error", "ended by SIGABRT"), ("usage", "error", "no such option"),
    ("silent", "error", "exit code 0, and no record on stdout"),
    ("raises", "error", "ValueError: of the program's own"),
    ("spoils", "error", SPOILT.removeprefix("gunrock: ")), ("leaves", "error", "ended by SIGKILL"),
])  # fmt: skip
def test_a_failure_costs_its_cell_and_the_process_only(
    do: str, status: str, error: str, tmp_path: Path
) -> None:
    found = outcomes(plan_of("g", do=f"fine,{do},peers"), tmp_path)
    assert [one.status for one in found] == ["ok", status, "ok"]
    assert [len(one.records) for one in found] == [1, 1, 2]
    assert str(found[1].records[0].error).startswith(error)
    assert (process_of(found[0]) == process_of(found[2])) == (do == "silent")
    assert len(read_file(tmp_path / "r.jsonl").records) == 4


def test_a_hang_is_ended_with_all_its_children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pid_file = tmp_path / "pid"
    monkeypatch.setenv("CHILD_PID_FILE", str(pid_file))
    first, last = outcomes(plan_of("g", do="hang,fine", timeout=6), tmp_path)
    assert (first.status, first.records[0].error) == ("timeout", "took longer than 6 s")
    assert last.status == "ok"
    assert gone(int(pid_file.read_text()))


def test_a_process_that_ends_between_two_cells_costs_the_next_one_only(tmp_path: Path) -> None:
    cells = plan_of("g", do="fine,peers").cells
    with GraphWorker(FAKE) as worker:
        assert run_cell(cells[0], (), "test", worker.run).status == "ok"
        process = worker._started()
        process.kill()
        process.wait()
        lost = run_cell(cells[0], (), "test", worker.run).records[0]
        assert (lost.status, str(lost.error)[:16]) == ("error", "ended by SIGKILL")
        assert run_cell(cells[1], (), "test", worker.run).status == "ok"
        process = worker._started()
    assert process.poll() is not None


def test_what_is_done_is_skipped_whatever_ran_it(tmp_path: Path) -> None:
    plan = plan_of("g", "h", do="fine,peers")
    output = tmp_path / "r.jsonl"
    list(run_each(Plan("test", plan.cells[:3]), output, CELL, set()))
    done = recorded_cells(output)
    assert [[cell.label for cell in cells] for cells in by_graph(plan.cells, done)] == [
        [plan.cells[3].label]
    ]
    assert [one.cell for one in outcomes(plan, tmp_path, done)] == plan.cells[3:]
    assert recorded_cells(output) == {cell.key for cell in plan.cells}
