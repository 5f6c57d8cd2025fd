"""The tables and figures of the 2012 paper from made-up records, and the claims of the Gunrock papers."""

from __future__ import annotations

import pytest
from records_helper import make_record
from sample_records import GPU, GRID, merrill_records

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence import claims
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.memory_fit import fit_memory
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.registry import build

OURS = "gunrock, Test GPU"
ROW = ("grid5pt.5000", OURS)


def points(name: str, records: list[Record] | None = None) -> Table:
    found = build(ReportData(merrill_records() if records is None else records), [name])
    return found.figures[0].points if found.figures else found.tables[0]


def value(table: Table, row: tuple[str, ...], column: str, group: str = "") -> float | None:
    return table.cell(row, (group, column)).value


def test_gathering_is_shown_with_means_over_the_serial_one() -> None:
    found = points("merrill12-figure5")
    assert value(found, ROW, "serial") == pytest.approx(1 / 400)
    assert found.text(ROW, ("", "scan+warp+CTA")) == "25¶‡≠"
    mean = ("harmonic mean over serial", OURS)
    assert value(found, mean, "scan+warp+CTA") == pytest.approx(10_000)
    assert set(found.cell(mean, ("", "scan+warp+CTA")).records) == {"gather-tm", "gather-twc"}


def test_a_profile_adds_what_went_through_memory() -> None:
    profiled = merrill_records()[1]
    profiled.id, profiled.runs_ms, profiled.time_ms, profiled.mteps = "profiled", [], None, None
    profiled.metrics = {"warp_execution_efficiency": 0.9, "dram_bytes_per_edge": 5.5}
    found = points("merrill12-figure5", [*merrill_records(), profiled])
    assert value(found, ROW, "scan+warp+CTA", "DRAM bytes per edge") == 5.5
    assert value(found, ROW, "scan+warp+CTA") == pytest.approx(25)


def test_a_mean_is_over_graphs_on_which_all_were_measured() -> None:
    records = merrill_records()[:2]
    for strategy, ms in (("TM", 1.0), ("TWC", 0.5)):
        records.append(
            make_record(
                "microbench-gather",
                "g",
                id=f"g-{strategy}",
                mteps=1000 / ms,
                options={"strategy": strategy},
                device=GPU,
                sources=[1],
            )
        )
    records.append(
        make_record(
            "microbench-gather",
            "h",
            id="h",
            mteps=7.0,
            options={"strategy": "TM"},
            device=GPU,
            sources=[1],
        )
    )
    found = points("merrill12-figure5", records)
    mean = found.cell(("harmonic mean over serial", OURS), ("", "scan+warp+CTA"))
    assert mean.note == "over 2 graphs"
    serial, fast = 2 / (400 + 1), 2 / (0.04 + 0.5)
    assert mean.value == pytest.approx(fast / serial)


def test_isolated_kernels_take_the_time_of_both() -> None:
    six, nine = points("merrill12-figure6"), points("merrill12-figure9")
    gather = value(six, ROW, "gathering (scan+warp+CTA)")
    lookup = value(six, ROW, "lookup (bitmask, label)")
    assert (gather, lookup) == (pytest.approx(25), pytest.approx(1 / 300))
    assert value(nine, ROW, "isolated, one after the other") == pytest.approx(1 / 300.04)
    assert value(nine, ROW, "fused") == pytest.approx(1 / 0.03)
    other = merrill_records()
    other[1].sources = [99] * 10
    assert value(points("merrill12-figure9", other), ROW, "isolated, one after the other") is None


def test_false_negatives_are_percents() -> None:
    found = points("merrill12-figure8")
    assert value(found, ROW, "bitmask") == pytest.approx(6.4)
    assert value(found, ROW, "bitmask + label") == pytest.approx(4)


def test_queues_stand_beside_the_logical_frontiers() -> None:
    found = points("merrill12-figure7")
    row = ("grid5pt.5000", OURS, "3")
    assert [
        value(found, row, name)
        for name in ("logical vertices", "vertices queued", "logical edges", "edges queued")
    ] == [8, 27, 32, 108]
    assert value(found, ("grid5pt.5000", OURS, "all"), "redundant expansion") == 2.6


def test_strategies_are_compared_without_what_would_change_them() -> None:
    found = points("merrill12-figure10")
    assert value(found, ("harmonic mean over expand-contract", OURS), "hybrid") == pytest.approx(16_000)
    record = next(each for each in merrill_records() if each.id == "bfs-hybrid")
    for changed in ({"mark_pred": True}, {"direction": "optimized"}, {"advance_mode": "TM"}):
        record.options = {"strategy": "hybrid", "direction": "push", **changed}
        assert points("merrill12-figure10", [record]).rows == {}


def test_frontier_plots_show_edges_without_duplicates() -> None:
    found = points("frontiers")
    (row,) = [row for row in found.rows if row[1] == "2"]
    assert [value(found, row, name) for name in ("vertices", "edges", "distinct ends of edges")] == [
        4,
        16,
        12,
    ]


def test_table_1_has_the_papers_depth_and_ours() -> None:
    found = points("merrill12-table1")
    assert value(found, ("grid5pt.5000",), "mean search depth", "the paper") == 7500
    assert found.text(("grid5pt.5000",), ("here", "mean search depth")) == "4.5¶‡≠"


def test_table_2_has_speedups_over_a_sequential_search_and_other_graphs() -> None:
    def run(graph: str, ms: float, **fields: object) -> Record:
        given = {"sources": list(range(10)), "options": {"direction": "push"}, **fields}
        return make_record("bfs", graph, runs=(ms,), mteps=1000 / ms, id=f"{graph}-{ms}", **given)  # type: ignore[arg-type]

    records = [
        run("small", 2.0),
        run("small", 30.0, system="scipy", sources=[1]),
        run("small", 20.0, system="bgl", sources=[1]),
    ]
    found = points("merrill12-table2", records)
    assert value(found, ("small",), "gunrock, Test, distances") == 0.5
    assert value(found, ("small",), "Boost, Test, sequential") == 0.05
    speedup = found.cell(("small",), ("", "gunrock, Test, distances, sequential speedup"))
    assert speedup.value == pytest.approx(10)  # bgl takes precedence
    assert ("", "SciPy, Test, sequential") not in found.columns
    records.append(run("alone", 9.0, system="bgl", sources=[1]))
    assert ("alone",) not in points("merrill12-table2", records).rows  # nothing to compare it with
    records[-1].graph = make_record("bfs", "cage15").graph
    assert value(points("merrill12-table2", records), ("cage15",), "Boost, Test, sequential")
    assert value(found, ("europe.osm",), "Merrill GPU distance BFS, sequential speedup") == 11


def test_a_later_run_from_one_source_leaves_the_means_where_they_are() -> None:
    """The sequential peer is measured with such a run."""

    def run(ms: float, sources: list[int], time: str) -> Record:
        return make_record(
            "bfs",
            "small",
            runs=(ms,),
            mteps=1000 / ms,
            id=f"{ms}",
            sources=sources,
            options={"direction": "push"},
            time=time,
        )

    found = points(
        "merrill12-table2",
        [
            run(2.0, list(range(10)), "2026-01-01T00:00:00+00:00"),
            run(1.0, [1], "2026-01-02T00:00:00+00:00"),
        ],
    )
    assert value(found, ("small",), "gunrock, Test, distances") == 0.5


def bfs(graph: str, ms: float, longest: int = 99, **options: object) -> Record:
    record = make_record("bfs", graph, runs=(ms,), options=options, id=f"{graph}-{ms}", backend="cuda")
    record.graph["max_degree"] = longest
    return record


@pytest.mark.parametrize(
    ("idempotent_ms", "text", "verdict"),
    [
        (2.0, "5x", "holds"),
        (4.0, "2.5x", "holds"),
        (8.0, "1.25x", "in part"),
        (20.0, "0.5x", "does not hold"),
    ],
)
def test_a_claim_of_a_factor(idempotent_ms: float, text: str, verdict: str) -> None:
    found = points(
        "ppopp16-claims", [bfs("g", 10.0, idempotence=False), bfs("g", idempotent_ms, idempotence=True)]
    )
    row = (claims.FACTORS[0].claim, "gunrock, Test")
    assert found.cell(row, ("", "Published")).text == "2.7x"
    assert found.cell(row, ("", "Measured")).text == text
    assert found.cell(row, ("", "Verdict")).text == verdict


@pytest.mark.parametrize("idempotent_ms", [2.0, 20.0])
def test_a_claim_about_gpus_is_not_judged_by_a_cpu(idempotent_ms: float) -> None:
    records = [bfs("g", 10.0, idempotence=False), bfs("g", idempotent_ms, idempotence=True)]
    for record in records:
        record.backend = "cpu"
    found = points("ppopp16-claims", records)
    row = (claims.FACTORS[0].claim, "gunrock, Test")
    assert found.cell(row, ("", "Verdict")).text == "none: of a CPU"
    assert not any("What does not hold" in note for note in found.notes)


def test_memory_of_a_part_is_not_that_of_a_graph() -> None:
    whole = [held(name, 10**6, m, 4 * (1.5 * m + 6e6)) for name, m in (("a", 10**7), ("b", 10**8))]
    part = held("a", 10**6, 10**7, 1e6)
    part.options = {"devices": "2"}
    part.device = {**part.device, "devices": [{"number": 0}, {"number": 1}]}
    found = points("ppopp16-claims", [*whole, part])
    (row,) = [row for row in found.rows if row[0].startswith("BFS: Memory")]
    assert found.cell(row, ("", "Measured")).text == "alpha 1.5, beta 6"


def test_claims_know_which_graphs_they_are_about() -> None:
    runs = [
        ("hubs", 10.0, 99, "push"),
        ("hubs", 5.0, 99, "optimized"),
        ("mesh", 8.0, 12, "push"),
        ("mesh", 7.9, 12, "optimized"),
    ]
    records = [bfs(graph, ms, longest, direction=way, alpha=1) for graph, ms, longest, way in runs]
    found = points("ppopp16-claims", records)
    measured = {
        row[0]: found.cell(row, ("", "Measured")).value
        for row in found.rows
        if row[0].startswith("Switching")
    }
    assert list(measured.values()) == [pytest.approx(2), pytest.approx(2), pytest.approx(8 / 7.9)]


def test_atomics_are_set_beside_loads_on_the_same_frontiers() -> None:
    records = [
        make_record(
            "microbench-atomics",
            graph,
            runs=(ms,),
            options={"strategy": strategy},
            id=f"{graph}-{strategy}",
            backend="cuda",
            mteps=1000 / ms,
        )
        for graph, strategy, ms in (
            ("g", "load", 2.0),
            ("g", "cas", 3.0),
            ("h", "load", 1.0),
            ("h", "cas", 6.0),
            ("k", "cas", 1.0),
        )
    ]
    found = points("ppopp16-claims", records)
    row = (claims.ATOMICS[0].claim, "gunrock, Test")
    assert found.cell(row, ("", "Measured")).value == pytest.approx(9 / 3)  # harmonic means of rates
    assert found.cell(row, ("", "From")).text == "2 graphs, 1.5x on g to 6x on h"
    records[0].sources = [5]  # other frontiers than those of g-cas
    found = points("ppopp16-claims", records)
    assert found.cell(row, ("", "From")).text == "1 graph, h"


def test_what_was_not_measured_is_said_so() -> None:
    found = points("ppopp16-claims", [])
    verdicts = {found.cell(row, ("", "Verdict")).text for row in found.rows if row[1] == ""}
    assert verdicts == {"not measured"}
    assert found.missing
    assert sum(row[1] == "this code" for row in found.rows) == 2  # lines of code of this version


def held(graph: str, n: int, m: int, peak: float) -> Record:
    record = make_record("bfs", graph, peak_device_bytes=int(peak), id=graph, backend="cuda")
    record.graph |= {"vertices": n, "edges": m}
    return record


def test_memory_is_fitted_by_edges_and_vertices() -> None:
    sizes = {"a": (10**6, 10**7), "b": (10**6, 10**8), "c": (3 * 10**6, 9 * 10**6)}
    records = [held(name, n, m, 4 * (1.5 * m + 6 * n)) for name, (n, m) in sizes.items()]
    fit = fit_memory(records)
    assert fit is not None
    assert (fit.alpha, fit.beta, fit.error) == (pytest.approx(1.5), pytest.approx(6), pytest.approx(0))
    found = points("ppopp16-claims", records)
    (row,) = [row for row in found.rows if row[0].startswith("BFS: Memory")]
    assert found.cell(row, ("", "Verdict")).text == "holds"


def test_memory_of_a_microbenchmark_is_no_claim_of_the_papers() -> None:
    """Its memory includes the frontiers that it replays."""
    records = [held(name, 10**6, m, 4 * (1.5 * m + 6e6)) for name, m in (("a", 10**7), ("b", 10**8))]
    for record in records:
        record.primitive = "microbench-gather"
    found = points("ppopp16-claims", records)
    assert [row for row in found.rows if "Memory is" in row[0]] == [(claims.MEMORY, "")]


@pytest.mark.parametrize(
    ("fit", "verdict"),
    [
        (claims.Fit(3.4, 8.4, 0.1), "holds"),
        (claims.Fit(3.6, 2.0, 0.1), "in part"),
        (claims.Fit(4.0, 9.0, 0.1), "does not hold"),
        (claims.Fit(1.0, 2.0, 0.3), "not of this form"),
    ],
)
def test_a_fit_is_judged_by_the_papers_coefficients(fit: claims.Fit, verdict: str) -> None:
    assert claims.fits(fit) == verdict


def test_too_few_or_equal_graphs_have_no_fit() -> None:
    one = held("a", 10**6, 10**7, 1e9)
    assert fit_memory([one]) is None
    assert fit_memory([one, held("b", 2 * 10**6, 2 * 10**7, 2e9)]) is None
    assert fit_memory([one, held("small", 10, 20, 1e6)]) is None


def test_no_coefficient_is_negative() -> None:
    records = [held("a", 10**6, 10**8, 4e8), held("b", 10**7, 10**8, 3e8)]
    fit = fit_memory(records)
    assert fit is not None
    assert (fit.beta, fit.alpha > 0) == (0, True)


def test_ceilings_of_a_device_are_a_table() -> None:
    ceilings = {"memory_read": 4e12, "gathers": {str(1 << 20): 5e10}, "cache_bytes": 1 << 20}
    found = points("ceilings", [make_record(ceilings=ceilings)])
    assert [found.cell(row, ("", "Test")).text for row in found.rows] == [
        "4000 GB/s",
        "50 billion/s",
        "1 MiB",
    ]
    assert points("ceilings", []).missing


def test_data_sets_of_the_first_version() -> None:
    record = make_record(graph="roadNet-CA", id="road")
    found = points("arxiv15-table1", [record])
    assert found.cell(("roadNet-CA",), ("the paper", "Diameter")).text == "849"
    assert value(found, ("roadNet-CA",), "Vertices", "here") == 1_971_281


def test_the_sample_grid_is_the_papers() -> None:
    assert all(record.graph["origin"] == GRID for record in merrill_records())
