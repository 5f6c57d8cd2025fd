"""Lines of code of every primitive, beside what the papers print."""

from __future__ import annotations

import re
from pathlib import Path

from gunrock_cli.primitives import primitive_names
from gunrock_cli.report.cells import Cell, Table
from gunrock_cli.report.code_lines import code_lines
from gunrock_cli.report.data import PRIMITIVES, ReportData, primitive_label
from gunrock_cli.resources import kernels_dir

NAME, ORDER = "lines-of-code", 95
PRINTED = {"bfs": 133, "salsa": 261}
"""PPoPP'16, section 6: "users only need to write from 133 (simple primitive, BFS) to 261 (complex
primitive, SALSA) lines of code"."""
_INCLUDE = re.compile(r'^#include "(primitives/[^"]+)"', re.MULTILINE)


def build(data: ReportData) -> Table:
    table = Table(NAME, "Lines of code of each primitive", ("Primitive",),
                  caption="Without blank lines, comments and docstrings, counted in the files as they "
                  "are here. Kernel: what runs, all ways to the answer; shared: headers of that which "
                  "other primitives use too; Python: arrays, options, outputs, checks. The papers "
                  "count what runs.")
    table.declare(columns=[("", label) for label in ("Papers", "Kernel", "of one way, at most", "shared",
                                                     "Python")])
    names = primitive_names()
    ours = [name for name in PRIMITIVES if name in names]
    for name in [*ours, *(name for name in names if name not in ours)]:
        row = (primitive_label(name),)
        if name in PRINTED:
            table.put(row, ("", "Papers"), Cell(str(PRINTED[name]), PRINTED[name], "published"))
        own, shared = kernel_files(name)
        lines = {path: code_lines(path) for path in own}
        _put(table, row, "Kernel", sum(lines.values()))
        _put(table, row, "of one way, at most", max(lines.values()))
        _put(table, row, "shared", sum(map(code_lines, shared)))
        _put(table, row, "Python", code_lines(Path(__file__).parents[2] / "primitives" / f"{name}.py"))
    for name in PRINTED.keys() - set(names):
        table.put((primitive_label(name),), ("", "Papers"),
                  Cell(str(PRINTED[name]), PRINTED[name], "published"))
    return table


def kernel_files(name: str) -> tuple[list[Path], list[Path]]:
    """A primitive's own files, and those beside the primitives that they include."""
    folder = kernels_dir() / "primitives"
    own = sorted([*folder.glob(f"{name}.cuh"), *folder.glob(f"{name}/*.cuh")])
    shared: dict[Path, None] = {}
    pending = list(own)
    while pending:
        for included in _INCLUDE.findall(pending.pop().read_text("utf-8")):
            path = kernels_dir() / included
            if path not in own and path not in shared:
                shared[path] = None
                pending.append(path)
    return own, list(shared)


def _put(table: Table, row: tuple[str, ...], label: str, lines: int) -> None:
    if lines:
        table.put(row, ("", label), Cell(str(lines), lines, "measured"))
