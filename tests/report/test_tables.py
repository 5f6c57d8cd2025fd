"""The papers' tables: the printed figures unchanged, next to the measured ones."""

from __future__ import annotations

import pandas as pd
import pytest
from records_helper import failed_record, make_record
from sample_records import GPU

from gunrock_cli.bench.records.record import Record
from gunrock_cli.primitives import primitive_names
from gunrock_cli.report.evidence.data import ReportData, primitive_label, short_device, with_devices
from gunrock_cli.report.evidence.identity import identify
from gunrock_cli.report.evidence.papers import Papers
from gunrock_cli.report.forms.cells import Cell, Table
from gunrock_cli.report.forms.numbers import count, figure
from gunrock_cli.report.registry import build, report_names
from gunrock_cli.resources import kernels_dir

OURS = "gunrock, Test GPU"
LABELS = {"bfs": "BFS", "sssp": "SSSP", "bc": "BC", "pagerank": "PageRank", "cc": "CC"}
RUNTIME = "Runtime (ms)"


def table(data: ReportData, name: str) -> Table:
    return build(data, [name]).tables[0]


def test_numbers_as_the_papers_print_them() -> None:
    assert [figure(x) for x in (0.01234, 47.234, 721.23, 4503.4, 117089, 0, 8.2)] == [
        "0.01234",
        "47.23",
        "721.2",
        "4503",
        "117089",
        "0",
        "8.2",
    ]
    assert [count(x) for x in (3e6, 212.7e6, 10_240, 7)] == ["3M", "212.7M", "10.2K", "7"]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("NVIDIA H200", "H200"),
        ("Intel(R) Xeon(R) Platinum 8480C @ 2.0GHz", "Xeon Platinum 8480C"),
        ("AMD EPYC 9654 96-Core Processor", "EPYC 9654"),
    ],
)
def test_devices_get_short_names(name: str, short: str) -> None:
    assert short_device(name) == short


def test_table3_holds_every_printed_figure_of_the_paper(data: ReportData) -> None:
    found = table(data, "ppopp16-table3")
    groups = {"runtime": RUNTIME, "throughput": "MTEPS"}
    printed = Papers().table("ppopp16", "table3")
    assert len(printed) == 169
    for (primitive, dataset, system, metric), value in printed.items():
        cell = found.cell((LABELS[primitive], dataset), (groups[metric], system))
        assert cell.origin == "published"
        if pd.isna(value.value):
            assert cell.text == "OOM"
        else:
            assert float(cell.text) == cell.value == value.value


def test_table3_holds_the_authors_rerun_apart_from_the_paper(data: ReportData) -> None:
    found = table(data, "ppopp16-table3")
    printed = Papers().table("rerun16", "table3")
    assert len(printed) == 48
    assert found.text(("SSSP", "rgg"), (RUNTIME, "Gunrock rerun")) == "1777#"
    assert found.text(("SSSP", "rgg"), (RUNTIME, "Gunrock")) == "117089"
    assert found.text(("BC", "kron"), ("MTEPS", "Gunrock rerun")) == "509#"
    assert found.heading((RUNTIME, "Gunrock rerun")) == (RUNTIME, "Gunrock rerun†")
    assert (
        "# rerun of the paper by its authors (K40c, v0.3.1, Nov 2016): SSSP on rgg 66 times faster "
        "than printed."
    ) in found.all_notes
    assert "Gunrock rerun on NVIDIA K40c, Gunrock v0.3.1." in found.caption
    assert [label for group, label in found.columns if group == RUNTIME][:7] == [
        OURS,
        "CuSha",
        "MapGraph",
        "Hardwired GPU",
        "Ligra",
        "Gunrock",
        "Gunrock rerun",
    ]


@pytest.mark.parametrize(("metric", "count"), [("runtime", 30), ("throughput", 18)])
def test_the_rerun_is_of_the_papers_size(metric: str, count: int) -> None:
    """Apart from one known cell, values are in the paper's units, within three times of the printed
    ones."""
    printed, rerun = (Papers().table(source, "table3") for source in ("ppopp16", "rerun16"))
    ratios = {
        key: printed[(*key[:2], "Gunrock", metric)].value / value.value
        for key, value in rerun.items()
        if key[3] == metric and (*key[:2], "Gunrock", metric) in printed
    }
    outside = {key[:2] for key, ratio in ratios.items() if not 1 / 3 < ratio < 3}
    assert len(ratios) == count
    assert outside == {("sssp", "rgg")}


def test_the_papers_own_system_stands_beside_ours_where_it_was_measured(data: ReportData) -> None:
    assert not any("Gunrock 1.2" in label for _, label in table(data, "ppopp16-table3").columns)
    more = [
        make_record("bfs", "soc-orkut", "scipy"),
        make_record("bfs", "soc-orkut", "gunrock-1.2"),
        make_record("bfs", "soc-orkut", device=GPU),
    ]
    columns = table(ReportData(more), "ppopp16-table3").columns
    labels = [label for group, label in columns if group == RUNTIME]
    assert labels[:1] == ["gunrock, Test GPU"]
    assert labels[-2:] == ["Gunrock 1.2 (C++), Test", "SciPy, Test"]


def test_pagerank_of_a_peer_is_of_one_iteration_or_marked(data: ReportData) -> None:
    peers = [
        make_record("pagerank", "soc-orkut", "gunrock-1.2", runs=(8.0,) * 10, iterations=4),
        make_record("pagerank", "roadNet-CA", "gunrock-1.2", runs=(8.0,) * 10, iterations=None),
    ]
    found = table(ReportData(peers), "ppopp16-table3")
    column = (RUNTIME, "Gunrock 1.2 (C++), Test")
    assert found.text(("PageRank", "soc"), column) == "2"
    assert found.text(("PageRank", "roadnet"), column) == "8§"


@pytest.mark.parametrize(("row", "text", "record"), [
    (("BFS", "soc"), "2.1", "bfs-soc"),
    (("BFS", "roadnet"), "1.5", "bfs-road"),  # the plain run of three, not the fastest
    (("BFS", "kron"), "0.4‡", "bfs-kron"),  # generated, and marked so
    (("BFS", "USA-road-NE"), "3", "bfs-ne"),  # not of the paper: a separate row
    (("PageRank", "h09"), "2", "pr-h09"),  # one iteration of twenty
    (("BC", "i04"), "OOM", "bc-i04"),
    (("CC", "roadnet"), "timeout", "cc-road"),
    (("SSSP", "roadnet"), "wrong", "sssp-road"),
])  # fmt: skip
def test_table3_measured_cells(data: ReportData, row: tuple[str, str], text: str, record: str) -> None:
    found = table(data, "ppopp16-table3")
    cell = found.cell(row, (RUNTIME, OURS))
    assert found.text(row, (RUNTIME, OURS)) == text
    assert (cell.origin, cell.records) == ("measured", (record,))


def test_a_whole_run_is_marked_where_iterations_are_unknown(data: ReportData) -> None:
    found = table(data, "ppopp16-table3")
    assert found.text(("PageRank", "h09"), (RUNTIME, "igraph, Test")) == "300§"
    assert any(note.startswith("§") for note in found.all_notes)


def test_origins_are_marked_and_hardware_is_named(data: ReportData) -> None:
    found = table(data, "ppopp16-table3")
    assert found.heading((RUNTIME, "Gunrock"))[1] == "Gunrock†"
    assert found.heading((RUNTIME, OURS))[1] == OURS
    assert "NVIDIA K40c" in found.caption
    assert "NVIDIA Test GPU (driver 999.1)" in found.caption
    assert "Test CPU (2 threads)" in found.caption


def test_mixed_columns_mark_each_cell() -> None:
    found = Table("t", "T", ("Row",))
    found.put(("a",), ("", "x"), Cell("1", 1, "published"))
    found.put(("b",), ("", "x"), Cell("2", 2, "measured", ("r",)))
    assert [found.text((row,), ("", "x")) for row in "ab"] == ["1†", "2"]
    assert found.heading(("", "x"))[1] == "x"


def test_table1_lists_papers_graphs_and_ours(data: ReportData) -> None:
    found = table(data, "ppopp16-table1")
    assert found.text(("paper", "soc-orkut"), ("", "Edges")) == "212.7M†"
    assert found.text(("here", "USA-road-NE"), ("", "Edges")) == "1K"


def test_a_graph_without_its_sizes_is_no_row_of_table1() -> None:
    records = [make_record(), make_record()]
    records[0].graph, records[1].graph = {"name": "g", "vertices": 3}, {"name": "h", "edges": 3}
    found = table(ReportData(records), "ppopp16-table1")
    assert [row for row in found.rows if row[0] == "here"] == []


def test_table2_speedups_are_geometric_means_of_measured_pairs(data: ReportData) -> None:
    found = table(data, "ppopp16-table2")
    cell = found.cell(("BFS",), ("", f"{OURS} over SciPy, Test"))
    assert cell.value == pytest.approx(((210 / 2.1) * (24 / 1.5)) ** 0.5)
    assert set(cell.records) == {"bfs-soc", "scipy-soc", "bfs-road", "scipy-road"}
    assert found.cell(("SSSP",), ("", "BGL")).text == "52.04"


def test_table4_from_profiles(data: ReportData) -> None:
    found = table(data, "ppopp16-table4")
    assert found.text(("BFS", OURS), ("", "roadnet")) == "91.23%"
    assert found.text(("BFS", "Gunrock"), ("", "roadnet")) == "97.01%†"


def test_lanes_that_were_counted_stand_in_table4() -> None:
    def counted(share: float, *flags: str) -> Record:
        command = ["gunrock", "bfs", "g", "--count", *flags]
        return make_record(
            graph="roadNet-CA",
            backend="cuda",
            counts={"active_lane_share": share},
            command=command,
            id=f"{share}",
        )

    found = table(ReportData([counted(0.5, "--direction", "push"), counted(0.25)]), "ppopp16-table4")
    row = ("BFS", "gunrock, Test, lanes with an edge")
    assert found.text(row, ("", "roadnet")) == "25.00%"
    assert any("--count" in note for note in found.notes)


def test_profiles_and_traces_do_not_displace_times(data: ReportData) -> None:
    assert "profile-road" not in {record.id for record in data.current}
    traced = make_record(id="t", trace=[{"iteration": 0}], time="2027-01-01T00:00:00Z")
    plain = make_record(id="p")
    assert [record.id for record in ReportData([plain, traced]).current] == ["p"]


def test_arxiv_tables(data: ReportData) -> None:
    second = table(data, "arxiv15-table2")
    assert second.cell(("PageRank", "soc"), (RUNTIME, "Gunrock")).text == "1927"
    assert second.cell(("PageRank, 1 iteration", "soc"), (RUNTIME, "Gunrock")).text == "175"
    assert second.cell(("BFS", "roadnet"), (RUNTIME, OURS)).records == ("bfs-road",)
    third = table(data, "arxiv15-table3")
    row = ("kron_g500-logn21", OURS)
    assert third.cell(row, (RUNTIME, "BFS")).records == ("bfs-kron",)
    assert third.cell(("kron_g500-logn17", "Gunrock, paper"), ("MTEPS", "BFS")).text == "2180"


def test_merrill_rates_keep_predecessors_apart(data: ReportData) -> None:
    found = table(data, "merrill12-table2")
    cell = found.cell(("grid5pt.5000",), ("", f"{OURS}, predecessors"))
    assert cell.value == pytest.approx(1000 / 9000 / 1000)
    assert found.cell(("grid5pt.5000",), ("", f"{OURS}, distances")).text == "—"


def test_a_cell_that_ended_early_stands_under_its_sweeps_device() -> None:
    sweep = {"name": "night", "cell": "c", "graph": "g"}
    early = failed_record("timeout", "took longer than 9 s", "bc", "g", sweep=sweep)
    early.device, early.backend = {}, ""
    fine = make_record("bfs", "g", device=GPU, backend="cuda", sweep=sweep)
    elsewhere = make_record("bfs", "g", device={"name": "Another"}, backend="cuda", sweep=sweep)
    assert with_devices([early, fine])[0].device == GPU
    assert with_devices([early, fine, elsewhere])[0].device == {}
    assert [system.device for system in ReportData([fine, early]).systems] == [GPU["name"]]


def test_everything_measured_is_in_one_table(data: ReportData) -> None:
    found = table(data, "measured")
    assert set(found.record_ids) == {record.id for record in data.current}


def test_a_newer_record_replaces_an_older_one_of_the_same_settings() -> None:
    old = make_record(graph="g", runs=(1.0,), id="old", time="2026-01-01T00:00:00Z")
    new = make_record(graph="g", runs=(2.0,), id="new", time="2026-01-02T00:00:00Z")
    assert [record.id for record in ReportData([new, old]).current] == ["new"]


@pytest.mark.parametrize(
    ("graph", "dataset"),
    [
        ({"name": "soc-orkut"}, "soc"),
        ({"name": "roadNet-CA.mtx.gz"}, "roadnet"),
        ({"name": "soc-orkut", "origin": {"stand_in": True}}, None),
        ({"name": "kron", "origin": {"kind": "rmat", "scale": 10}}, None),
        ({"name": "USA-road-NE"}, None),
    ],
)
def test_identities(graph: dict[str, object], dataset: str | None) -> None:
    record = make_record()
    record.graph = graph
    found = identify(record, "ppopp16", ["soc", "kron", "roadnet"])
    assert (found.dataset if found else None) == dataset


def test_without_records_the_papers_stand_alone() -> None:
    empty = ReportData([])
    for found in build(empty).tables:
        assert found.missing or found.name in ("lines-of-code", "papers")  # these need no record
        assert not found.record_ids
    assert table(empty, "ppopp16-table3").cell(("BFS", "soc"), (RUNTIME, "Gunrock")).text == "47.23"


def test_reports_are_found_by_their_files() -> None:
    assert report_names() == [
        "ppopp16-table1",
        "ppopp16-table2",
        "ppopp16-table3",
        "ppopp16-table4",
        "ppopp16-claims",
        "arxiv15-table1",
        "beside",
        "arxiv15-table2",
        "arxiv15-table3",
        "merrill12-table1",
        "merrill12-table2",
        "merrill12-claims",
        "classics",
        "ranking",
        "measured",
        "ceilings",
        "lines-of-code",
        "papers",
        "ppopp16-figure7",
        "ppopp16-figure8",
        "scalability",
        "growth",
        "several-devices",
        "multi-gpu-figure11",
        "multi-gpu-figure12",
        "frontiers",
        "roofline",
        *(f"merrill12-figure{number}" for number in range(5, 11)),
    ]


def test_classics_stand_with_time_and_quality_apart_from_the_papers() -> None:
    own = [
        make_record(
            "mst", "g", id="mst-g", metrics={"weight": 17660303, "edges": 99}, over_floor=2.5, device=GPU
        ),
        make_record(
            "mst",
            "g",
            system="igraph",
            runs=(90.0,),
            id="igraph-g",
            device=GPU,
            metrics={"times": "a call", "weight": 17660303, "edges": 99},
        ),
        failed_record("wrong", "an edge differs", "matching", "g", id="matching-g", device=GPU),
        make_record(
            "louvain",
            "g",
            id="louvain-g",
            device=GPU,
            metrics={"modularity": 0.979412345, "communities": 7, "levels": 3},
        ),
    ]
    found = table(ReportData(own), "classics")
    assert "not in the papers' tables" in found.title
    assert not found.has_published
    mst = ("MST", "g", OURS)
    assert found.cell(mst, ("", "Runtime (ms)")).value == 1
    assert found.cell(mst, ("", "Quality")).text == "weight 17660303, edges 99"
    assert found.cell(mst, ("", "Quality")).value == 17660303
    assert found.cell(mst, ("", "time / floor")).value == 2.5
    assert found.cell(("MST", "g", "igraph, Test GPU"), ("", "Quality")).value == 17660303
    assert found.cell(("matching", "g", OURS), ("", "Runtime (ms)")).text == "wrong"
    assert found.cell(("louvain", "g", OURS), ("", "Quality")).text == (
        "modularity 0.97941, communities 7, levels 3"
    )
    assert table(ReportData([]), "classics").missing == "Not measured yet: scripts/classics-test.sh."


def test_lines_of_code_are_counted_in_the_files() -> None:
    found = table(ReportData([]), "lines-of-code")
    assert set(found.rows) == {(primitive_label(name),) for name in (*primitive_names(), "salsa")}
    assert found.cell(("BFS",), ("", "Papers")).marked == "133†"
    text = (kernels_dir() / "primitives" / "mst.cuh").read_text().splitlines()
    own = [line for line in map(str.strip, text) if line and not line.startswith("//")]
    assert found.cell(("MST",), ("", "Kernel")).value == len(own)
    whole = [found.cell(("CC",), ("", name)).value for name in ("Kernel", "of one way, at most")]
    assert whole[0] is not None
    assert whole[1] is not None
    assert whole[0] > whole[1] > 50
    for row in found.rows:
        assert row == ("SALSA",) or found.cell(row, ("", "Python")).value


@pytest.mark.parametrize(("name", "printed"), [("BFS", 133), ("SALSA", 261)])
def test_the_claim_of_lines_counts_the_host_s_half(name: str, printed: int) -> None:
    """The paper counts it too: a short kernel alone does not support the claim."""
    counted = table(ReportData([]), "lines-of-code")
    way, shared, host, both = (
        counted.cell((name,), ("", label)).value or 0
        for label in ("of one way, at most", "shared", "Python", "Both halves")
    )
    assert both == way + shared + host
    found = table(ReportData([]), "ppopp16-claims")
    (row,) = [row for row in found.rows if row[0].startswith(f"{name} takes {printed} lines")]
    assert found.cell(row, ("", "Measured")).value == both
    holds = "holds" if both <= printed else "in part" if both <= 2 * printed else "does not hold"
    assert found.cell(row, ("", "Verdict")).text == holds


def test_any_primitive_has_its_speedups() -> None:
    own = [
        make_record(
            "k-core", "g", system=system, runs=(time,), id=f"{system}-g", backend="cuda", device=GPU
        )
        for system, time in (("gunrock", 2.0), ("igraph", 8.0))
    ]
    found = table(ReportData(own), "ppopp16-table2")
    column = ("", "gunrock, Test GPU over igraph, Test GPU")
    assert found.cell(("k-core",), column).value == pytest.approx(4)
    points = build(ReportData(own), ["ppopp16-figure7"]).figures[0].points
    cell = points.cell(("k-core", "igraph, Test GPU / gunrock, Test GPU"), ("", "g"))
    assert cell.value == pytest.approx(4)


def beside(*records: Record) -> Table:
    return table(ReportData(list(records)), "beside")


def pair_of(
    graph: str, ours: float, theirs: float, system: str = "scipy", **fields: object
) -> list[Record]:
    """One graph run by gunrock and by another system, ten times each."""
    return [
        make_record("bfs", graph, runs=(ours,) * 10, id=f"gunrock-{graph}"),
        make_record("bfs", graph, system, runs=(theirs,) * 10, id=f"{system}-{graph}", **fields),
    ]


def test_beside_others_worst_and_best_stand_by_the_mean() -> None:
    found = beside(*pair_of("a", 1.0, 4.0), *pair_of("b", 2.0, 1.0), *pair_of("c", 1.0, 4.0))
    row = ("BFS", "gunrock, Test", "SciPy, Test")
    assert list(found.rows) == [row]
    assert [found.text(row, column) for column in found.columns] == [
        "2",
        "3",
        "0.5 (b)",
        "4 (a)",
        "b (SciPy, Test: 0.5)",
    ]
    assert set(found.record_ids) == {
        f"{system}-{graph}" for system in ("gunrock", "scipy") for graph in "abc"
    }


def test_beside_others_that_time_their_call_ours_is_timed_so_too() -> None:
    """Older records, which do not say what their clock covers, are included; clocks inside the call are
    not."""
    ours = [
        make_record("bfs", graph, runs=(1.0,) * 10, call_ms=[call] * 10, id=f"gunrock-{graph}")
        for graph, call in (("a", 4.0), ("b", 2.0))
    ]
    theirs = [
        make_record("bfs", "a", "scipy", runs=(8.0,) * 10, call_ms=[8.0] * 10, clock="call"),
        make_record("bfs", "b", "scipy", runs=(1.0,) * 10),
        make_record("bfs", "a", "bgl", runs=(8.0,) * 10),
        make_record("bfs", "a", "gap", runs=(8.0,) * 10, clock="kernel"),
    ]
    found = beside(*ours, *theirs)
    rows = {
        row[2]: [found.text(row, ("Call over call", label)) for label in ("Geometric mean", "Worst")]
        for row in found.rows
    }
    assert rows == {
        "SciPy, Test": ["1", "0.5 (b)"],
        "Boost, Test": ["—", "—"],
        "GAP, Test": ["—", "—"],
        "the fastest of them": ["—", "—"],
    }
    assert any("clock around the call" in note for note in found.notes)
    for name in ("beside", "ppopp16-table2", "ppopp16-table3"):
        caption = table(ReportData([*ours, *theirs]), name).caption
        assert caption.endswith("By the clock around the call, where ours runs around the kernel: SciPy.")
        assert "around the call" not in table(ReportData([*ours, *theirs[2:]]), name).caption


def test_beside_others_only_checked_answers_count() -> None:
    skipped, none = {"validation": {"verdict": "skipped"}}, {"validation": {}}
    found = beside(
        *pair_of("a", 1.0, 4.0),
        *pair_of("b", 1.0, 0.1, **skipped),
        *pair_of("c", 1.0, 0.1, **none),
        *pair_of("d", 1.0, 0.1, status="wrong", error="x", validation={"verdict": "fail"}),
    )
    row = ("BFS", "gunrock, Test", "SciPy, Test")
    assert found.text(row, ("", "Graphs")) == "1"
    assert found.text(row, ("", "Ahead of gunrock")) == "on none"
    assert beside(*pair_of("b", 1.0, 0.1, **skipped)).missing


def test_beside_others_an_older_checked_run_stands_for_a_newer_unchecked_one() -> None:
    newer = make_record(
        "bfs",
        "a",
        "scipy",
        runs=(9.0,) * 10,
        time="2027-01-01T00:00:00Z",
        options={"x": 1},
        validation={"verdict": "skipped"},
    )
    found = beside(*pair_of("a", 1.0, 4.0), newer)
    assert found.text(("BFS", "gunrock, Test", "SciPy, Test"), ("", "Geometric mean")) == "4"


def test_beside_several_others_the_fastest_is_named() -> None:
    found = beside(
        *pair_of("a", 1.0, 4.0),
        *pair_of("b", 1.0, 4.0),
        *pair_of("a", 1.0, 8.0, "igraph"),
        *pair_of("b", 1.0, 0.8, "igraph"),
    )
    row = ("BFS", "gunrock, Test", "the fastest of them")
    assert list(found.rows)[-1] == row
    assert [found.text(row, column) for column in found.columns] == [
        "1.789",
        "2",
        "0.8 (b)",
        "4 (a)",
        "b (igraph, Test: 0.8)",
    ]
