"""Claims in the text of the 2012 paper, judged by made-up records."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from records_helper import failed_record, make_record
from sample_records import GRID

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.registry import build
from gunrock_cli.report.tables._merrill_claims import CLAIMS

ROOT = Path(__file__).resolve().parents[2]
CULL = {"idempotence": True, "cull": "bitmask,warp-hash,history"}


def searched(strategy: str, ms: float, graph: str = "few", deep: float = 6.0, **fields: Any) -> Record:
    """A search from ten sources, with distances alone by default."""
    options = {"strategy": strategy, "direction": "push", "mark_pred": False, **fields.pop("options", {})}
    return make_record(
        "bfs",
        graph,
        runs=(ms,),
        mteps=1000 / ms,
        sources=list(range(10)),
        metrics={"mean_depth": deep},
        options=options,
        id=f"{graph}-{strategy}-{ms}",
        **{"backend": "cuda", **fields},
    )


def alone(
    kernel: str, strategy: str, ms: float, graph: str = "few", missed: float | None = None
) -> Record:
    """A microbenchmark over the same frontiers."""
    metrics = {"mean_depth": 6.0} | ({} if missed is None else {"false_negative_share": missed})
    return make_record(
        f"microbench-{kernel}",
        graph,
        runs=(ms,),
        mteps=1000 / ms,
        metrics=metrics,
        sources=list(range(10)),
        backend="cuda",
        id=f"{graph}-{kernel}-{strategy}-{ms}",
        options={"strategy": strategy, "advance_mode": "TWC"},
    )


def table(records: list[Record]) -> Table:
    return build(ReportData(records), ["merrill12-claims"]).tables[0]


def claimed(part: str, records: list[Record]) -> list[tuple[str, str, str]]:
    """For the claim with these words: each system's measurement, its evidence, and the verdict."""
    found = table(records)
    rows = [row for row in found.rows if part in row[0]]
    assert len({row[0] for row in rows}) == 1
    return [
        (
            found.cell(row, ("", "Measured")).text,
            found.cell(row, ("", "From")).text,
            found.cell(row, ("", "Verdict")).text,
        )
        for row in rows
    ]


def test_factors_of_strategies_are_of_the_graphs_that_a_claim_is_about() -> None:
    records = [
        searched("contract-expand", 2.0),
        searched("two-phase", 1.0),
        searched("contract-expand", 3.0, "many", 7500.0),
        searched("two-phase", 4.5, "many", 7500.0),
    ]
    assert claimed("Two-phase is faster", records) == [("2x", "1 graph, few", "holds")]
    assert claimed("Contract-expand is faster", records) == [("1.5x", "1 graph, many", "holds")]
    records[1].sources = [99, *range(9)]  # no longer the same sources
    assert claimed("Two-phase is faster", records) == [("", "—", "not measured")]


@pytest.mark.parametrize(
    ("ratios", "text", "judged"),
    [
        ((4.0, 1.5), "1.5x at least", "holds"),
        ((0.8, 2.0), "0.8x at least", "in part"),
        ((0.8, 0.5), "0.5x at least", "does not hold"),
    ],
)
def test_what_is_claimed_of_every_graph(ratios: tuple[float, float], text: str, judged: str) -> None:
    records = [
        record
        for graph, ratio in zip("gh", ratios, strict=True)
        for record in (searched("hybrid", 2.0, graph), searched("expand-contract", 2.0 * ratio, graph))
    ]
    ((measured, _, found),) = claimed("Hybrid is as fast as expand-contract", records)
    assert (measured, found) == (text, judged)


def test_quadratic_work_is_set_beside_hybrid_by_harmonic_means() -> None:
    records = [
        record
        for graph, ratio in (("g", 2.0), ("h", 6.0))
        for record in (searched("hybrid", 1.0, graph), searched("quadratic", ratio, graph))
    ]
    assert claimed("Quadratic", records) == [("3x", "2 graphs, 2x on g to 6x on h", "in part")]


def test_false_negatives_are_compared_where_there_are_some() -> None:
    records = [
        alone("lookup", "bitmask", 1.0, missed=0.08),
        alone("lookup", "bitmask+label", 1.0, missed=0.02),
        alone("lookup", "bitmask", 1.0, "none", missed=0.0),
        alone("lookup", "bitmask+label", 1.0, "none", missed=0.0),
    ]
    assert claimed("Labels take false negatives", records) == [("4x", "1 graph, few", "holds")]


def test_kernels_apart_are_added_up_and_set_beside_the_fused_one() -> None:
    records = [
        alone("gather", "TWC", 1.0),
        alone("lookup", "bitmask+label", 2.0),
        alone("fused", "bitmask+label", 6.0),
        alone("gather", "TWC", 1.0, "other"),
        alone("lookup", "bitmask+label", 2.0, "other"),
        alone("fused", "bitmask+label", 1.5, "other"),
    ]
    assert claimed("apart are faster than fused", records[:3]) == [("on 1 of 1", "1 graph, few", "holds")]
    (found,) = claimed("apart are faster than fused", records)
    assert found == ("on 1 of 2", "2 graphs, 0.5x on other to 2x on few", "in part")


@pytest.mark.parametrize(
    ("factor", "judged"), [(4.0, "holds"), (2.0, "in part"), (1.01, "does not hold")]
)
def test_redundant_expansion_without_culling(factor: float, judged: str) -> None:
    record = searched(
        "fused",
        1.0,
        "grid2d-5000x5000",
        7500.0,
        counts={"redundant_expansion": factor},
        frontiers=[{"level": 0}],
        options={"idempotence": True, "cull": "none"},
    )
    record.graph["origin"] = GRID
    ((measured, _, found),) = claimed("queues of grid5pt.5000", [record])
    assert (measured, found) == (f"{factor:g}x", judged)


def test_memory_that_ran_out_without_culling_is_what_was_claimed() -> None:
    record = failed_record(
        "OOM",
        "no room",
        "bfs",
        "kron_g500-logn20",
        id="oom",
        backend="cuda",
        options={"idempotence": True, "cull": "none"},
    )
    record.graph["origin"] = {
        "kind": "rmat",
        "scale": 20,
        "edge_factor": 48,
        "edges": 48 << 20,
        "undirected": True,
        "a": 0.57,
        "b": 0.19,
        "c": 0.19,
    }
    ((measured, _, found),) = claimed("exhausts the memory", [record])
    assert (measured, found) == ("OOM", "holds")


def test_the_paper_s_culling_is_judged_by_its_worst_graph() -> None:
    records = [
        searched("expand-contract", 1.0, graph, options=CULL, counts={"redundant_expansion": factor})
        for graph, factor in (("g", 1.0), ("h", 1.2))
    ]
    assert [found[2] for found in claimed("redundant expansion is below", records)] == ["does not hold"]
    assert [found[2] for found in claimed("redundant expansion is below", records[:1])] == ["holds"]


def test_hybrid_is_set_beside_a_sequential_search_and_beside_itself_with_predecessors() -> None:
    bgl = make_record("bfs", "few", system="bgl", runs=(9.0,), mteps=1000 / 9, id="bgl", sources=[0])
    records = [searched("hybrid", 2.0), searched("hybrid", 2.2, options={"mark_pred": True}), bgl]
    assert claimed("sequential search", records) == [("4.5x at least", "1 graph, few", "holds")]
    ((measured, _, found),) = claimed("Predecessors cost", records)
    assert (measured, found) == ("10% at most", "holds")


def test_claims_of_the_2012_paper_that_were_not_measured_are_said_so() -> None:
    found = table([])
    assert found.missing
    assert {found.cell(row, ("", "Verdict")).text for row in found.rows} == {"not measured"}
    assert len(found.rows) == len(CLAIMS)


def test_where_a_claim_does_not_hold_the_table_says_where_the_reason_stands() -> None:
    def reasons(factor: float) -> list[str]:
        record = searched("expand-contract", 1.0, options=CULL, counts={"redundant_expansion": factor})
        return [note for note in table([record]).notes if "What does not hold" in note]

    assert reasons(1.0) == []
    (told,) = reasons(1.2)
    page, heading = re.findall(r"(docs/[a-z]+\.md), \"(.*?)\"", told)[0]
    assert f"## {heading}\n" in (ROOT / page).read_text()


def test_factors_are_of_the_mean_that_the_paper_used() -> None:
    """Slow graphs weigh most in harmonic means of rates: a geometric mean of the ratios would hold."""
    records = [
        alone("gather", strategy, ms, graph)
        for graph, strategy, ms in (
            ("deep", "SERIAL", 8.0),
            ("deep", "TWC", 10.0),
            ("hubs", "SERIAL", 1.0),
            ("hubs", "TWC", 0.1),
        )
    ]
    (found,) = claimed("Gathering by scan+warp+CTA", records)
    assert found == ("0.8911x", "2 graphs, 0.8x on deep to 10x on hubs", "does not hold")
    figure = build(ReportData(records), ["merrill12-figure5"]).figures[0].points
    cell = figure.cell(("harmonic mean over serial", "gunrock, Test"), ("", "scan+warp+CTA"))
    assert cell.text == "0.8911"


def test_averages_of_false_negatives_are_set_beside_each_other() -> None:
    records = [
        alone("lookup", strategy, 1.0, graph, missed)
        for graph, strategy, missed in (
            ("g", "bitmask", 0.30),
            ("g", "bitmask+label", 0.28),
            ("h", "bitmask", 0.10),
            ("h", "bitmask+label", 0.01),
        )
    ]
    ((measured, _, found),) = claimed("Labels take false negatives", records)
    assert (measured, found) == ("1.379x", "in part")  # 40 over 29


def test_no_run_on_a_cpu_bears_a_claim_out_or_not() -> None:
    for factor in (0.5, 2.0):
        records = [
            searched(strategy, ms, deep=6.0, backend=backend)
            for backend in ("cpu", "cuda")
            for strategy, ms in (("two-phase", 1.0), ("contract-expand", factor))
        ]
        verdicts = [claimed("Two-phase is faster", half)[0] for half in (records[:2], records[2:])]
        assert verdicts[0] == (f"{factor:g}x", "1 graph, few", "none: of a CPU")
        assert verdicts[1][2] == ("holds" if factor > 1 else "does not hold")
        assert not any("What does not hold" in note for note in table(records[:2]).notes)
