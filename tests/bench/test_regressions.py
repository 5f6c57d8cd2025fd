"""Comparing two sets of records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from records_helper import failed_record, make_record

from gunrock_cli.bench.records.file import read_file
from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.regressions import Comparison, compare, judge
from gunrock_cli.bench.records.statistics import Ratio

RECORDED = Path(__file__).resolve().parents[2] / "benchmarks" / "compare_gate.jsonl"
STEADY = (1.0, 1.01, 0.99, 1.0, 1.005)


def scaled(factor: float) -> list[float]:
    return [run * factor for run in STEADY]


@pytest.mark.parametrize(("factor", "verdict"), [
    (1.0, "same"), (1.02, "same"), (1.2, "slower"), (0.7, "faster"),
])  # fmt: skip
def test_verdicts_of_steady_runs(factor: float, verdict: str) -> None:
    cells = compare([make_record(runs=STEADY)], [make_record(runs=scaled(factor))])
    assert [cell.verdict for cell in cells] == [verdict]
    assert cells[0].ratio is not None
    assert cells[0].ratio.value == pytest.approx(factor)


def test_noise_is_ambiguous_and_no_regression() -> None:
    cell = compare([make_record(runs=(1, 2, 0.5))], [make_record(runs=(2, 0.7, 1.5))])[0]
    assert cell.verdict == "ambiguous"
    assert not cell.regression


def test_limit_moves_the_verdict() -> None:
    old, new = [make_record(runs=STEADY)], [make_record(runs=scaled(1.2))]
    assert compare(old, new, limit=0.3)[0].verdict == "same"
    assert compare(old, new, limit=0.1)[0].regression


@pytest.mark.parametrize(("old", "new", "verdict", "regression"), [
    (make_record(), failed_record("OOM", "x"), "broken", True),
    (make_record(), failed_record("wrong", "x"), "broken", True),
    (failed_record("OOM", "x"), make_record(), "fixed", False),
    (failed_record("OOM", "x"), failed_record("error", "x"), "failed", False),
])  # fmt: skip
def test_failures(old: Any, new: Any, verdict: str, regression: bool) -> None:
    cell = compare([old], [new])[0]
    assert (cell.verdict, cell.regression, cell.ratio) == (verdict, regression, None)


def test_cells_of_one_side_only() -> None:
    cells = compare([make_record(graph="a")], [make_record(graph="b")])
    assert [(cell.graph, cell.verdict, cell.regression) for cell in cells] == [
        ("a", "missing", True),
        ("b", "new", False),
    ]


def test_devices_and_options_are_never_mixed() -> None:
    old = [make_record(options={"x": 1}), make_record(device={"name": "A"})]
    new = [make_record(options={"x": 2}), make_record(device={"name": "B"})]
    assert {cell.verdict for cell in compare(old, new)} == {"missing", "new"}
    assert len(compare(old[:1], new[:1], ignore=["x"])) == 1


def test_the_number_of_runs_makes_no_other_cell() -> None:
    old = [make_record(options={"runs": 3, "warmup": 1})]
    new = [make_record(options={"runs": 9, "warmup": 2})]
    assert [cell.verdict for cell in compare(old, new)] == ["same"]


def test_the_newest_record_of_a_cell_counts() -> None:
    slow = make_record(runs=scaled(3), time="2026-01-01T00:00:00Z")
    quick = make_record(runs=STEADY, time="2026-01-03T00:00:00Z")
    cells = compare([make_record(runs=STEADY)], [quick, slow])
    assert [cell.verdict for cell in cells] == ["same"]


def test_judge_needs_both_size_and_certainty() -> None:
    assert judge(Ratio(1.10, 0.95, 1.2), 0.05) == "ambiguous"
    assert judge(Ratio(1.10, 1.05, 1.2), 0.05) == "slower"
    assert judge(Ratio(1.02, 1.01, 1.03), 0.05) == "same"
    assert judge(Ratio(0.90, 0.85, 0.94), 0.05) == "faster"


def processes(pairs: int, between: float, within: float, slower: float = 1.0) -> list[Comparison]:
    """Pairs of recordings, 10 runs each, whose processes differ by ``between`` and their runs by
    ``within`` (standard deviations, relative); the new side's build is ``slower``."""
    random = np.random.default_rng(7)
    found = []
    for _ in range(pairs):
        old, new = (random.normal(random.lognormal(0, between), within, 10).clip(0.1) for _ in range(2))
        found += compare([make_record(runs=old.tolist())], [make_record(runs=(slower * new).tolist())])
    return found


@pytest.mark.parametrize(("between", "within"), [
    (0.01, 0.001),  # an idle GPU: runs agree better than processes do
    (0.03, 0.03), (0.1, 0.1), (0.3, 0.3),  # busy machines: processes differ as runs do
])  # fmt: skip
def test_one_build_recorded_twice_seldom_fails_the_gate(between: float, within: float) -> None:
    cells = processes(400, between, within)
    assert sum(cell.regression for cell in cells) <= 400 / 20


@pytest.mark.parametrize("cells", [3, 30])
@pytest.mark.parametrize("spread", [0.03, 0.1])
def test_a_gate_of_many_cells_fails_no_more_often(cells: int, spread: float) -> None:
    """One build is recorded twice, 10 runs per cell: at most once in 20 tries is any of its cells
    slower."""
    random = np.random.default_rng(11)

    def recording() -> list[Record]:
        means = random.lognormal(0, spread, (cells, 1))
        runs = random.normal(means, spread, (cells, 10)).clip(0.1)
        return [make_record(graph=str(cell), runs=row.tolist()) for cell, row in enumerate(runs)]

    tries = 300 // cells
    failed = sum(any(cell.regression for cell in compare(recording(), recording())) for _ in range(tries))
    assert failed <= tries / 20


def test_the_recorded_gates_of_one_build_do_not_fail() -> None:
    """Use the pairs of recordings that docs/tables.md describes."""
    gates: dict[int, dict[str, list[Record]]] = {}
    for record in read_file(RECORDED).records:
        gate = gates.setdefault(record.sweep["pair"], {"old": [], "new": []})
        gate[record.sweep["side"]].append(record)
    assert len(gates) == 20
    assert (
        sum(any(cell.regression for cell in compare(gate["old"], gate["new"])) for gate in gates.values())
        <= 1
    )


def test_runs_of_a_process_are_no_independent_draws() -> None:
    """The bootstrap over runs alone would call these certain: each process is steady, but they differ."""
    cells = processes(400, between=0.04, within=0.04)
    assert all(cell.ratio is not None for cell in cells)
    alone = [
        np.mean(cell.new.runs_ms) / np.mean(cell.old.runs_ms)
        for cell in cells  # type: ignore[union-attr]
        if cell.verdict == "ambiguous"
    ]
    assert max(alone) > 1.1


@pytest.mark.parametrize("slower", [1.15, 1.3, 2.0])
def test_what_is_slower_is_found_where_runs_are_steady(slower: float) -> None:
    cells = processes(100, between=0.005, within=0.01, slower=slower)
    assert sum(cell.verdict == "slower" for cell in cells) >= 98


@pytest.mark.parametrize("runs", [1, 2])
def test_fewer_than_three_runs_are_ambiguous_and_said_so(runs: int) -> None:
    one, many = [make_record(runs=(1.0,) * runs)], [make_record(runs=(1.06,) * 10)]
    for cell in (*compare(one, many), *compare(many, one), *compare(one, one)):
        assert (cell.verdict, cell.regression) == ("ambiguous", False)
        assert cell.why == "fewer than 3 runs on a side"


def test_time_that_others_had_the_cores_is_no_regression() -> None:
    old = make_record(runs=(7.81, 7.8, 7.75, 7.82, 7.78))
    new = make_record(runs=(27.0, 26.9, 27.4, 31.2, 27.3))
    assert compare([old], [new])[0].verdict == "slower"
    new.core_wait = 0.8
    cell = compare([old], [new])[0]
    assert (cell.verdict, cell.why) == ("ambiguous", "others had the cores for 80% of a side's time")
    assert compare([new], [old])[0].verdict == "ambiguous"


def test_a_little_waiting_hides_no_regression() -> None:
    old, new = make_record(runs=STEADY), make_record(runs=scaled(1.5))
    old.core_wait, new.core_wait = 0.02, 0.03
    assert compare([old], [new])[0].verdict == "slower"


def test_a_side_that_only_waited_has_no_upper_end() -> None:
    old, new = make_record(runs=STEADY), make_record(runs=STEADY)
    old.core_wait = 1.7  # several threads at once
    found = compare([old], [new])[0].to_dict()
    assert (found["verdict"], found["ratio_high"]) == ("ambiguous", None)
