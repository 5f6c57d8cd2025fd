"""How a measurement looks on a terminal: one table of figures, the trace, the top vertices."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from gunrock_cli.cli.console import console, plain, print_table
from gunrock_cli.primitives.base import Primitive

if TYPE_CHECKING:
    import pandas as pd

    from gunrock_cli.bench.record import Record
    from gunrock_cli.bench.runner import Measured


def _number(value: float | None, digits: int = 4) -> str:
    return "-" if value is None else f"{value:,.{digits}g}" if abs(value) < 1e4 else f"{value:,.0f}"


def _rows(record: Record) -> list[tuple[str, str]]:
    timing = record.time_ms
    rows = [("status", record.status if record.error is None else f"{record.status}: {record.error}")]
    if timing is not None:
        rows += [
            ("runtime, mean (ms)", _number(timing.mean)), ("median (ms)", _number(timing.median)),
            ("min (ms)", _number(timing.min)), ("stddev (ms)", _number(timing.stddev)),
            ("runs", str(len(record.runs_ms))),
        ]
    if record.call_ms:
        rows.append(("call, mean (ms)", _number(fmean(record.call_ms))))
    if record.more_work:
        rows.append(("its time also holds", record.more_work))
    if record.mteps is not None:
        rows.append(("MTEPS", _number(record.mteps)))
    for name, value in (
        ("steps", record.iterations), ("depth", record.depth),
        ("vertices visited", record.vertices_visited), ("edges visited", record.edges_visited),
        ("edges inspected", record.edges_inspected),
    ):
        if value is not None:
            rows.append((name, f"{value:,}"))
    if record.floor_ms:
        rows += [("floor (ms)", _number(record.floor_ms)),
                 ("time over floor", _number(record.over_floor))]
    if record.model_ms:
        rows.append(("model (ms)", _number(record.model_ms)))
    rows += [(name.replace("_", " "), _metric(value)) for name, value in record.metrics.items()
             if isinstance(value, (int, float, str)) and name != "times"]
    if record.validation:
        verdict = record.validation.get("verdict", "-")
        reference = record.validation.get("reference")
        checked = record.validation.get("sources")
        several = f", {checked} of {len(set(record.sources))} sources" if checked else ""
        rows.append(("validation", f"{verdict} ({reference}{several})" if reference else verdict))
        if verdict == "pass" and record.validation.get("message"):
            rows.append(("proved", record.validation["message"]))
    return rows


def _metric(value: Any) -> str:
    return _number(value) if isinstance(value, float) else f"{value:,}" if isinstance(value, int) \
        else str(value)


def print_records(records: Sequence[Record], primitive: Primitive) -> None:
    """A column for each system, gunrock first; warnings on stderr."""
    from rich.table import Table

    own = records[0]
    graph = own.graph
    title = (f"{primitive.name} on {graph['name']}: {graph['vertices']:,} vertices, "
             f"{graph['edges']:,} edges, {own.device.get('name')}")
    table = Table(title=plain(title, "bold"), title_justify="left")
    table.add_column("")
    columns = [dict(_rows(record)) for record in records]
    for record in records:
        table.add_column(plain(record.system), justify="right")
    names = list(dict.fromkeys(name for column in columns for name in column))
    for name in names:
        table.add_row(plain(name), *(plain(column.get(name, "-")) for column in columns))
    print_table(table)
    for record in records:
        for warning in record.warnings:
            console(stderr=True).print(plain(f"warning: {record.system}: {warning}", "yellow"))


def trace_frame(record: Record) -> pd.DataFrame:
    """The trace, one row per step."""
    import pandas as pd

    return pd.DataFrame(record.trace)


def print_trace(record: Record, most: int = 200) -> None:
    """The trace as a table; long ones are cut in the middle, --trace-csv has them whole."""
    from rich.table import Table

    if not record.trace:
        return
    table = Table(title="steps of the last run", title_justify="left")
    for name in record.trace[0]:
        table.add_column(plain(name.replace("_", " ")), justify="right")
    rows = record.trace
    shown = rows if len(rows) <= most else [*rows[: most // 2], None, *rows[-most // 2:]]
    for row in shown:
        if row is None:
            table.add_row("...")
        else:
            table.add_row(*(plain(_number(v) if isinstance(v, float) else v) for v in row.values()))
    print_table(table)


def print_listings(measured: Measured) -> None:
    """Short answers, of every source."""
    from rich.table import Table

    for source, listing in measured.listings:
        name = f"{measured.record.primitive} from vertex {source}"
        table = Table(title=plain(name, "table.title"), title_justify="left")
        for heading in listing.headings:
            table.add_column(plain(heading), justify="right")
        for row in listing.rows:
            table.add_row(*(f"{value:.6g}" if isinstance(value, float) else str(value) for value in row))
        print_table(table)


def print_top(measured: Measured, count: int, columns: Sequence[str] = ()) -> None:
    """The vertices with the highest values of the primitive's first output, or of each of its columns, or
    of each of the outputs that ``columns`` names."""
    for each in columns:
        _print_highest(each, measured.outputs[each], count)
    if columns:
        return
    name, values = next(iter(measured.outputs.items()))
    if values.ndim == 1:
        _print_highest(name, values, count)
        return
    for column, of_column in zip(measured.column_names, values.T, strict=True):
        _print_highest(name, of_column, count, f", {column}")


def _print_highest(name: str, values: Any, count: int, whose: str = "") -> None:
    import numpy as np
    from rich.table import Table

    order = np.argsort(-values.astype(np.float64), kind="stable")[:count]
    table = Table(title=plain(f"highest {name}{whose}", "table.title"), title_justify="left")
    table.add_column("vertex", justify="right")
    table.add_column(plain(name), justify="right")
    for vertex in order:
        value = values[vertex]
        table.add_row(str(int(vertex)), f"{value:.6g}" if values.dtype.kind == "f" else str(value))
    print_table(table)
