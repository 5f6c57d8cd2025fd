"""Numbers on the command line: every numeric option has one of these types.

Click's own types accept NaN and infinity, whole numbers of any size, which then overflow far from where
they were typed, and Python's own spellings, such as 1_0 and digits of all scripts."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import click

from gunrock_cli.primitives.option_values import MOST as MOST
from gunrock_cli.primitives.option_values import wanted

if TYPE_CHECKING:
    from gunrock_cli.primitives.option import Option

_SPELLED = re.compile(r"\s*[-+.0-9A-Za-z]*\s*", re.ASCII)
"""The usual spellings of numbers."""


class Whole(click.IntRange):
    """A whole number in a range. If the range has no upper end, ``most`` is a limit that help does not
    mention."""

    name = "integer"

    def __init__(self, min: int | None = None, max: int | None = None, *, most: int = MOST) -> None:
        super().__init__(min, max)
        self.most = most if max is None else max

    def _describe_range(self) -> str:
        """The range, or nothing if there are no bounds, for which Click would print x<=None."""
        return "" if self.min is None and self.max is None else super()._describe_range()

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(_read(click.INT, value, param, ctx), param, ctx)
        if abs(number) > self.most:
            self.fail(f"{value} is out of range: at most {self.most}.", param, ctx)
        return number


class Real(click.FloatRange):
    """A finite number, in a range like Click's."""

    name = "float"

    def _describe_range(self) -> str:
        return "" if self.min is None and self.max is None else super()._describe_range()

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = _read(click.FLOAT, value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return super().convert(number, param, ctx) + 0.0  # 0 for -0


class Share(click.ParamType):
    """A share of something: ``5%`` and ``0.05`` are the same."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, float):
            return value
        try:
            share = float(value.removesuffix("%")) / (100 if value.endswith("%") else 1)
        except ValueError:
            self.fail(f"{value!r} is not a share: write 5% or 0.05", param, ctx)
        if not 0 <= share < math.inf:
            self.fail(f"{value!r} must be positive", param, ctx)
        return share


class NumberOrWord(click.ParamType):
    """A number, or one of a few words."""

    def __init__(self, option: Option, number: click.ParamType) -> None:
        self.name = "|".join((number.name, *option.words))
        self.option, self.number = option, number

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        for word in self.option.words:
            if isinstance(value, str) and value.strip().lower() == word:
                return word
        try:
            return self.number.convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"{value}: give {wanted(self.option)}.", param, ctx)


def _read(
    kind: click.ParamType, value: Any, param: click.Parameter | None, ctx: click.Context | None
) -> Any:
    if isinstance(value, str) and not _SPELLED.fullmatch(value):
        kind.fail(f"{value!r} is not a valid {kind.name}.", param, ctx)
    return kind.convert(value, param, ctx)


def option_type(option: Option) -> click.ParamType | None:
    """The type of a declared option; None if it is not a number."""
    number = number_type(option.kind, option.minimum, option.maximum, option.min_open)
    return NumberOrWord(option, number) if number is not None and option.words else number


def number_type(
    kind: type, minimum: float | None, maximum: float | None, min_open: bool = False
) -> click.ParamType | None:
    """The type of a number of a kind within a range; None if the kind is no number."""
    if kind is int:
        return Whole(None if minimum is None else int(minimum), None if maximum is None else int(maximum))
    return Real(minimum, maximum, min_open) if kind is float else None
