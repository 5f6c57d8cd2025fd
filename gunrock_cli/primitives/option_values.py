"""Values of options from a program, checked by the same declarations as on the command line."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Hashable, Iterable, Mapping
from decimal import Decimal
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from gunrock_cli.errors import UsageError

if TYPE_CHECKING:
    from gunrock_cli.primitives.option import Option

MOST = 2**31 - 1
"""The largest whole number for an option that names no other limit."""
LARGEST = sys.float_info.max
_SHOWN = 60
_SPELLED = {
    int: re.compile(r"[-+]?[0-9]{1,20}"),
    float: re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]{1,9})?", re.IGNORECASE),
}
"""Numbers as text, allowed for an option that also takes words."""
_KINDS: Mapping[type, Any] = {int: Integral, float: (Real, Decimal), os.PathLike: (str, os.PathLike)}
"""The types accepted for a kind, if there are more than the kind itself."""


def with_defaults(declared: Iterable[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """A value for each option, by key: the given one or the default. UsageError in one line for a value
    that does not fit."""
    return {
        option.key: checked(option, given[option.key]) if option.key in given else option.default
        for option in declared
    }


def checked(option: Option, value: Any) -> Any:
    """The value converted to the option's own type."""
    value = _plain(value)
    if value is None and option.default is None:
        return None
    word = _word(option, value)
    if word is not None:
        return word
    if not option.choices:
        several = isinstance(value, (list, tuple, range)) or getattr(value, "ndim", 0) > 0
        if (option.lists_vertices or option.takes_list) and several:
            return ",".join(map(str, value))
        if option.kind is str and fits(value, float):
            return str(value)  # for options that take a number or a word: devices=2
        if option.words and isinstance(value, str) and _SPELLED[option.kind].fullmatch(value):
            value = int(value) if option.kind is int else Decimal(value)
        if option.kind is tuple and several:
            value = tuple(value)
        if fits(value, option.kind) and (option.kind is not tuple or all(map(_is_name, value))):
            found = _converted(option, value)
            if option.kind not in (int, float) or _in_range(option, found):
                return found
    raise UsageError(f"{option.argument}={_shown(value)}: give {wanted(option)}")


def fits(value: Any, kind: type) -> bool:
    """True if a value is of a kind (str, int, float, bool, ...); whole numbers count as floats, too."""
    return isinstance(value, _KINDS.get(kind, kind)) and (kind is bool or not isinstance(value, bool))


def wanted(option: Option) -> str:
    """The accepted values, in words."""
    if option.choices:
        return f"one of {', '.join(option.choices)}"
    kinds = {
        str: "text",
        int: "a whole number",
        float: "a finite number",
        bool: "True or False",
        tuple: "a tuple",
        os.PathLike: "the name of a file",
    }
    if option.lists_vertices:
        return "vertices: a list of them, or text"
    if option.kind not in (int, float):
        return kinds[option.kind]
    low, high = _bounds(option)
    least = "above" if option.min_open else "from"
    bounds = [] if option.minimum is None else [f" {least} {_number(low)}"]
    bounds += [f" to {_number(high)}"] if option.maximum is not None or option.kind is int else []
    return " or ".join((kinds[option.kind] + "".join(bounds), *option.words))


def _number(end: float) -> str:
    return str(end) if isinstance(end, int) else f"{end:.10g}"


def _plain(value: Any) -> Any:
    """Convert a NumPy scalar, or an array without dimensions, to Python's own value."""
    if getattr(value, "ndim", None) == 0 and getattr(value.dtype, "kind", "") in tuple("biufU"):
        return value.item()
    return value


def _word(option: Option, value: Any) -> str | None:
    """The choice, or the word that replaces a number, in any capitalization."""
    words = {word.lower(): word for word in (*option.choices, *option.words)}
    return words.get(value.lower()) if isinstance(value, str) else None


def _converted(option: Option, value: Any) -> Any:
    try:
        if option.kind is os.PathLike:
            return os.fspath(value)
        return option.kind(value) + 0.0 if option.kind is float else option.kind(value)  # not -0.0
    except (OverflowError, TypeError, ValueError):  # for example fractions, or beyond a float's range
        return math.nan


def _is_name(value: Any) -> bool:
    """True if the value can be compared with a column's name: an array cannot."""
    return isinstance(value, Hashable)


def _in_range(option: Option, value: float) -> bool:
    low, high = _bounds(option)
    above = low < value if option.min_open else low <= value
    return -math.inf < value < math.inf and above and value <= high


def _bounds(option: Option) -> tuple[float, float]:
    low, high = (-MOST, MOST) if option.kind is int else (-LARGEST, LARGEST)
    return (
        low if option.minimum is None else option.minimum,
        high if option.maximum is None else option.maximum,
    )


def _shown(value: Any) -> str:
    """The value as one readable line."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # someone else's code, or more digits than Python prints
        return f"a {type(value).__name__}"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
