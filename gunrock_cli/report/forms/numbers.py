"""Numbers as the papers print them: four significant digits, counts in K and M."""

from __future__ import annotations

import math


def figure(value: float | None, digits: int = 4) -> str:
    """Four significant digits without an exponent: 0.0123, 47.23, 721.2, 4503, 117089."""
    if value is None or math.isnan(value):
        return ""
    if value == 0:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def count(value: float | None) -> str:
    """A count as in the papers' tables of data sets: 3M, 212.7M, 10.2K."""
    if value is None or math.isnan(value):
        return ""
    for unit, size in (("M", 1e6), ("K", 1e3)):
        if value >= size:
            return f"{value / size:.1f}".removesuffix(".0") + unit
    return f"{value:.0f}"
