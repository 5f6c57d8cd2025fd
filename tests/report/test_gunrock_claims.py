"""Claims of the Gunrock papers about other systems and about size, judged by made-up records."""

from __future__ import annotations

import math
from typing import Any

import pytest
from records_helper import make_record
from sample_records import KRON

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.registry import build

CC = "CC is 5 times slower than hardwired code (PPoPP'16, 6)"
HALF = "BFS has half of Merrill's rate on graphs of large diameter (arXiv 2015, 5.1.1)"
GPU = {"name": "NVIDIA Test GPU"}


def row(records: list[Record], claim: str) -> dict[str, str]:
    """The claim's row, by column."""
    table: Table = build(ReportData(records), ["ppopp16-claims"]).tables[0]
    (found,) = [row for row in table.rows if row[0] == claim]
    return {column[1]: table.cell(found, column).text for column in table.columns}


def on_gpu(primitive: str, graph: str, system: str, ms: float, **fields: Any) -> Record:
    fields = {"backend": "cuda", "device": GPU, "id": f"{primitive} {graph} {system}", **fields}
    return make_record(primitive, graph, system, runs=(ms,), **fields)


@pytest.mark.parametrize(
    ("theirs", "verdict"),
    [(0.2, "holds"), (0.17, "does not hold"), (0.3, "better here"), (9, "better here")],
)
def test_a_shortfall_holds_is_smaller_here_or_larger(theirs: float, verdict: str) -> None:
    records = [on_gpu("cc", "a", "gunrock", 1.0), on_gpu("cc", "a", "ecl-cc", theirs)]
    found = row(records, CC)
    assert (found["Verdict"], found["Published"]) == (verdict, "0.2x")
    # 91.58 / 252.9 on soc, and so on over the six graphs of Table 3
    assert found["In its tables"] == "0.1956x, 6 graphs"


@pytest.mark.parametrize(
    "other",
    [{"backend": "cpu", "device": {"name": "Test CPU"}}, {"device": {"name": "NVIDIA Other GPU"}}],
    ids=["another backend", "another GPU"],
)
def test_only_systems_of_the_same_gpu_are_compared(other: dict[str, Any]) -> None:
    records = [on_gpu("cc", "a", "gunrock", 1.0), on_gpu("cc", "a", "ecl-cc", 0.2, **other)]
    assert row(records, CC)["Verdict"] == "not measured"


def test_systems_that_cannot_be_run_have_printed_figures_alone() -> None:
    found = row([], "CC beats MapGraph (arXiv 2015, 6)")
    assert [found[name] for name in ("Published", "In its tables", "Measured", "Verdict")] == [
        "12.8x",
        "12.81x, 4 graphs",
        "",
        "not measured",
    ]


def searches(strategy: str, runs: list[float], sources: range, depth: float = 500) -> Record:
    options = {"strategy": strategy, "direction": "push", "mark_pred": False}
    fields = {"sources": list(sources), "options": options, "metrics": {"mean_depth": depth}}
    record = on_gpu("bfs", "deep", "gunrock", 1.0, **fields)
    record.runs_ms, record.id, record.mteps = runs, strategy, 1000.0
    return record


def test_merrills_rate_is_compared_over_common_sources() -> None:
    ours = searches("fused", [2.0] * 10 + [99.0] * 10, range(20))
    merrills = searches("hybrid", [1.0] * 10, range(10))
    found = row([ours, merrills], HALF)
    assert (found["Measured"], found["Verdict"]) == ("0.5x", "holds")
    few = searches("hybrid", [1.0] * 9, range(9))
    assert row([ours, few], HALF)["Verdict"] == "not measured"
    shallow = searches("hybrid", [1.0] * 10, range(10), depth=6)
    assert row([ours, shallow], HALF)["Verdict"] == "not measured"


@pytest.mark.parametrize(
    ("power", "linear", "beyond"), [(1.0, "holds", "better here"), (1.3, "does not hold", "holds")]
)
def test_time_grows_with_a_power_of_the_edges(power: float, linear: str, beyond: str) -> None:
    records = []
    for scale in range(17, 22):
        for primitive in ("bc", "cc"):
            record = on_gpu(primitive, f"rmat-{scale}", "gunrock", math.pow(48 << scale, power) / 1e6)
            record.graph |= {
                "vertices": 1 << scale,
                "edges": 48 << scale,
                "origin": {**KRON, "scale": scale, "edges": 48 << scale, "generator_version": 1},
            }
            records.append(record)
    said = "over Kronecker graphs (arXiv 2015, Table 3)"
    assert row(records, f"BC scales linearly {said}")["Verdict"] == linear
    found = row(records, f"CC scales worse than linearly {said}")
    assert (found["Measured"], found["Verdict"]) == (f"edges^{power:.2f}", beyond)
    assert found["In its tables"] == "edges^1.15"
    assert row(records[:-2], f"BC scales linearly {said}")["Verdict"] == "not measured"


def test_idempotence_is_judged_in_sssp_too() -> None:
    claim = "Idempotence, here a vertex queued as often as found, speeds up SSSP (arXiv 2015, 4.4.3)"
    records = [
        on_gpu("sssp", "a", "gunrock", ms, id=way, sources=[0], options={"redundancy": way, "delta": 1.0})
        for way, ms in (("queue-id", 2.0), ("none", 3.0))
    ]
    found = row(records, claim)
    assert (found["Measured"], found["Verdict"]) == ("0.6667x", "does not hold")
