"""The picture on a page's first screen: speedups over each system, one panel per primitive."""

from __future__ import annotations

import math
from itertools import groupby
from typing import Any

from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.forms.plot import clipped
from gunrock_cli.report.tables.beside import BEST, GRAPHS, MEAN, WORST

LEFT, RIGHT, LINE = 158.0, 282.0, 17.0
"""The beginning and the end of the axis, and a line's height, in the picture's own units."""
NAME, NAME_END = len("Gunrock 1.2 (C++), H200"), 150
"""The most letters of a name, and where it ends."""
TICKS = 5
"""The most ticks that fit side by side."""


def panels(table: Table) -> list[dict[str, Any]]:
    """The panels that the template draws from the table ``beside``: lines from worst to best with the
    geometric mean, all on one logarithmic axis."""
    ends = [table.cell(row, column).value for row in table.rows for column in (WORST, BEST)]
    values = [value for value in ends if value]
    if not values:
        return []
    low, high = math.log10(min(*values, 1)), math.log10(max(*values, 10))

    def place(value: float) -> str:
        return f"{LEFT + (math.log10(value) - low) / (high - low) * (RIGHT - LEFT):.1f}"

    powers = range(math.ceil(low), math.floor(high) + 1)
    ticks = [10.0**power for power in powers[:: -(-len(powers) // TICKS)]]
    found = []
    for (primitive, ours), members in groupby(table.rows, lambda row: row[:2]):
        rows = list(members)
        found.append(
            {
                "primitive": primitive,
                "system": ours,
                "height": LINE * len(rows) + 22,
                "ticks": [(place(tick), f"{tick:g}") for tick in ticks],
                "one": place(1),
                "lines": [
                    _line(table, row, place, LINE * (index + 0.5)) for index, row in enumerate(rows)
                ],
            }
        )
    return found


def _line(table: Table, row: tuple[str, ...], place: Any, y: float) -> dict[str, Any]:
    graphs, mean, worst, best = (table.cell(row, column) for column in (GRAPHS, MEAN, WORST, BEST))
    run = f"{graphs.text} graph" if graphs.value == 1 else f"{graphs.text} graphs"
    return {
        "y": y,
        "name": clipped(row[2], NAME),
        "name_end": NAME_END,
        "mean": table.text(row, MEAN),
        "at": place(mean.value),
        "from": place(worst.value),
        "to": place(best.value),
        "behind": (mean.value or 0.0) < 1,
        "tip": f"{row[0]}, {row[1]} over {row[2]}: geometric mean {mean.marked} on {run}, "
        f"worst {worst.marked}, best {best.marked}",
    }
