"""Tables of numbers in text files, read by pandas' C parser, and edge arrays from their columns."""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.build import MAX_VERTICES

HostArray = np.ndarray[Any, Any]


class TableError(Exception):
    """A line is not what the table needs; which one is for ``diagnose`` to find."""


def read_table(
    stream: BinaryIO, columns: dict[int, Any], *, separator: str, comment: str
) -> list[HostArray]:
    """Columns (by position, with their dtypes) of the lines from where the stream stands."""
    import pandas as pd

    try:
        with np.errstate(invalid="raise"):  # a number too large for its column
            frame = pd.read_csv(
                stream, sep=separator, comment=comment, header=None, usecols=list(columns),
                dtype=columns, engine="c", na_filter=False,
            )
    except pd.errors.EmptyDataError:
        return [np.empty(0, dtype=kind) for kind in columns.values()]
    except (ValueError, ArithmeticError, TypeError, pd.errors.ParserError) as error:
        raise TableError(str(error)) from error
    return [frame[position].to_numpy() for position in columns]


def vertices(array: HostArray, path: str) -> HostArray:
    """Vertex numbers as int32; InputError where one is negative or does not fit."""
    if len(array):
        low, high = int(array.min()), int(array.max())
        if low < 0 or high >= MAX_VERTICES:
            raise InputError(f"vertex number {low if low < 0 else high} is out of range "
                             f"(0 to {MAX_VERTICES - 1})", path=path)
    return array.astype(np.int32)


def unfit_weights(values: HostArray) -> int | None:
    """The place of the first value that is no finite number or too large for 32 bits."""
    if not len(values):
        return None
    limit = float(np.finfo(np.float32).max) if values.dtype.kind == "f" else 2**31 - 1
    low, high = values.min(), values.max()
    if -limit <= low and high <= limit:  # also false for NaN, which min and max hand on
        return None
    return int(np.flatnonzero(~((values >= -limit) & (values <= limit)))[0])


def edge_weights(values: HostArray, path: str) -> HostArray:
    """Values as int32 or float32 weights; InputError for what does not fit or is no number."""
    bad = unfit_weights(values)
    if bad is not None:
        raise InputError(f"the value of entry {bad + 1} is {values[bad]}, no number that fits in "
                         "a 32-bit weight", path=path)
    return values.astype(np.float32 if values.dtype.kind == "f" else np.int32)


def weights_from_floats(values: HostArray, path: str) -> HostArray:
    """As ``edge_weights``, int32 where every value is a whole number that fits."""
    whole = unfit_weights(values) is None and bool((values == np.floor(values)).all())
    if whole and bool((np.abs(values) < 2**31).all()):
        return values.astype(np.int32)
    return edge_weights(values, path)
