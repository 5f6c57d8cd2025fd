"""How a measurement looks on a terminal: one table of figures, the trace, the top vertices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from gunrock_cli.bench.protocol.floors import LEAST_MS
from gunrock_cli.bench.records.limits import limits_reached
from gunrock_cli.cli import messages
from gunrock_cli.cli.console import is_too_wide, plain, print_footnote, print_table
from gunrock_cli.cli.number_texts import number, value_text
from gunrock_cli.primitives.base import Primitive

if TYPE_CHECKING:
    import pandas as pd
    from rich.text import Text

    from gunrock_cli.bench.protocol.runner import Measured
    from gunrock_cli.bench.records.record import Record
    from gunrock_cli.cli.top import Top


ENDED = "ended by its limit"
OVER, DIFFERENCE = "time / gunrock's", "difference"
WORDS = ("status", "validation", "proved", "its time also holds", ENDED, DIFFERENCE)
"""Rows of text."""
COMPARED = ("runtime, mean (ms)", "min (ms)", OVER, DIFFERENCE)
"""What remains of several systems on a narrow terminal, besides ``VERDICTS``."""
VERDICTS = ("status", "validation", DIFFERENCE)
CALL, STEPS, FLOOR, MODEL = "call, mean (ms)", "steps", "floor (ms)", "model (ms)"
COLD = "cold runs"
MEANINGS = {
    COLD: "cold: the device's caches are flushed before each",
    CALL: "call: a run as Python waits for it, launch and reset included",
    STEPS: "steps: operators, each up to a barrier",
    FLOOR: "floor: the time to move once the bytes that no program can avoid",
    MODEL: "model: the time that this algorithm's memory accesses should take",
    "phase": "phase: what the step does",
    "mode": "mode: how its advance shares out work (- without one)",
    "one block": "one block: whether one ran alone",
    "frontier vertices": "frontier: the vertices that the step works on, and the edges out of them",
}
"""What a footnote says about rows and columns whose names do not explain themselves."""


def _rows(record: Record) -> list[tuple[str, str]]:
    timing = record.time_ms
    rows = [("status", record.status if record.error is None else f"{record.status}: {record.error}")]
    if timing is not None:
        rows += [
            ("runtime, mean (ms)", number(timing.mean)),
            ("median (ms)", number(timing.median)),
            ("min (ms)", number(timing.min)),
            ("stddev (ms)", number(timing.stddev)),
            (COLD if record.options.get("cold") else "runs", f"{len(record.runs_ms):,}"),
        ]
    if record.call_ms:
        rows.append((CALL, number(fmean(record.call_ms))))
    if record.more_work:
        rows.append(("its time also holds", record.more_work))
    if record.mteps is not None:
        rows.append(("MTEPS", number(record.mteps)))
    for name, value in (
        (STEPS, record.iterations),
        ("depth", record.depth),
        ("vertices visited", record.vertices_visited),
        ("edges visited", record.edges_visited),
        ("edges inspected", record.edges_inspected),
    ):
        if value is not None:
            rows.append((name, f"{value:,}"))
        if name == STEPS and (reached := limits_reached(record)):
            rows.append((ENDED, reached))
    rows += [(name.replace("_", " "), _metric(value)) for name, value in record.counts.items()]
    if record.queues.get("growths"):
        rows.append(("queues grown", f"{record.queues['growths']:,} times"))
    if record.floor_ms and record.floor_ms >= LEAST_MS:
        rows += [(FLOOR, number(record.floor_ms)), ("time over floor", number(record.over_floor))]
    if record.model_ms and record.model_ms >= LEAST_MS:
        rows.append((MODEL, number(record.model_ms)))
    rows += [
        (name.replace("_", " "), _metric(value))
        for name, value in record.metrics.items()
        if isinstance(value, (int, float, str)) and name != "times"
    ]
    if record.validation:
        verdict = record.validation.get("verdict", "-")
        reference = record.validation.get("reference")
        checked = record.validation.get("sources")
        among = f"{checked} of {len(set(record.sources))}" if record.sources else checked
        several = f", {among} sources" if checked else ""
        rows.append(("validation", f"{verdict} ({reference}{several})" if reference else verdict))
        if verdict == "pass" and record.validation.get("message"):
            rows.append(("proved", record.validation["message"]))
    return rows


def _metric(value: Any) -> str:
    return value if isinstance(value, str) else number(value)


def _from(record: Record) -> str:
    """Where the runs started, if they had a source."""
    names = dict.fromkeys(record.source_names or record.sources)
    if not names:
        return ""
    return f" from vertex {next(iter(names))}" if len(names) == 1 else f" from {len(names):,} vertices"


def print_records(records: Sequence[Record], primitive: Primitive) -> None:
    """A column for each system, gunrock first, or a row for each if columns do not fit the terminal;
    warnings on stderr."""
    from rich.table import Table

    own = records[0]
    graph = own.graph
    title = (
        f"{primitive.name}{_from(own)} on {graph['name']}: {graph['vertices']:,} vertices, "
        f"{graph['edges']:,} edges, {own.device.get('name')}"
    )
    columns = [_beside(record, own) if len(records) > 1 else dict(_rows(record)) for record in records]
    names = list(dict.fromkeys(name for column in columns for name in column))
    table = Table(title=plain(title, "bold"))
    table.add_column("")
    for record in records:
        table.add_column(plain(record.system), justify="right")
    for name in names:
        table.add_row(plain(name), *(plain(column.get(name, "-")) for column in columns))
    if len(records) > 1 and is_too_wide(table):
        table = Table("system", title=plain(title, "bold"))
        for name in names:
            table.add_column(plain(name), justify="left" if name in WORDS else "right")
        for record, column in zip(records, columns, strict=True):
            column["validation"] = record.validation.get("verdict", "-")
            table.add_row(plain(record.system), *(plain(column.get(name, "-")) for name in names))
    least = [name for name in names if name not in (*COMPARED, ENDED)]
    left_out = print_table(table, least, keys=VERDICTS)
    _explain([name for name in names if name not in left_out])
    _warn(records)


def _beside(record: Record, own: Record) -> dict[str, str]:
    """A record's rows, with its time over ours after its own times, and whether that is a difference."""
    from gunrock_cli.bench.records.statistics import ratio

    rows = dict(_rows(record))
    if {record.status, own.status} != {"ok"} or not (record.time_ms and own.time_ms):
        return rows
    if own.time_ms.min <= 0:
        return rows
    over = {OVER: "1", DIFFERENCE: "-"}
    if record is not own:
        found = ratio(own.runs_ms, record.runs_ms)
        over = {OVER: number(found.value), DIFFERENCE: found.difference}
    first = ("status", "runtime, mean (ms)", "median (ms)", "min (ms)")
    return {name: rows[name] for name in first} | over | rows


def _explain(names: Iterable[str]) -> None:
    """One footnote about the rows or columns shown that need one; none with -q."""
    notes = [MEANINGS[name] for name in names if name in MEANINGS]
    if notes and not messages.is_quiet():
        print_footnote("; ".join(notes))


def _warn(records: Sequence[Record]) -> None:
    """One line for the noise of all systems, and one for each other warning of a system."""
    from gunrock_cli.bench.records.statistics import noise_of, noise_warnings

    noisy = [(record, noise) for record in records if (noise := noise_of(record.runs_ms))]
    if noisy:
        of_each = (f"{record.system} ({noise})" for record, noise in noisy)
        told = noisy[0][1] if len(records) == 1 else "; ".join(of_each)
        messages.warning(f"warning: noisy: {told}; compare medians or measure again")
    for record in records:
        about_noise = noise_warnings(record.runs_ms)
        for warning in (each for each in record.warnings if each not in about_noise):
            messages.warning(f"warning: {record.system}: {warning}")


def trace_frame(record: Record) -> pd.DataFrame:
    """The trace, one row per step."""
    import pandas as pd

    return pd.DataFrame(record.trace)


def print_trace(record: Record, most: int = 200) -> None:
    """The trace as a table; long ones are cut in the middle, while --trace-csv has them whole."""
    from rich.table import Table

    if not record.trace:
        return
    table = Table(title="steps of the last run")
    for name in record.trace[0]:
        words = "time (ms)" if name == "ms" else name.replace("_", " ")
        table.add_column(plain(words), justify="left" if name in ("phase", "mode") else "right")
    rows = record.trace
    shown = rows if len(rows) <= most else [*rows[: most // 2], None, *rows[-most // 2 :]]
    for row in shown:
        if row is None:
            table.add_row("...")
        else:
            table.add_row(*(plain(_trace_text(value)) for value in row.values()))
    left_out = print_table(table, least=("one block",))
    headings = [str(column.header) for column in table.columns]
    _explain(heading for heading in headings if heading not in left_out)


def _trace_text(value: Any) -> str:
    return str(value) if isinstance(value, (bool, str)) or value is None else number(value)


def print_listings(measured: Measured) -> None:
    """Short answers, for every source."""
    from rich.table import Table

    for source, listing in measured.listings:
        called = source if measured.names is None else measured.names[source]
        name = f"{measured.record.primitive} from vertex {called}"
        table = Table(title=plain(name, "table.title"))
        for heading in listing.headings:
            table.add_column(plain(heading), justify="right")
        for row in listing.rows:
            table.add_row(
                *(
                    _listed(heading, value, measured.names)
                    for heading, value in zip(listing.headings, row, strict=True)
                )
            )
        print_table(table)


def print_top(found: Sequence[Top]) -> None:
    """One table for each."""
    from rich.table import Table

    for top in found:
        table = Table(title=plain(top.title, "table.title"))
        table.add_column("vertex", justify="right")
        table.add_column(plain(top.column or top.name), justify="right")
        for vertex, value in zip(*top.shown(), strict=True):
            table.add_row(plain(vertex), plain(_answer(value)))
        print_table(table)


def _answer(value: Any) -> str:
    """A value, or the name of the vertex that is the answer."""
    if value is None:
        return "-"
    return value if isinstance(value, str) else value_text(value)


def _listed(heading: str, value: float, names: Any) -> Text:
    if heading == "vertex" and names is not None:
        return plain(names[int(value)])
    return plain(value_text(value))
