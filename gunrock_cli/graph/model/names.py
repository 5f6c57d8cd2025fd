"""The user's names of the vertices, if these are not their numbers: an index by vertex (``Graph.names``),
and the way back from a name to its vertex."""

from __future__ import annotations

import re
import threading
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gunrock_cli.errors import InputError, UsageError

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("source", "target", "weight")
"""The columns of a table of edges if no others are named; the last may be missing."""
_ENDS = (COLUMNS[:2], ("source", "destination"), ("src", "dst"), ("src", "dest"), ("from", "to"))
"""Tables' names for the ends of their edges, in any case of letters."""
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,18}")
_SHOWN = 60
_lookup = threading.Lock()


def index_of(names: Iterable[Hashable]) -> pd.Index[Any]:
    """Names by their vertices' numbers; a tuple is one name. Whole numbers among fractions become
    floating-point numbers only if these can tell them apart."""
    import pandas as pd

    found = pd.Index(list(names), dtype=object, tupleize_cols=False, name="vertex")
    try:
        inferred = found.infer_objects()
    except UnicodeEncodeError as error:
        raise _no_text(error) from None
    return found if inferred.dtype.kind in "fc" and any(map(_is_long, found)) else inferred


def _is_long(name: Any) -> bool:
    return isinstance(name, (int, np.integer)) and abs(int(name)) > 2**53


def _no_text(error: UnicodeEncodeError) -> InputError:
    return InputError(f"a vertex's name is no text that UTF-8 can hold: {ascii(error.object)[:_SHOWN]}")


def index_of_words(words: list[str]) -> pd.Index[Any]:
    """Words of a text as names by their vertices' numbers: integers if all are 64-bit integers."""
    if words and all(map(_INTEGER.fullmatch, words)):
        numbers = list(map(int, words))
        if min(numbers) >= -(2**63) and max(numbers) < 2**63:
            return index_of(numbers)
    return index_of(words)


def vertex_named(names: pd.Index[Any], name: Hashable) -> int | None:
    """The number of the vertex with that name, or None."""
    import pandas as pd

    with _lookup:  # the first look-up builds a table, and announces it before it is done
        try:
            found = names.get_loc(name)
        except (LookupError, TypeError, ValueError, pd.errors.InvalidIndexError):
            return None
    if not isinstance(found, (int, np.integer)):  # e.g. several days, if a month is named
        return None
    own: Any = names[found]
    rounded = names.dtype.kind == "f" and _is_long(name) and int(own) != name
    return None if rounded else int(found)


def vertex_called(names: pd.Index[Any], word: str) -> int | None:
    """The number of the vertex whose name is typed as ``word``, or None; finds names that are numbers,
    too."""
    found = vertex_named(names, word)
    if found is None and _INTEGER.fullmatch(word):
        return vertex_named(names, int(word))
    return found


def named(names: pd.Index[Any], vertices: np.ndarray[Any, Any]) -> Any:
    """The names of vertices, missing if a vertex is negative."""
    import pandas as pd

    if not (vertices < 0).any():
        return names.take(vertices).array
    if names.dtype.kind in "iu":  # these would become floating-point numbers
        nullable: Any = names.dtype.name.replace("int", "Int").replace("u", "U")
        names = names.astype(nullable)
    return pd.Series(names.array).reindex(vertices).array


def names_of(names: pd.Index[Any] | None, vertices: np.ndarray[Any, Any]) -> list[Any]:
    """Names, or numbers if there are no names, as Python's own values; None for a negative vertex."""
    if names is None:
        return list(vertices.tolist())
    found = [names[vertex] if vertex >= 0 else None for vertex in vertices.tolist()]
    return [name.item() if isinstance(name, np.generic) else name for name in found]


def numbered(
    source: pd.Series[Any], target: pd.Series[Any], table: str = "the frame"
) -> tuple[tuple[Any, Any], pd.Index[Any]]:
    """The ends of edges as numbers from 0, and the names in that order: as they occur, sources first."""
    import pandas as pd

    if source.dtype != target.dtype:  # numbers of two types would become floating-point ones
        source, target = source.astype(object), target.astype(object)
    try:
        numbers, names = pd.factorize(pd.concat([source, target], ignore_index=True))
    except UnicodeEncodeError as error:
        raise _no_text(error) from None
    except TypeError:
        raise InputError(f"vertices of {table} must be hashable: numbers, strings, tuples") from None
    if len(numbers) and numbers.min() < 0:
        row = int(np.flatnonzero(numbers < 0)[0])
        end = source if row < len(source) else target
        raise InputError(f"row {row % len(source)} of {table} has no {end.name!r}")
    ends = numbers[: len(source)], numbers[len(source) :]
    if names.dtype == object:
        return ends, index_of(names)
    return ends, pd.Index(names, name="vertex")


def is_header(fields: Sequence[str]) -> bool:
    """True if the first two fields of a text name the ends of edges, as a table's header does."""
    return tuple(field.casefold() for field in fields) in _ENDS


def usual_columns(have: Sequence[Any]) -> list[Any] | None:
    """The columns of source and target, and of weight if there is one, by their usual names; None unless
    exactly one pair of names fits."""
    found = [pair for ends in _ENDS if None not in (pair := [_called(end, have) for end in ends])]
    if len(found) > 1 and found[0] == list(COLUMNS[:2]):
        del found[1:]
    weight = _called(COLUMNS[2], have)
    return None if len(found) != 1 else [*found[0], *([] if weight is None else [weight])]


def _called(name: str, have: Sequence[Any]) -> Any:
    """The only column of that name, or else the only one in any case of letters; None otherwise."""
    if list(have).count(name) == 1:
        return name
    alike = [each for each in have if isinstance(each, str) and each.casefold() == name]
    return alike[0] if len(alike) == 1 else None


def edge_columns(have: Sequence[Any], columns: Sequence[Any] | None, what: str, option: str) -> list[Any]:
    """The names of a table's columns for source, target and perhaps weight; UsageError if one is missing
    or occurs twice. ``option`` says how to name others."""
    columns = usual_columns(have) if columns is None else columns
    there = (
        f"there are {', '.join(map(repr, have[:20])) or 'none'}; name those of source, target and "
        f"weight with {option.strip()}"
    )
    if columns is None:
        raise UsageError(
            f"{what} has no columns that are called source and target, src and dst, or from "
            f"and to: {there}"
        )
    if len(columns) not in (2, 3):
        raise UsageError(
            f"{option}{columns!r}: name the source's, the target's, and where there are "
            "weights the weight's"
        )
    for each in columns:
        if list(have).count(each) != 1:
            raise UsageError(f"{what} has {list(have).count(each)} columns {each!r}: {there}")
    return list(columns)
