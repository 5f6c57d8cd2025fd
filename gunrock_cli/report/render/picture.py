"""The picture on a page's first screen: speedups over each system, one panel per primitive."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any

from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.speedups import speedups
from gunrock_cli.report.forms.cells import Row, Table
from gunrock_cli.report.forms.plot import clipped
from gunrock_cli.report.tables import beside
from gunrock_cli.report.tables.beside import BEST, GRAPHS, MEAN, WORST

LEFT, RIGHT, LINE, TOP = 158.0, 282.0, 17.0, 20.0
"""The beginning and the end of the axis, a line's height, and the axis's, in the picture's own units."""
NAME, NAME_END = len("Gunrock 1.2 (C++), H200"), 150
"""The most letters of a name, and where it ends."""
TICKS = 5
"""The most ticks that fit side by side."""

Place = Callable[[float], str]
"""The place of a value on the axis."""


def picture(data: ReportData, table: Table) -> dict[str, Any]:
    """What the template draws of the table ``beside``: lines from worst to best with the geometric mean,
    all on one logarithmic axis, and the ratio on each graph, for those who ask for one."""
    ends = [table.cell(row, column).value for row in table.rows for column in (WORST, BEST)]
    values = [value for value in ends if value]
    if not values:
        return {"panels": [], "axis": []}
    low, high = math.log10(min(*values, 1)), math.log10(max(*values, 10))

    def place(value: float) -> str:
        return f"{LEFT + (math.log10(value) - low) / (high - low) * (RIGHT - LEFT):.1f}"

    powers = range(math.ceil(low), math.floor(high) + 1)
    ticks = [10.0**power for power in powers[:: -(-len(powers) // TICKS)]]
    found = beside.compared(speedups(data, checked=True))
    ratios = {
        row: {name: float(f"{pair.ratios[name]:.4g}") for name, pair in pairs.items()}
        for row, pairs in found.items()
    }
    panels = [
        {
            "primitive": primitive,
            "system": ours,
            "facets": {"primitive": [primitive]},
            "ticks": [(place(tick), f"{tick:g}") for tick in ticks],
            "one": place(1),
            **_lines(table, list(members), place, ratios),
        }
        for (primitive, ours), members in groupby(table.rows, lambda row: row[:2])
    ]
    return {"panels": panels, "axis": [LEFT, RIGHT, low, high, LINE, TOP]}


def _lines(
    table: Table, rows: list[Row], place: Place, ratios: Mapping[Row, Mapping[str, float]]
) -> dict[str, Any]:
    """A panel's lines, and its height."""
    lines = [
        {
            **_line(table, row, place, TOP + LINE * (index + 0.5)),
            "facets": {"system": list(row[1:]), "graph": list(ratios[row])},
            "ratios": ratios[row],
        }
        for index, row in enumerate(rows)
    ]
    return {"height": TOP + LINE * len(rows), "lines": lines}


def _line(table: Table, row: tuple[str, ...], place: Place, y: float) -> dict[str, Any]:
    graphs, mean, worst, best = (table.cell(row, column) for column in (GRAPHS, MEAN, WORST, BEST))
    run = f"{graphs.text} graph" if graphs.value == 1 else f"{graphs.text} graphs"
    return {
        "y": y,
        "name": clipped(row[2], NAME),
        "name_end": NAME_END,
        "mean": table.text(row, MEAN),
        "at": place(mean.value or 1.0),
        "from": place(worst.value or 1.0),
        "to": place(best.value or 1.0),
        "flag": mean.flag,
        "behind": (mean.value or 0.0) < 1,
        "tip": f"{row[0]}, {row[1]} over {row[2]}: geometric mean {mean.marked} on {run}, "
        f"worst {worst.marked}, best {best.marked}",
    }
