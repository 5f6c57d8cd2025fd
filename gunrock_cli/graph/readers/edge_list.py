"""SNAP edge lists: two vertex numbers a line, perhaps a weight; # and % begin comment lines.

Vertices keep their numbers, so there are (largest number + 1) of them.
"""

from __future__ import annotations

import re

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.edges import EdgeList
from gunrock_cli.graph.progress import Progress, silent
from gunrock_cli.graph.readers import text
from gunrock_cli.graph.readers.columns import (
    TableError,
    read_table,
    vertices,
    weights_from_floats,
)
from gunrock_cli.graph.readers.diagnose import NUMBER, complain, first_bad_line


def read(path: str, progress: Progress = silent) -> EdgeList:
    """The edges of a file, separated by blanks, tabs or commas. Whole weights become int32, others
    float32; columns after the third are ignored. Raises InputError with the line."""
    progress(f"reading {path}", None)
    try:
        skipped, first = _first_edge(path)
        if first is None:
            raise InputError("no edges in this file", path=path)
        comma = b"," in first
        fields = len(first.split(b",") if comma else first.split())
        columns = {0: np.int64, 1: np.int64} | ({2: np.float64} if fields > 2 else {})
        with text.open_binary(path) as stream:
            for _ in range(skipped):
                stream.readline()
            table = read_table(stream, columns, separator="," if comma else r"\s+", comment="#")
    except TableError as error:
        raise _explained(path, str(error)) from error
    except text.BROKEN as error:
        raise InputError(f"cannot be read: {error}", path=path) from error
    if not len(table[0]):
        raise InputError("no edges in this file", path=path)
    src, dst = (vertices(column, path) for column in table[:2])
    weights = weights_from_floats(table[2], path) if len(table) > 2 else None
    n = int(max(src.max(), dst.max())) + 1
    return EdgeList(n, src, dst, weights)


def _first_edge(path: str) -> tuple[int, bytes | None]:
    """How many lines of comment come first, and the line behind them."""
    with text.open_binary(path) as stream:
        count = 0
        while line := stream.readline(1 << 16):
            if line.strip() and not line.lstrip().startswith((b"#", b"%")):
                return count, line
            count += 1
    return count, None


def _explained(path: str, otherwise: str) -> InputError:
    good = (rb"[ \t]*|[#%].*|[ \t]*[0-9]{1,10}(?:[ \t]*,[ \t]*|[ \t]+)[0-9]{1,10}"
            rb"(?:(?:[ \t]*,[ \t]*|[ \t]+)" + NUMBER + rb")*[ \t]*(?:#.*)?")
    with text.open_binary(path) as stream:
        found = first_bad_line(stream, good)
    if found is None:  # each line is well, so lines differ in their number of columns
        field = re.search(r"line (\d+)", otherwise)
        otherwise = "lines differ in their number of columns" + (
            f" (data line {field[1]})" if field else "")
    return complain(found, "two vertex numbers and perhaps a weight", path, otherwise)
