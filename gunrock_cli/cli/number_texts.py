"""Numbers in a table on the terminal."""

from __future__ import annotations

from typing import Any


def number(value: float | None, digits: int = 4) -> str:
    """A figure of any table: with separators; whole from 10,000 on, where digits after the point say
    little."""
    return "-" if value is None else f"{value:,.{digits}g}" if abs(value) < 1e4 else f"{value:,.0f}"


def value_text(value: Any) -> str:
    """A value of an answer: whole numbers with separators, real ones with six digits."""
    return f"{value:.6g}" if isinstance(value, float) else f"{value:,}"
