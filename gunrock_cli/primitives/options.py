"""Options of a primitive: a dataclass, whose fields the command line, records, sweeps and the Python
face read.

    @dataclass(frozen=True)
    class KHopOptions(Options):
        hops: int = option(2, "How far to go.", minimum=0)

A field's annotation says what it takes: ``bool`` (``--name/--no-name``), ``int``, ``float``, ``str``,
``Literal["push", "pull"]`` (choices), ``float | Literal["auto"]`` (a number or a word); with ``| None``
it may be left unset.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Literal, Self, Union

from gunrock_cli.primitives.option_values import with_defaults


@dataclass(frozen=True)
class Option:
    """One option, as the command line and the Python face see it.

    ``define`` names the macro that a compile-time option sets (bools as 0/1, choices as their
    ``constants``, or their index). Options without one reach the kernel through ``Variant.members``.

    ``gunrock compare-modes`` compares the values of every bool that has a default, every option with
    choices, and every option with ``compares``, except those with ``changes_answer``.
    """

    name: str  # as on the command line, with dashes
    default: Any
    help: str
    kind: type = str
    choices: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """What a number (``kind`` int or float) takes besides numbers: auto and the like."""
    define: str | None = None
    constants: tuple[str, ...] = ()
    """The kernel's names for the choices."""
    minimum: float | None = None  # inclusive, unless min_open
    maximum: float | None = None
    min_open: bool = False
    changes_answer: bool = False
    """True if it asks for a different answer, not for a different way to the same one."""
    lists_vertices: bool = False
    """True if its value names vertices, as text; from Python also as a list or an array."""
    takes_list: bool = False
    """True if commas belong to its value, rather than separating values for a sweep."""
    compares: tuple[Any, ...] = ()
    """The values that compare-modes runs of an option that takes text or is not set by default."""
    panel: str = ""
    """The heading under which its values are compared; its own name if empty."""
    unset: Any = None
    """What a run takes in place of ``default=None``, as help shows it."""
    only_asked: bool = False
    """True for a second spelling, which resolved options and records do not hold."""
    under: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Values of other options, by key, under which its own are compared: they let it take effect and
    leave all else equal. What the user sets takes precedence."""

    @property
    def key(self) -> str:
        """The name of the field, and in records."""
        return self.name.replace("-", "_")

    @property
    def compared(self) -> tuple[Any, ...]:
        """The values that compare-modes runs; none for an option that is not compared."""
        if self.changes_answer:
            return ()
        if self.compares or self.default is None:
            return self.compares
        if self.kind is bool:
            return (False, True)
        return tuple(choice for choice in self.choices if choice != "auto")


def option(default: Any, help: str, **declared: Any) -> Any:
    """A field of a dataclass of options. ``declared`` are further attributes of ``Option``; what the
    annotation says need not be repeated."""
    return field(default=default, metadata={"help": help, **declared})


@dataclass(frozen=True)
class Options:
    """Base of every dataclass of options; the values of one run."""

    def values(self) -> dict[str, Any]:
        """All values by key."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def recorded(self) -> dict[str, Any]:
        """The values by key, as a record stores them."""
        left_out = {option.key for option in self.declared() if option.only_asked}
        return {key: value for key, value in self.values().items() if key not in left_out}

    @classmethod
    def resolved(cls, asked: Options, **values: Any) -> Self:
        """Options of this class, which extends the class of ``asked``, with these values in place of what
        was asked."""
        return cls(**{**asked.values(), **values})

    @classmethod
    def declared(cls) -> tuple[Option, ...]:
        """The options, in the order of the fields."""
        found: tuple[Option, ...] = _declared(cls)  # type: ignore[arg-type]  # classes are hashable
        return found

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """The options with these values and defaults for the rest; UsageError in one line for a value
        that does not fit. Keys that are no options are ignored."""
        return cls(**with_defaults(cls.declared(), given))


@cache
def _declared(kind: type[Options]) -> tuple[Option, ...]:
    hints = typing.get_type_hints(kind)
    return tuple(
        Option(
            each.name.replace("_", "-"), each.default, **{**_said_by(hints[each.name]), **each.metadata}
        )
        for each in fields(kind)
        if "help" in each.metadata
    )


def _said_by(annotation: Any) -> dict[str, Any]:
    """The attributes of an ``Option`` that follow from its annotation."""
    union = typing.get_origin(annotation) in (Union, types.UnionType)
    parts = [part for part in typing.get_args(annotation) if part is not types.NoneType]
    parts = parts if union else [annotation]
    words = tuple(
        word for part in parts if typing.get_origin(part) is Literal for word in typing.get_args(part)
    )
    kinds = [part for part in parts if isinstance(part, type)]
    if not kinds:
        return {"kind": str, "choices": words}
    return {"kind": kinds[0], "words": words}
