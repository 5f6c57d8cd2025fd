"""Lines of code of every primitive, next to the papers' numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from gunrock_cli.primitives import primitive_names
from gunrock_cli.report.evidence.code_lines import code_lines
from gunrock_cli.report.evidence.data import PRIMITIVES, ReportData, primitive_label
from gunrock_cli.report.forms.cells import Cell, Table
from gunrock_cli.resources import kernels_dir

NAME, ORDER = "lines-of-code", 95
BOTH = "Both halves"
PRINTED = {"bfs": 133, "salsa": 261}
"""PPoPP'16, section 6: "users only need to write from 133 (simple primitive, BFS) to 261 (complex
primitive, SALSA) lines of code"."""
_INCLUDE = re.compile(r'^#include "(primitives/[^"]+)"', re.MULTILINE)


def build(data: ReportData) -> Table:
    table = Table(
        NAME,
        "Lines of code of each primitive",
        ("Primitive",),
        caption="Without blank lines, comments and docstrings, counted in the files as they "
        "are here. Kernel: what runs, all ways to the answer; shared: headers of that which "
        "other primitives use too; Python, the host's half: arrays, options, outputs, checks. "
        "The paper's count has a host's half, too: memory, resetting, copying, the loop that "
        f"calls operators. {BOTH}: the kernel of one way, at most, what it shares, and Python.",
    )
    table.declare(
        columns=[
            ("", label) for label in ("Papers", BOTH, "Kernel", "of one way, at most", "shared", "Python")
        ]
    )
    names = primitive_names()
    ours = [name for name in PRIMITIVES if name in names]
    for name in [*ours, *(name for name in names if name not in ours)]:
        row = (primitive_label(name),)
        if name in PRINTED:
            table.put(row, ("", "Papers"), Cell(str(PRINTED[name]), PRINTED[name], "published"))
        lines = lines_of(name)
        _put(table, row, BOTH, lines.both)
        _put(table, row, "Kernel", lines.kernel)
        _put(table, row, "of one way, at most", lines.way)
        _put(table, row, "shared", lines.shared)
        _put(table, row, "Python", lines.host)
    for name in PRINTED.keys() - set(names):
        table.put(
            (primitive_label(name),), ("", "Papers"), Cell(str(PRINTED[name]), PRINTED[name], "published")
        )
    return table


@dataclass(frozen=True)
class Lines:
    """The lines of a primitive's kernel, of one way to the answer (the longest), of shared code, and of
    the host's half."""

    kernel: int
    way: int
    shared: int
    host: int

    @property
    def both(self) -> int:
        """Both halves of one way to the answer."""
        return self.way + self.shared + self.host


def lines_of(name: str) -> Lines:
    """A primitive's lines of code."""
    own, shared = kernel_files(name)
    each = [code_lines(path) for path in own]
    return Lines(
        sum(each),
        max(each, default=0),  # some have another primitive's kernels
        sum(map(code_lines, shared)),
        sum(map(code_lines, host_files(name))),
    )


def host_files(name: str) -> list[Path]:
    """The Python files of a primitive on one device."""
    folder = Path(__file__).parents[2] / "primitives"
    files = [*folder.glob(f"{name}.py"), *folder.glob(f"{name}/*.py")]
    return [file for file in files if file.name != "in_parts.py"]


def kernel_files(name: str) -> tuple[list[Path], list[Path]]:
    """A primitive's own files, and those outside its folder that they include."""
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
