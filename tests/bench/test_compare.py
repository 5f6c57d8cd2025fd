"""Comparing two sets of records."""

from __future__ import annotations

from typing import Any

import pytest
from records_helper import failed_record, make_record

from gunrock_cli.bench.compare import compare, judge
from gunrock_cli.bench.statistics import Ratio

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
        ("a", "missing", True), ("b", "new", False)]


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
