"""Tables of numbers in text files, read by pandas' C parser, and edge arrays from their columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.graph import MAX_VERTICES
from gunrock_cli.graph.model.tiny_weights import MUST_BE_LARGER, too_small
from gunrock_cli.graph.sources.files.readers.lines import GoodLines

HostArray = np.ndarray[Any, Any]


_MOST_FLOAT = float(np.finfo(np.float32).max)
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
            io.BufferedReader(stream),
            sep=r"\s+",
            header=None,
            dtype=columns,
            engine="c",
            usecols=None if all_columns else list(columns),
            na_filter=False,
            quoting=csv.QUOTE_NONE,
            **exact,
        )
    except pd.errors.EmptyDataError:
        stream.refuse()
        return [np.empty(0, dtype=kind) for kind in kinds]
    stream.refuse()
    return [frame[position].to_numpy() for position in columns]


def vertices(array: HostArray, path: str, line_of: LineOf = lambda _: None) -> HostArray:
    """Vertex numbers as int32; InputError if one is negative or does not fit."""
    if len(array):
        low, high = int(array.min()), int(array.max())
        if low < 0 or high >= MAX_VERTICES:
            bad = int(array.argmin() if low < 0 else array.argmax())
            raise InputError(
                f"vertex number {array[bad]} is out of range (0 to {MAX_VERTICES - 1})",
                path=path,
                line=line_of(bad),
            )
    return array.astype(np.int32)


def unfit_weights(values: HostArray, weight_type: str) -> int | None:
    """The place of the first value that is not finite, or no weight of that type: too large, too small
    or, for whole weights, a fraction."""
    if not len(values):
        return None
    whole = weight_type == "int32"
    least, most = (-(2**31), 2**31 - 1) if whole else (-_MOST_FLOAT, _MOST_FLOAT)
    within = least <= values.min() and values.max() <= most  # false for NaN, which min and max propagate
    rounded = whole and values.dtype.kind == "f" and not bool((values == np.floor(values)).all())
    if within and not rounded:
        return None if whole else too_small(values)
    good = (values >= least) & (values <= most)
    if rounded:
        good &= values == np.floor(values)
    return int(np.flatnonzero(~good)[0])


def edge_weights(
    values: HostArray, path: str, line_of: LineOf = lambda _: None, weight_type: str | None = None
) -> HostArray:
    """Values as weights of a type, by default int32 for integers and float32 for others; InputError for
    values that do not fit or are not numbers. Only float32 rounds.

    A negative zero becomes a zero, so that either of two edges with equal weights may be kept.
    """
    kind = weight_type or ("float32" if values.dtype.kind == "f" else "int32")
    bad = unfit_weights(values, kind)
    if bad is not None:
        line = line_of(bad)
        which = f" of entry {bad + 1}" if line is None else ""
        one = values[bad : bad + 1]
        unfit = "is not a number that fits in a 32-bit weight"
        if too_small(one) is not None:
            unfit = "is no 32-bit integer" if kind == "int32" else MUST_BE_LARGER
        elif weight_type == "int32" and unfit_weights(one, "float32") is None:
            unfit = "is no 32-bit integer; --weight-type float32 takes it, rounded"
        raise InputError(f"the value{which} {values[bad]} {unfit}", path=path, line=line)
    weights = values.astype(kind)
    if kind == "float32":
        weights += 0
    return weights


def weights_from_floats(
    values: HostArray,
    path: str,
    line_of: LineOf = lambda _: None,
    weight_type: str | None = None,
    as_reals: Callable[[], bool] = lambda: False,
) -> HostArray:
    """Values of a text in which whole numbers may stand for reals, as weights: by default int32 if every
    value is whole. ``as_reals``, called if whole ones do not fit, tells if any is written as a real
    number. Otherwise as ``edge_weights``."""
    if weight_type is None:
        whole = unfit_weights(values, "float32") is None and bool((values == np.floor(values)).all())
        if whole and (unfit_weights(values, "int32") is None or not as_reals()):
            weight_type = "int32"
    return edge_weights(values, path, line_of, weight_type)
