"""Options of a primitive: a dataclass whose fields the command line, records, sweeps and the Python face
read.

    @dataclass(frozen=True)
    class KHopOptions(Options):
        hops: int = option(2, "How far to go.", minimum=0)

A field's annotation says what it takes: ``bool`` (``--name/--no-name``), ``int``, ``float``, ``str``,
``Literal["push", "pull"]`` (choices), ``float | Literal["auto"]`` (a number or a word); with ``| None``
it may be left unset."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Literal, Self, Union

from gunrock_cli.jsontypes import Scalar
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.option_values import with_defaults


def option(default: Any, help: str, **declared: Any) -> Any:
    """Declare a field of a dataclass of options. ``declared`` are further attributes of ``Option``; do
    not repeat what the annotation says."""
    for name in declared:
        if name not in Option.__dataclass_fields__:
            raise TypeError(f"option() got an unexpected keyword argument {name!r}")
    return field(default=default, metadata={"help": help, **declared})


@dataclass(frozen=True)
class Options:
    """Base of every dataclass of options; the values of one run."""

    def values(self) -> dict[str, Scalar]:
        """All values by key."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def recorded(self) -> dict[str, Scalar]:
        """The values by key, as a record stores them."""
        left_out = {option.key for option in self.declared() if option.only_asked}
        return {key: value for key, value in self.values().items() if key not in left_out}

    @classmethod
    def resolved(cls, asked: Options, **values: Any) -> Self:
        """Options of this class, which extends the class of ``asked``, with these values in place of the
        asked ones."""
        return cls(**{**asked.values(), **values})

    @classmethod
    def declared(cls) -> tuple[Option, ...]:
        """The options, in the order of the fields."""
        found: tuple[Option, ...] = _declared(cls)  # type: ignore[arg-type]  # classes are hashable
        return found

    @classmethod
    def shared_keys(cls) -> tuple[str, ...]:
        """The options that other systems follow as well; the rest are gunrock's own."""
        return tuple(option.key for option in cls.declared() if option.shared)

    @classmethod
    def limits_of(cls, bits: int) -> list[str]:
        """The limits that ended a run, by key, from the kernel's bits."""
        if not bits:
            return []  # as of most runs, whose calls from Python take a tenth of a millisecond
        limits = {option.limit: option.key for option in cls.declared() if option.limit is not None}
        return [limits[number] for number in sorted(limits) if bits >> number & 1]

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """The options with these values and defaults for the rest; UsageError in one line for a value
        that does not fit. Keys that are not options are ignored."""
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
