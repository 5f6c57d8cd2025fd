"""Tables of numbers in text files, read by pandas' C parser, and edge arrays from their columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.io.readers.lines import GoodLines
from gunrock_cli.graph.model import MAX_VERTICES
from gunrock_cli.graph.tiny_weights import MUST_BE_LARGER, too_small

HostArray = np.ndarray[Any, Any]


LineOf = Callable[[int], int | None]
"""The line number of a file's entry (from 0)."""


def read_table(stream: GoodLines, kinds: list[Any], *, all_columns: bool = True) -> list[HostArray]:
    """The first columns, of the dtypes ``kinds``, from lines of numbers separated by blanks."""
    import pandas as pd

    columns = dict(enumerate(kinds))
    exact: dict[str, Any] = {}
    if tuple(map(int, pd.__version__.split(".")[:2])) < (3, 1):  # later versions always do this
        exact["float_precision"] = "round_trip"
    try:
        frame = pd.read_csv(
            io.BufferedReader(stream), sep=r"\s+", header=None, dtype=columns, engine="c",
            usecols=None if all_columns else list(columns), na_filter=False, quoting=csv.QUOTE_NONE,
            **exact,
        )
    except pd.errors.EmptyDataError:
        stream.refuse()
        return [np.empty(0, dtype=kind) for kind in kinds]
    stream.refuse()
    return [frame[position].to_numpy() for position in columns]


def vertices(array: HostArray, path: str, line_of: LineOf = lambda _: None) -> HostArray:
    """Vertex numbers as int32; InputError where one is negative or does not fit."""
    if len(array):
        low, high = int(array.min()), int(array.max())
        if low < 0 or high >= MAX_VERTICES:
            bad = int(array.argmin() if low < 0 else array.argmax())
            raise InputError(f"vertex number {array[bad]} is out of range "
                             f"(0 to {MAX_VERTICES - 1})", path=path, line=line_of(bad))
    return array.astype(np.int32)


def unfit_weights(values: HostArray) -> int | None:
    """The place of the first value that is not finite, or is too large or too small for 32 bits."""
    if not len(values):
        return None
    limit = float(np.finfo(np.float32).max) if values.dtype.kind == "f" else 2**31 - 1
    low, high = values.min(), values.max()
    if -limit <= low and high <= limit:  # also false for NaN, which min and max propagate
        return too_small(values)
    return int(np.flatnonzero(~((values >= -limit) & (values <= limit)))[0])


def edge_weights(
    values: HostArray, path: str, line_of: LineOf = lambda _: None
) -> HostArray:
    """Values as int32 or float32 weights; InputError for values that do not fit or are not numbers.

    A negative zero becomes a zero, so that either of two edges with equal weights may stay.
    """
    bad = unfit_weights(values)
    if bad is not None:
        line = line_of(bad)
        which = f" of entry {bad + 1}" if line is None else ""
        small = too_small(values[bad:bad + 1]) is not None
        problem = MUST_BE_LARGER if small else "is not a number that fits in a 32-bit weight"
        raise InputError(f"the value{which} {values[bad]} {problem}", path=path, line=line)
    if values.dtype.kind != "f":
        return values.astype(np.int32)
    weights = values.astype(np.float32)
    weights += 0
    return weights


def weights_from_floats(values: HostArray, path: str, line_of: LineOf) -> HostArray:
    """As ``edge_weights``, int32 if every value is a whole number that fits."""
    whole = unfit_weights(values) is None and bool((values == np.floor(values)).all())
    if whole and bool((np.abs(values) < 2**31).all()):
        return values.astype(np.int32)
    return edge_weights(values, path, line_of)
