"""Gunrock compared with each other system, by primitive: geometric mean, worst and best of the speedups,
and the graphs on which the other is ahead. Made from records alone, if both answers were found right."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.statistics import geometric_mean
from gunrock_cli.report.evidence.clocks import told_clocks
from gunrock_cli.report.evidence.data import ReportData, primitive_label
from gunrock_cli.report.evidence.marks import PAPER_RUNS, marks_of_all, modified
from gunrock_cli.report.evidence.speedups import Speedup, speedups
from gunrock_cli.report.forms.cells import Cell, Row, Table
from gunrock_cli.report.forms.numbers import figure

NAME, ORDER = "beside", 45
GRAPHS, MEAN, WORST, BEST, AHEAD = (
    ("", label) for label in ("Graphs", "Geometric mean", "Worst", "Best", "Ahead of gunrock")
)
CALLS = "Call over call"
CALLS_MEAN, CALLS_WORST = (CALLS, "Geometric mean"), (CALLS, "Worst")
NOBODY = "on none"
FASTEST = "the fastest of them"
_OF_CALLS = (
    f"{CALLS}: both by the clock around the call from Python, ours with the resetting of its "
    "arrays and the launch. In the other columns, and for who is ahead, our clock runs around "
    "the kernel alone; that of systems without a call over call does too."
)


RECORDED = "Who is ahead is told of the graphs recorded here, and of no others."


def build(data: ReportData) -> Table:
    table = Table(
        NAME,
        "Speedups beside other systems",
        ("Algorithm", "Gunrock", "Over"),
        caption="Another system's time over gunrock's: more than 1 where gunrock is faster. "
        "Only graphs on which the answers of both were checked and right.",
    )
    table.declare(columns=(MEAN, GRAPHS, WORST, BEST, CALLS_MEAN, CALLS_WORST, AHEAD))
    found = speedups(data, checked=True)
    for row, beside in compared(found).items():
        _put(table, row, beside)
    for pair in found:
        _put_calls(table, pair)
    table.drop_empty_columns()
    if CALLS_MEAN in table.columns:
        table.notes.append(_OF_CALLS)
    if found:
        shown = dict.fromkeys(system for pair in found for system in (pair.fast, pair.slow))
        table.caption += f" {data.hardware(list(shown))}{told_clocks(data, list(shown))}"
        table.notes += [RECORDED, *weak(found)]
        table.notes.append(
            "Whole-run mean times, of PageRank however many iterations each system takes. "
            "A mark holds where it holds for a run of either system on any of the graphs."
        )
    else:
        table.missing = "No graph was measured and checked with gunrock and a second system (--against)."
    return table


def weak(pairs: Sequence[Speedup]) -> list[str]:
    """The qualities that all records of another system lack, by system: a clean commit, the papers'
    runs."""
    records: dict[str, dict[str, Record]] = {}
    for pair in pairs:
        records.setdefault(pair.slow.label, {}).update(
            (record.id, record) for record in pair.records[1::2]
        )
    notes = []
    for label, found in records.items():
        runs = [len(record.runs_ms) for record in found.values()]
        said = (
            [f"of {min(runs)} to {max(runs)} runs" if min(runs) < max(runs) else f"of {max(runs)} runs"]
            if max(runs) < PAPER_RUNS
            else []
        )
        said += ["from a modified tree"] if all(map(modified, found.values())) else []
        if said:
            notes.append(f"All records of {label} ({len(found)}): {', '.join(said)}.")
    return notes


def compared(found: Sequence[Speedup]) -> dict[Row, dict[str, Speedup]]:
    """The table's rows, with the comparison behind each graph."""
    rows: dict[Row, dict[str, Speedup]] = {}
    for (primitive, fast), pairs in groupby(found, lambda pair: (pair.primitive, pair.fast)):
        systems = list(pairs)
        for pair in systems:
            row = (primitive_label(primitive), fast.label, pair.slow.label)
            rows[row] = dict.fromkeys(pair.ratios, pair)
        if len(systems) > 1:
            rows[primitive_label(primitive), fast.label, FASTEST] = _fastest(systems)
    return rows


def _fastest(pairs: Sequence[Speedup]) -> dict[str, Speedup]:
    """The comparison with whichever of the others is fastest on each graph."""
    names = dict.fromkeys(name for pair in pairs for name in pair.ratios)
    return {
        name: min((pair for pair in pairs if name in pair.ratios), key=lambda pair: pair.ratios[name])
        for name in names
    }


def _put(table: Table, row: Row, beside: dict[str, Speedup]) -> None:
    """Put the row over the systems compared with gunrock on each graph."""
    ratios = {name: pair.ratios[name] for name, pair in beside.items()}
    records = [record for name, pair in beside.items() for record in pair.behind(name)]
    table.put(row, GRAPHS, Cell(str(len(ratios)), len(ratios), "measured", note=", ".join(ratios)))
    table.put(row, MEAN, _mean(ratios, records))
    for column, choose in ((WORST, min), (BEST, max)):
        name = choose(ratios, key=ratios.__getitem__)
        table.put(row, column, _one(ratios, name, beside[name].behind(name)))
    ahead = [
        f"{name} ({beside[name].slow.label}: {figure(ratio)})"
        for name, ratio in ratios.items()
        if ratio < 1
    ]
    table.put(row, AHEAD, Cell("; ".join(ahead) or NOBODY, float(len(ahead)), "measured"))


def _put_calls(table: Table, pair: Speedup) -> None:
    """Put a row's speedups if both clocks run around the call."""
    if not pair.calls:
        return
    row = (primitive_label(pair.primitive), pair.fast.label, pair.slow.label)
    worst = min(pair.calls, key=pair.calls.__getitem__)
    records = [record for name in pair.calls for record in pair.behind(name)]
    table.put(row, CALLS_MEAN, _mean(pair.calls, records))
    table.put(row, CALLS_WORST, _one(pair.calls, worst, pair.behind(worst)))


def _mean(ratios: dict[str, float], records: Sequence[Record]) -> Cell:
    """The geometric mean, with the marks of all records behind it."""
    mean = geometric_mean(list(ratios.values()))
    return _measured(figure(mean), mean, records)


def _one(ratios: dict[str, float], name: str, records: Sequence[Record]) -> Cell:
    """The ratio on one graph, with its name."""
    return _measured(f"{figure(ratios[name])} ({name})", ratios[name], records)


def _measured(text: str, value: float, records: Sequence[Record]) -> Cell:
    return Cell(
        text,
        value,
        "measured",
        tuple(record.id for record in records),
        marks=marks_of_all(records, PAPER_RUNS),
    )
