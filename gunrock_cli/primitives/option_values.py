"""Values of options as a program gives them: checked by the same declarations as on the command
line."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from gunrock_cli.errors import UsageError

if TYPE_CHECKING:
    from gunrock_cli.primitives.base import Option

MOST = 2**31 - 1
"""The largest whole number for an option that names no other limit."""
LARGEST = sys.float_info.max


def with_defaults(declared: Iterable[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """A value for each option, by key: the one given, or the default. UsageError in one line for a
    value that does not fit."""
    return {option.key: checked(option, given[option.key]) if option.key in given else option.default
            for option in declared}


def checked(option: Option, value: Any) -> Any:
    """The value converted to the option's own type."""
    import numpy as np

    if isinstance(value, np.generic):
        value = value.item()
    if value is None and option.default is None:
        return None
    if option.choices:
        return _choice(option, value)
    several = isinstance(value, (list, tuple, range)) or getattr(value, "ndim", 0) > 0
    if option.lists_vertices and several:
        value = ",".join(str(vertex) for vertex in value)
    if option.kind is tuple and isinstance(value, list):
        value = tuple(value)
    if option.kind is str and fits(value, float):
        value = str(value)  # for options that take a number or a word: alpha=15
    if not fits(value, option.kind) or (option.kind in (int, float) and not _in_range(option, value)):
        raise UsageError(f"{option.key}={value!r}: give {_wanted(option)}")
    return option.kind(value)


def fits(value: Any, kind: type) -> bool:
    """Whether a value is of a kind (str, int, float or bool); whole numbers count as floats, too."""
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _choice(option: Option, value: Any) -> str:
    for choice in option.choices:
        if isinstance(value, str) and value.lower() == choice.lower():
            return choice
    raise UsageError(f"{option.key}={value!r}: give one of {', '.join(option.choices)}")


def _in_range(option: Option, value: float) -> bool:
    low, high = _bounds(option)
    return -math.inf < value < math.inf and low <= value <= high


def _bounds(option: Option) -> tuple[float, float]:
    low, high = (-MOST, MOST) if option.kind is int else (-LARGEST, LARGEST)
    return (low if option.minimum is None else option.minimum,
            high if option.maximum is None else option.maximum)


def _wanted(option: Option) -> str:
    kinds = {str: "text", int: "a whole number", float: "a finite number", bool: "True or False",
             tuple: "a tuple"}
    if option.kind not in (int, float):
        return kinds[option.kind]
    low, high = _bounds(option)
    bounds = [f" from {low:.10g}"] if option.minimum is not None else []
    bounds += [f" to {high:.10g}"] if option.maximum is not None or option.kind is int else []
    return kinds[option.kind] + "".join(bounds)
