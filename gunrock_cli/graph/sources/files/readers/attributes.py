"""Edges as NetworkX's ``write_edgelist`` writes them: two ends, and a dictionary of the edge's
attributes."""

from __future__ import annotations

import ast
import re

from gunrock_cli.errors import InputError, printable

_ENDS = re.compile(rb"(?:(?:[^\s,{]++[ \t]++){2}|(?:[^,{]*+,){2}[ \t]*+)(?=\{)")
_NUMPY = re.compile(r"\bnp\.\w+\(([^()]*)\)")
"""A number as NumPy's ``repr`` writes it."""
_SHOWN = 40


def ends_before(line: bytes) -> bytes | None:
    """The part of a line before its dictionary, or None without one."""
    found = _ENDS.match(line) if b"{" in line else None
    return None if found is None else found[0]


def weight_of(attributes: str, where: str, line: int) -> str | None:
    """The weight among an edge's attributes, as a word, or None. InputError for text that is no
    dictionary."""
    try:
        found = ast.literal_eval(_NUMPY.sub(r"\1", attributes))
        weight = found.get("weight")
    except (ValueError, SyntaxError, TypeError, AttributeError, RecursionError, MemoryError):
        raise InputError(
            f"expected a dictionary of the edge's attributes, found {printable(attributes)[:_SHOWN]!r}",
            path=where,
            line=line,
        ) from None
    if weight is None:
        return None
    if isinstance(weight, bool) or not isinstance(weight, (int, float)):
        raise InputError(
            f"the weight {printable(str(weight))[:_SHOWN]!r} is no number", path=where, line=line
        )
    return repr(weight)
