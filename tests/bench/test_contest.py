"""The default against all other settings: which are scanned, given up, run again and kept."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import contest
from benchmarks.contest import (
    Cell,
    Contest,
    Log,
    OutOfTime,
    Rules,
    StillRunning,
    Verdict,
    code_of,
    settings,
)
from gunrock_cli.bench.protocol.time_limit import OverLimit
from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.studies.ablation import Ablation
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.spec import spec_from_name
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.code import HOST

RULES = Rules(best=2, runs=5, scan_runs=1, cutoff=1e9)


def cell_of(name: str, **given: Any) -> Cell:
    backend = choose_backend("cpu", 2)
    graph = load_graph(spec_from_name("rmat", {"scale": 8, "edge_factor": 8}), backend.xp)
    return Cell(f"{name} small", get_primitive(name), graph, [0], backend, given)


def ablation_of(cell: Cell) -> Ablation:
    return Ablation(cell.primitive, cell.graph, cell.given, lambda own, run: pytest.fail("measured"))


@pytest.fixture
def bfs() -> Cell:
    return cell_of("bfs")


def judged(
    cell: Cell, log: Log | None = None, rules: Rules = RULES, axes: str = "direction"
) -> tuple[Verdict, list[str]]:
    said: list[str] = []
    return Contest(cell, rules, log or Log(), said.append).judge({axes}), said


def change(
    cell: Cell, monkeypatch: pytest.MonkeyPatch, how: Callable[[dict[str, Any], Record], Record]
) -> list[tuple[str, int, bool]]:
    """Replace records by ``how``'s; return the runs: direction, number, and True if checked."""
    run, asked = cell.run, []

    def changed(options: Any, run_options: Any, protocol: Any) -> Record:
        asked.append((options["direction"], protocol.runs, protocol.check != "none"))
        return how(dict(options), run(options, run_options, protocol))

    monkeypatch.setattr(cell, "run", changed)
    return asked


def test_the_best_run_again_beside_the_default(bfs: Cell) -> None:
    found, said = judged(bfs)
    assert (found.wrong, said) == (0, [])
    assert len(found.others) == 2
    assert {label.split("=")[0] for _, label in found.others} == {"direction"}
    assert [ms for ms, _ in found.others] == sorted(ms for ms, _ in found.others)
    assert found.ratio >= 1


def test_turns_are_taken(bfs: Cell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five runs of each come in four turns of two, the default first in each, checked in the first."""
    asked = change(bfs, monkeypatch, lambda options, record: record)
    judged(bfs, rules=replace(RULES, best=1))
    scan, turns = asked[:-8], asked[-8:]
    assert all((runs, validate) == (1, False) for _, runs, validate in scan)
    assert turns[0] == ("auto", 2, True)
    assert turns[2:] == [(direction, runs, False) for direction, runs, _ in turns[:2]] * 3


def test_a_wrong_answer_counts(bfs: Cell, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(options: dict[str, Any], record: Record) -> Record:
        if options["direction"] == "pull" and record.validation["verdict"] == "pass":
            return replace(record, validation={"verdict": "fail", "message": "vertex 3: 7, expected 2"})
        return record

    change(bfs, monkeypatch, wrong)
    found, said = judged(bfs, rules=replace(RULES, best=3))
    assert found.wrong == 1
    assert "direction=pull" not in [label.split()[0] for _, label in found.others]
    assert said == ["bfs small direction=pull: vertex 3: 7, expected 2"]


def test_what_is_far_behind_is_given_up(bfs: Cell, monkeypatch: pytest.MonkeyPatch) -> None:
    run, enough = bfs.run, []

    def slow(options: Any, run_options: Any, protocol: Any) -> Record:
        enough.append(protocol.enough_ms)
        record = run(options, run_options, protocol)
        return replace(record, runs_ms=[7.0] if options["direction"] == "push" else [2.0, 1.5, 1.0])

    monkeypatch.setattr(bfs, "run", slow)
    found, _ = judged(bfs, rules=replace(RULES, best=3, scan_runs=3, cutoff=3))
    assert enough[:2] == [math.inf, 4.5], "three medians of the default's"
    assert not any("direction=push" in label.split() for _, label in found.others)
    assert found.others


def test_a_layout_counts() -> None:
    record = Record("pagerank", "gunrock", "ok", runs_ms=[1.0, 2.0], metrics={"renumber_ms": 0.5})
    assert contest.times(record) == [1.5, 2.5]


def test_modes_of_what_took_too_long_are_not_tried(bfs: Cell, monkeypatch: pytest.MonkeyPatch) -> None:
    run, asked = bfs.run, []

    def over(options: Any, run_options: Any, protocol: Any) -> Record:
        asked.append((options["direction"], run_options["advance_mode"]))
        if options["direction"] == "push":
            raise OverLimit("took longer than 1 s")
        return run(options, run_options, protocol)

    monkeypatch.setattr(bfs, "run", over)
    found, said = judged(bfs, axes="advance_mode")
    assert [mode for direction, mode in asked if direction == "push"] == ["AUTO"]
    assert (found.others, found.wrong, said) == ([], 0, [])


def test_a_kernel_that_does_not_end_ends_the_contest(
    bfs: Cell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The next process continues with the next setting."""
    run, stuck = bfs.run, False

    def over(options: Any, run_options: Any, protocol: Any) -> Record:
        nonlocal stuck
        if options["direction"] == "pull":
            stuck = True
            raise OverLimit("took longer than 1 s")
        return run(options, run_options, protocol)

    monkeypatch.setattr(bfs, "run", over)
    monkeypatch.setattr(contest, "is_left_running", lambda: stuck)
    with pytest.raises(StillRunning, match=r"direction=pull: took longer than 1 s, and does not end"):
        judged(bfs, Log(tmp_path / "log"))
    stuck = False
    found, _ = judged(bfs, Log(tmp_path / "log"))
    assert not stuck
    assert found.others
    assert found.wrong == len(found.faults) == 1
    assert found.faults[0].startswith("direction=pull")
    assert "took longer than 1 s" in found.faults[0]
    assert not any("direction=pull" in label.split() for _, label in found.others)


def test_what_ended_the_process_is_not_run_again(
    bfs: Cell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(options: dict[str, Any], record: Record) -> Record:
        if options["direction"] == "pull":
            raise RuntimeError("an illegal access")
        return record

    asked = change(bfs, monkeypatch, broken)
    with pytest.raises(RuntimeError):
        judged(bfs, Log(tmp_path / "log"))
    count = len(asked)
    found, _ = judged(bfs, Log(tmp_path / "log"))
    assert ("pull", 1, False) not in asked[count:]
    assert ("auto", 1, False) not in asked[count:], "the default was scanned before"
    assert found.others
    assert [fault.split()[0] for fault in found.faults] == ["direction=pull"]


@pytest.mark.parametrize("error", [RuntimeError("an illegal access"), OverLimit("took longer than 1 s")])
def test_who_breaks_off_in_its_turn_is_out(
    bfs: Cell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: BaseException
) -> None:
    run, stuck = bfs.run, False

    def broken(options: Any, run_options: Any, protocol: Any) -> Record:
        nonlocal stuck
        if options["direction"] == "pull" and protocol.check != "none":
            stuck = isinstance(error, OverLimit)
            raise error
        return run(options, run_options, protocol)

    monkeypatch.setattr(bfs, "run", broken)
    monkeypatch.setattr(contest, "is_left_running", lambda: stuck)
    rules = replace(RULES, best=9)
    with pytest.raises((RuntimeError, StillRunning)):
        judged(bfs, Log(tmp_path / "log"), rules)
    stuck = False
    found, _ = judged(bfs, Log(tmp_path / "log"), rules)
    assert [fault.split()[0] for fault in found.faults] == ["direction=pull"]
    assert found.others


def test_a_default_that_fails_is_a_verdict(
    bfs: Cell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def wrong(options: dict[str, Any], record: Record) -> Record:
        if options["direction"] == "auto" and record.validation["verdict"] == "pass":
            return replace(record, validation={"verdict": "fail", "message": "vertex 3: 7, expected 2"})
        return record

    change(bfs, monkeypatch, wrong)
    with pytest.raises(GunrockError, match="the default: vertex 3: 7, expected 2"):
        judged(bfs, Log(tmp_path / "log"))
    log = Log(tmp_path / "log")
    assert log.failures == {"bfs small": "the default: vertex 3: 7, expected 2"}
    assert not log.verdicts


def test_a_cell_goes_on_where_its_time_was_over(
    bfs: Cell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each of several sittings scans something, and none scans a setting again."""
    asked = change(bfs, monkeypatch, lambda options, record: record)
    count = len(settings(ablation_of(bfs), {"direction"}))
    for sitting in range(count):
        with pytest.raises(OutOfTime, match=f"bfs small: {sitting} of {count} settings in time"):
            Contest(bfs, RULES, Log(tmp_path / "log"), pytest.fail, deadline=0).judge({"direction"})
    assert len(asked) == count
    found = Contest(bfs, RULES, Log(tmp_path / "log"), pytest.fail, deadline=0).judge({"direction"})
    assert len(asked) == count + 1 + contest.ROUNDS * (1 + len(found.others))


def test_a_setting_that_somebody_broke_off_is_not_blamed(
    bfs: Cell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with monkeypatch.context() as patch:

        def stop(options: dict[str, Any], record: Record) -> Record:
            raise KeyboardInterrupt

        change(bfs, patch, stop)
        with pytest.raises(KeyboardInterrupt):
            judged(bfs, Log(tmp_path / "log"))
    found, _ = judged(bfs, Log(tmp_path / "log"))
    assert (found.wrong, found.faults) == (0, [])


def test_verdicts_are_a_line_each_and_a_torn_line_is_none(bfs: Cell, tmp_path: Path) -> None:
    found, _ = judged(bfs, Log(tmp_path / "new" / "log.jsonl"))
    path = tmp_path / "new" / "log.jsonl"
    assert len(path.read_text().splitlines()) == 1
    assert json.loads(path.read_text())["verdict"]["ratio"] == found.ratio
    with path.open("a") as file:
        file.write('{"cell": "bfs la')
    assert Log(path).verdicts == {"bfs small": found}


def test_verdicts_are_kept(bfs: Cell, tmp_path: Path) -> None:
    found, _ = judged(bfs, Log(tmp_path / "log"))
    assert Log(tmp_path / "log").verdicts == {"bfs small": found}


def test_settings_are_other_ways_to_the_same_answer() -> None:
    """Each occurs once, none is the default, and AUTO comes before the other modes."""
    cell = cell_of("pagerank")
    found = [resolved for _, resolved in settings(ablation_of(cell), set())]
    default = ablation_of(cell).resolve(ablation_of(cell).base)
    assert default not in found
    assert all(found.count(resolved) == 1 for resolved in found)
    assert {resolved["precision"] for resolved in found} == {default["precision"]}
    modes = [resolved["advance_mode"] == "AUTO" for resolved in found]
    assert modes == sorted(modes, reverse=True)
    assert {True, False} <= set(modes)


def test_given_options_hold() -> None:
    cell = cell_of("bfs", direction="push")
    assert {resolved["direction"] for _, resolved in settings(ablation_of(cell), {"advance_mode"})} == {
        "push"
    }


def test_the_code_of_all_settings_is_named(bfs: Cell) -> None:
    """A setting that changes the code has another kernel; one more kernel proves the answer."""
    jobs = list(code_of(bfs, {"strategy"}, HOST))
    assert len({job.unit_and_arch for job in jobs}) > 2
    assert "certificates" in {job.unit.path.parent.name for job in jobs}


def test_the_ratio_is_over_the_best() -> None:
    assert Verdict(3.0, [(2.0, "a"), (4.0, "b")], 0).ratio == 1.5
    assert Verdict(3.0, [(4.0, "b")], 0).ratio == 1.0
