"""JSON from outside: only what RFC 8259 and our own writer allow.

Python's reader also accepts NaN and Infinity, numbers that overflow to infinity, a key given twice (the
first is lost), lone surrogates (which cannot be printed) and any depth of nesting (which ends in a
RecursionError here or later)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

MAX_DEPTH = 32
"""The limit for arrays and objects within each other; a record has five."""
MAX_DIGITS = 20
"""The limit for a whole number: all of 64 bits, and a sign."""
SMALLEST = 1e-100
"""The smallest fraction besides 0: the quotient of any two accepted numbers is finite."""
_ZERO = re.compile(r"-?[0.]+([eE]|$)")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_HALF = re.compile("[\ud800-\udfff]")


def plain(value: Any, depth: int = 0) -> Any:
    """The nearest value that can be written and read back: numbers of other libraries become Python's,
    numbers without a value None, and objects without a form in JSON text."""
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        value = value.item()
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value) if len(str(abs(value))) < MAX_DIGITS else plain(_as_float(value))
    if isinstance(value, float):
        return (float(value) if abs(value) >= SMALLEST else 0.0) if math.isfinite(value) else None
    if depth < MAX_DEPTH // 2:
        if isinstance(value, Mapping):
            return {str(key): plain(each, depth + 1) for key, each in value.items()}
        if hasattr(value, "tolist"):
            value = value.tolist()
        if isinstance(value, (list, tuple, set, frozenset)):
            return [plain(each, depth + 1) for each in value]
    return f"a {type(value).__name__}"


def _as_float(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def dumps(value: Any) -> str:
    """One line that ``loads`` accepts. Lone surrogates, which Python makes from file names that are not
    text, are escaped: a backslash and the escape's characters."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    if not _SURROGATE.search(text):
        return text
    raw = json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False)  # pairs become one
    spelled = _HALF.sub(lambda half: rf"\\u{ord(half[0]):04x}", raw)
    return json.dumps(json.loads(spelled), separators=(",", ":"), allow_nan=False)


def loads(text: str) -> Any:
    """The value of one JSON text; ``ValueError`` says in a few words why it is refused."""
    try:
        value = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_float=_finite,
            parse_int=_whole,
            parse_constant=_no_constant,
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not _shallow(value):
        raise ValueError(f"nested more than {MAX_DEPTH} deep")
    if _SURROGATE.search(text):
        _check_text(value)
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!a} is there twice")
    return found


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value) or (abs(value) < SMALLEST and _ZERO.match(text) is None):
        raise ValueError(f"the number {text[:40]} is out of range")
    return value


def _whole(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"the number {text[:MAX_DIGITS]}... is out of range")
    return int(text)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _shallow(value: Any) -> bool:
    """True if at most MAX_DEPTH arrays and objects are nested."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        inner = [
            one.values() if isinstance(one, dict) else one
            for one in level
            if isinstance(one, (dict, list))
        ]
        if not inner:
            return True
        level = [one for group in inner for one in group]
    return False


def _check_text(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("a string holds half of a surrogate pair") from None
