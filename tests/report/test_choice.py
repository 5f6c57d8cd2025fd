"""The record that a cell shows, of many, and the runs that a table takes."""

from __future__ import annotations

from typing import Any

import pytest
from records_helper import failed_record, make_record

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence import marks
from gunrock_cli.report.evidence.by_option import by_option
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.plain_runs import is_plain
from gunrock_cli.report.evidence.speedups import speedups
from gunrock_cli.report.figures import ppopp16_figure8
from gunrock_cli.report.registry import build
from gunrock_cli.report.tables.merrill12_table2 import belongs

OLD, NEW, NEWEST = (f"2026-01-0{day}T00:00:00+00:00" for day in (1, 2, 3))


def run(ms: float, time: str, *flags: str, **fields: Any) -> Record:
    return make_record(
        "bfs", "g", runs=10 * (ms,), time=time, command=["gunrock", "bfs", "g", *flags], **fields
    )


def shown(*records: Record) -> str:
    data = ReportData(records)
    found = data.best("bfs", data.systems[0], lambda _: True)
    assert found is not None
    return found.id


def test_the_newest_configuration_is_shown_not_the_fastest() -> None:
    """Options change with the code: an older configuration is not today's."""
    fast = run(1.0, OLD, id="fast", options={"delta": 4})
    now = run(2.0, NEW, id="now", options={"delta": 8})
    assert shown(fast, now) == shown(now, fast) == "now"


def test_of_one_configuration_the_newest_record_counts() -> None:
    assert shown(run(2.0, NEW, id="new"), run(1.0, OLD, id="old")) == "new"
    more = run(1.0, OLD, id="old", options={"runs": 10})
    assert shown(more, run(2.0, NEW, id="new", options={"runs": 3})) == "new"


def test_of_one_second_the_later_in_the_file_counts() -> None:
    first, second = (run(1.0, NEW, id=name, options={"x": name}) for name in ("first", "second"))
    assert shown(first, second) == "second"
    assert shown(second, first) == "first"


@pytest.mark.parametrize(
    "flags",
    [
        ("--idempotence",),
        ("--no-idempotence",),
        ("--direction", "push"),
        ("--direction=push",),
        ("--advance-mode", "TM"),
        ("--run-ahead", "1"),
        ("--loop", "host"),
        ("--lb-threshold", "1"),
    ],
)
def test_a_plain_run_stands_before_newer_ones_that_try_an_option(flags: tuple[str, ...]) -> None:
    plain = run(2.0, OLD, "--src", "0", "--iterations", "10", id="plain", options={"x": 1})
    trying = run(1.0, NEW, *flags, id="trying", options={"x": 2})
    assert is_plain(plain)
    assert not is_plain(trying)
    assert shown(plain, trying) == "plain"


def test_a_cold_run_is_listed_and_never_shown_for_a_warm_one() -> None:
    warm = run(2.0, OLD, id="warm")
    cold = run(3.0, NEW, "--cold", id="cold", options={**warm.options, "cold": True})
    assert shown(warm, cold) == "warm"
    data = ReportData([cold])
    assert data.best("bfs", data.systems[0], lambda _: True) is None
    assert data.of_each_build == []
    assert marks.COLD in marks.marks_of(cold)
    table = build(ReportData([warm, cold]), ["measured"]).tables[0]
    assert [row[-1] for row in table.rows] == ["warm", "cold"]


def test_what_is_given_as_the_default_is_does_not_hide_the_default() -> None:
    """Its options are the same, but its command differs."""
    plain, given = run(2.0, OLD, id="plain"), run(1.0, NEW, "--direction", "push", id="given")
    other = run(3.0, NEWEST, "--direction", "optimized", id="other", options={"direction": "optimized"})
    assert shown(plain, given, other) == "plain"
    failed = failed_record("timeout", "x", time=OLD, id="failed", options=plain.options)
    assert shown(failed, given) == "given"


def test_a_run_of_several_devices_stands_for_none_of_one() -> None:
    def on(devices: int, ms: float) -> Record:
        record = run(ms, NEWEST, id=f"on {devices}", options={"devices": str(devices)})
        record.device = {**record.device, "devices": [{"number": number} for number in range(devices)]}
        return record

    one, two = on(1, 2.0), on(2, 1.0)
    assert shown(one, two) == shown(two, one) == "on 1"
    assert ReportData([two]).best("bfs", ReportData([two]).systems[0], lambda _: True) is None


def test_where_no_run_is_plain_the_newest_is_shown() -> None:
    exact = run(2.0, NEW, "--no-idempotence", id="exact", options={"idempotence": False})
    loose = run(1.0, OLD, "--idempotence", id="loose", options={"idempotence": True})
    assert shown(loose, exact) == shown(exact, loose) == "exact"


def test_of_compared_modes_the_default_is_plain() -> None:
    command = ("compare-modes", "bfs", "g")
    default = run(2.0, OLD, *command, id="default", metrics={"over_default": 1.0}, options={"x": 1})
    variant = run(1.0, NEW, *command, id="variant", metrics={"over_default": 0.5}, options={"x": 2})
    assert shown(default, variant) == "default"


def test_a_failure_stands_only_where_nothing_is_valid() -> None:
    failed = [
        failed_record(status, "x", time=time, id=status, options={"x": status})
        for status, time in (("OOM", NEW), ("timeout", NEWEST))
    ]
    assert shown(*failed) == "timeout"
    assert shown(run(1.0, OLD, id="valid"), *failed) == "valid"


def bfs_from(sources: int, **options: Any) -> Record:
    return make_record(
        "bfs",
        "grid",
        runs=sources * (1.0,),
        sources=list(range(sources)),
        options={"mark_pred": False, "direction": "push", **options},
    )


@pytest.mark.parametrize(("record", "columns"), [
    (bfs_from(100), [False]),
    (bfs_from(100, mark_pred=True), [True]),
    (bfs_from(100, direction="optimized", alpha=15.0), []),
    (bfs_from(100, direction="optimized", alpha=0.0), [False]),  # ran as a push
    (bfs_from(100, direction="pull"), []),
    (bfs_from(1), []), (bfs_from(9), []), (bfs_from(10), [False]),
    (make_record("bfs", system="cugraph", sources=[7] * 10), []),
])  # fmt: skip
def test_merrills_table_takes_push_runs_of_many_sources(record: Record, columns: list[bool]) -> None:
    assert [kind for kind in (False, True) if belongs(record, kind)] == columns


@pytest.mark.parametrize(("sources", "text"), [(100, "1‡≠"), (99, "1¶‡≠")])
def test_merrills_hundred_sources(sources: int, text: str) -> None:
    record = bfs_from(sources)
    record.mteps = 1000.0
    record.graph["origin"] = {"kind": "grid2d", "width": 5000, "height": 5000}
    found = build(ReportData([record]), ["merrill12-table2"]).tables[0]
    assert found.text(("grid5pt.5000",), ("", "gunrock, Test, distances")) == text
    assert found.text(("grid5pt.5000",), ("", "gunrock, Test, predecessors")) == "—"


def test_an_optimized_run_that_could_not_switch_is_a_push() -> None:
    records = [bfs_from(1, direction=direction, alpha=0.0) for direction in ("push", "optimized")]
    assert by_option(records, "bfs", "direction") == []
    records = [bfs_from(1, direction=direction, alpha=15.0) for direction in ("push", "optimized")]
    assert set(by_option(records, "bfs", "direction")[0].by_value) == {"push", "optimized"}


def test_no_speedup_is_of_two_sources() -> None:
    ours, theirs = make_record("bfs", sources=[0]), make_record("bfs", system="cugraph", sources=[9])
    assert speedups(ReportData([ours, theirs])) == []
    theirs.sources = [0, 0]
    assert [pair.slow.name for pair in speedups(ReportData([ours, theirs]))] == ["cugraph"]


def test_a_speedup_is_of_the_run_from_the_others_sources_where_there_is_one() -> None:
    theirs = make_record("bfs", system="cugraph", sources=[9], runs=(8.0,))
    same = make_record("bfs", sources=[9], runs=(2.0,), id="same", options={"direction": "push"})
    newer = make_record("bfs", sources=[0], runs=(1.0,), time="2030-01-01T00:00:00+00:00")
    (found,) = speedups(ReportData([newer, theirs, same]))
    assert list(found.ratios.values()) == [4.0]
    assert found.records[0].id == "same"


def test_an_option_is_not_compared_across_sources() -> None:
    push, optimized = (
        make_record("bfs", sources=[source] * 10, options={"direction": direction})
        for direction, source in (("push", 0), ("optimized", 9))
    )
    assert by_option([push, optimized], "bfs", "direction") == []
    optimized.sources = [0] * 10
    assert by_option([push, optimized], "bfs", "direction")[0].by_value == {
        "push": push,
        "optimized": optimized,
    }


@pytest.mark.parametrize(("idempotent", "said"), [(2.0, True), (0.5, False)])
def test_figure_8_says_where_its_runs_contradict_the_papers(idempotent: float, said: bool) -> None:
    records = [
        make_record("bfs", "kron", runs=10 * (ms,), options={"idempotence": value}, backend="cuda")
        for value, ms in ((True, idempotent), (False, 1.0))
    ]
    caption = ppopp16_figure8.build(ReportData(records)).points.caption
    slower = "idempotence=true took longer than idempotence=false (2.0 times on kron, Test)"
    assert (slower in caption) == said
    assert ("docs/decisions/levels.md" in caption) == said
    for record in records:
        record.backend = "cpu"  # the papers say nothing about CPUs
    assert "Against the papers" not in ppopp16_figure8.build(ReportData(records)).points.caption


PUSHED = {"direction": "push", "strategy": "fused"}
QUADRATIC = {**PUSHED, "strategy": "quadratic"}


@pytest.mark.parametrize(
    ("primitive", "options"),
    [
        ("bfs", QUADRATIC),
        ("bfs", {"strategy": "hybrid"}),
        ("cc", {"variant": "hook-jump"}),
        ("bc", {"variant": "edges"}),
        ("color", {"method": "independent-sets"}),
    ],
)
def test_another_algorithm_is_never_ours(primitive: str, options: dict[str, Any]) -> None:
    flags = [word for name, value in options.items() for word in (f"--{name}", value)]
    record = make_record(primitive, "g", options=options, command=["gunrock", primitive, "g", *flags])
    data = ReportData([record])
    assert data.best(primitive, data.systems[0], lambda _: True) is None
    assert data.best(primitive, data.systems[0], lambda _: True, stated=True) is record
    for name in ("ppopp16-table3", "arxiv15-table2", "ppopp16-figure7", "beside"):
        reports = build(ReportData([record, make_record(primitive, "g", system="bgl", id="bgl")]), [name])
        tables = [*reports.tables, *(figure.points for figure in reports.figures)]
        assert record.id not in tables[0].record_ids, name


def test_where_no_run_is_plain_the_one_that_sets_least_is_shown_and_says_what() -> None:
    push = run(8.33, OLD, "--direction", "push", id="push", options=PUSHED)
    others = [
        run(1367.0, NEW, "--strategy", "quadratic", id="quadratic", options=QUADRATIC),
        run(
            9.03,
            NEW,
            "--direction",
            "push",
            "--mark-pred",
            id="predecessors",
            options={**PUSHED, "mark_pred": True},
        ),
        make_record(
            "bfs",
            "g",
            runs=(9.2,),
            time=NEWEST,
            id="once",
            options={**PUSHED, "num_sources": 1},
            command=["gunrock", "bfs", "g", "--direction", "push"],
        ),
    ]
    assert shown(push, *others) == "push"
    table = build(ReportData([push, *others]), ["ppopp16-table3"]).tables[0]
    assert table.text(("BFS", "g"), ("Runtime (ms)", "gunrock, Test")) == "8.33◊"
    assert ("◊ not a plain run, of which there is none: it sets --direction push.") in table.all_notes
