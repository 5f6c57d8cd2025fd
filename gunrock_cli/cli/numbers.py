"""Numbers on the command line: every numeric option has one of these two types.

Click's own accept NaN and infinity as numbers, and whole numbers of any size, which then overflow far
from where they were typed.
"""

from __future__ import annotations

import math
from typing import Any

import click

from gunrock_cli.primitives.option_values import MOST


class Whole(click.IntRange):
    """A whole number in a range. If the range has no upper end, ``most`` is one that help does not
    mention."""

    name = "integer"

    def __init__(self, min: int | None = None, max: int | None = None, *, most: int = MOST) -> None:
        super().__init__(min, max)
        self.most = most if max is None else max

    def _describe_range(self) -> str:
        """Nothing if there are no bounds, where Click would print x<=None."""
        return "" if self.min is None and self.max is None else super()._describe_range()

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(click.INT.convert(value, param, ctx), param, ctx)
        if abs(number) > self.most:
            self.fail(f"{value} is out of range: at most {self.most}.", param, ctx)
        return number


class Real(click.FloatRange):
    """A finite number, in a range like Click's."""

    name = "float"

    def _describe_range(self) -> str:
        return "" if self.min is None and self.max is None else super()._describe_range()

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = click.FLOAT.convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return super().convert(number, param, ctx)


def number_type(kind: type, minimum: float | None, maximum: float | None) -> click.ParamType | None:
    """The type of an option as declared by primitives and generators; None if it is not a number."""
    if kind is int:
        return Whole(None if minimum is None else int(minimum),
                     None if maximum is None else int(maximum))
    return Real(minimum, maximum) if kind is float else None
