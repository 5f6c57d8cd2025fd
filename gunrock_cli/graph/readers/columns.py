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
        frame = pd.read_csv(
            stream, sep=separator, comment=comment, header=None, usecols=list(columns),
            dtype=columns, engine="c", na_filter=False, float_precision="high",
        )
    except pd.errors.EmptyDataError:
        return [np.empty(0, dtype=kind) for kind in columns.values()]
    except (ValueError, OverflowError, TypeError, pd.errors.ParserError) as error:
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


def edge_weights(values: HostArray, path: str) -> HostArray:
    """Values as int32 or float32 weights; InputError for what does not fit or is no number."""
    if values.dtype.kind == "f":
        finite = np.isfinite(values)
        if not finite.all():
            entry = int(np.flatnonzero(~finite)[0])
            raise InputError(f"the value of entry {entry + 1} is {values[entry]}, not a number "
                             "that an edge can weigh", path=path)
        if len(values) and max(values.max(), -values.min()) > np.finfo(np.float32).max:
            raise InputError("a value is too large for a 32-bit weight", path=path)
        return values.astype(np.float32)
    if len(values) and (int(values.min()) < -(2**31) or int(values.max()) >= 2**31):
        raise InputError("an integer value does not fit in a 32-bit weight", path=path)
    return values.astype(np.int32)


def weights_from_floats(values: HostArray, path: str) -> HostArray:
    """As ``edge_weights``, int32 where every value is a whole number that fits."""
    if (
        np.isfinite(values).all()
        and (values == np.floor(values)).all()
        and (np.abs(values) < 2**31).all()
    ):
        return values.astype(np.int32)
    return edge_weights(values, path)
