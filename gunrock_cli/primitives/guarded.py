"""Checks around the methods of a user's primitive and its variants: an exception, or a return value that
the base classes do not allow, becomes one line that names the method and the line of the file."""

from __future__ import annotations

import functools
import re
import traceback
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from numbers import Integral, Real
from typing import Any

from gunrock_cli.errors import GunrockError, InputError
from gunrock_cli.jsontypes import Scalar
from gunrock_cli.primitives.base import Primitive, Validation, Work
from gunrock_cli.primitives.parts.base import InParts
from gunrock_cli.primitives.variant import Variant

VERDICTS = ("pass", "fail", "skipped")
_MACRO = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_GUIDE = "docs/writing-a-primitive.md"


def guarded(primitive: Primitive, path: str) -> Primitive:
    """Return the same object, with its methods checked; ``path`` is the file that it comes from."""

    def variant(found: Any) -> Variant[Any]:
        if not isinstance(found, Variant):
            raise ValueError(f"{_kind(found)}, not a Variant")
        _options(found.options.recorded())
        return _guarded_variant(found, path)

    def in_parts(found: Any) -> Variant[Any]:
        if not isinstance(found, InParts):
            raise ValueError(f"{_kind(found)}, not an InParts")
        return variant(found)

    held = {**_METHODS, "plan": variant, "plan_in_parts": in_parts}
    for name, check in held.items():
        if hasattr(primitive, name):
            setattr(primitive, name, _guarded(getattr(primitive, name), f"{name}()", check, path))
    for key in ("source", "shows"):
        setattr(primitive, key, _guarded_part(getattr(primitive, key), path))
    return primitive


def _guarded_part(part: Any, path: str) -> Any:
    """The same object with its methods kept from raising, if its class is the user's."""
    if part is None or _ships(type(part)):
        return part
    kind = type(part)
    methods = {
        name: _guarded(getattr(kind, name), f"{name}()", _as_it_is, path)
        for name in _OF_PARTS
        if hasattr(kind, name)
    }
    guard = type(kind.__name__, (kind,), {**methods, "__module__": kind.__module__})
    return guard(**{each.name: getattr(part, each.name) for each in fields(part)})


def _guarded_variant(variant: Variant[Any], path: str) -> Variant[Any]:
    if _ships(type(variant)):
        return variant
    kind = _guarded_class(type(variant), path)  # type: ignore[arg-type]  # classes are hashable
    return kind(**{each.name: getattr(variant, each.name) for each in fields(variant)})


@functools.cache
def _guarded_class(kind: type[Variant[Any]], path: str) -> type[Variant[Any]]:
    def of_property(name: str, held: Callable[[Any], Any]) -> property:
        return property(_guarded(lambda self: getattr(super(guard, self), name), name, held, path))

    def of_method(name: str, held: Callable[[Any], Any]) -> Callable[..., Any]:
        return _guarded(getattr(kind, name), f"{name}()", held, path)

    def successor(found: Any) -> Variant[Any] | None:
        return None if found is None else _guarded_variant(found, path)

    members: dict[str, Any] = {name: of_method(name, held) for name, held in _OF_VARIANTS.items()}
    members |= {name: of_property(name, held) for name, held in _PROPERTIES.items()}
    members["successor"] = of_property("successor", successor)
    guard: type[Variant[Any]] = type(kind.__name__, (kind,), {**members, "__module__": kind.__module__})
    return guard


def _ships(kind: type) -> bool:
    return kind.__module__.startswith("gunrock_cli.")


def _guarded(
    method: Callable[..., Any], name: str, held: Callable[[Any], Any], path: str
) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(*args: Any, **how: Any) -> Any:
        try:
            found = method(*args, **how)
        except (GunrockError, MemoryError):
            raise
        except Exception as error:
            if type(error).__name__ == "OutOfMemoryError":  # CuPy's
                raise
            words = " ".join(f"{type(error).__name__}: {error}".split())
            raise InputError(f"{name} failed: {words}", path=path, line=line_of(error, path)) from error
        try:
            return held(found)
        except ValueError as error:
            raise InputError(f"{name} returned {error} ({_GUIDE})", path=path) from None

    return call


def line_of(error: BaseException, path: str) -> int | None:
    """The last line of the file that led to the error."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if frame.filename == path), None)


def _mapping(found: Any) -> Mapping[str, Any]:
    if not isinstance(found, Mapping):
        raise ValueError(f"{_kind(found)}, not a dictionary")
    for key in found:
        if not isinstance(key, str):
            raise ValueError(f"a dictionary with the key {key!r}, which is no text")
    return found


def _options(found: Any) -> dict[str, Scalar]:
    return {key: _scalar(key, value) for key, value in _mapping(found).items()}


def _scalar(key: str, value: Any) -> Any:
    """Return a value that a record can hold."""
    if getattr(value, "ndim", None) == 0:
        value = value.item()
    if value is not None and not isinstance(value, (str, bool, int, float)):
        raise ValueError(f"{_kind(value)} as {key}, not text, a number, a bool or None")
    return value


def _macros(found: Any) -> dict[str, str | int]:
    for name, value in _mapping(found).items():
        if not _MACRO.fullmatch(name):
            raise ValueError(f"{name!r}, which cannot name a macro")
        if not isinstance(value, (str, Real)) and not hasattr(value, "__index__"):
            raise ValueError(f"{_kind(value)} as {name}, not text or a number")
        if isinstance(value, str) and not value.isprintable():
            raise ValueError(f"{value!r} as {name}: a macro is one line")
    return dict(found)


def _numbers(found: Any) -> dict[str, int]:
    for name, value in _mapping(found).items():
        if not _MACRO.fullmatch(name) or not hasattr(value, "__index__"):
            raise ValueError(f"{value!r} as {name!r}, not a whole number by the kernel's name for it")
    return {name: value.__index__() for name, value in found.items()}


def _arrays(found: Any) -> Mapping[str, Any]:
    for name, array in _mapping(found).items():
        if not hasattr(array, "shape") or not hasattr(array, "dtype"):
            raise ValueError(f"{_kind(array)} as {name}, not an array")
    return found


def _work(found: Any) -> Work:
    if not isinstance(found, Work):
        raise ValueError(f"{_kind(found)}, not a Work")
    _mapping(found.metrics)
    counts: dict[str, Any] = {
        key: _count(key, getattr(found, key))
        for key in ("vertices_visited", "edges_visited", "edges_for_mteps", "depth", "iterations")
    }
    return replace(found, **counts)


def _count(key: str, value: Any) -> int | None:
    whole = isinstance(value, Integral) or (isinstance(value, Real) and float(value).is_integer())
    if value is not None and not whole:
        raise ValueError(f"a Work whose {key} is {value!r}, not a whole number")
    return None if value is None else int(value)


def _validation(found: Any) -> Validation:
    if not isinstance(found, Validation):
        raise ValueError(f"{_kind(found)}, not a Validation")
    if found.verdict not in VERDICTS:
        raise ValueError(f"the verdict {found.verdict!r}, not one of {', '.join(VERDICTS)}")
    return replace(
        found,
        reference=str(found.reference),
        message=str(found.message or ""),
        sources=_count("sources", found.sources),
    )


def _kind(value: Any) -> str:
    return "nothing" if value is None else f"a {type(value).__name__}"


def _as_it_is(found: Any) -> Any:
    return found


_METHODS: Mapping[str, Callable[[Any], Any]] = {
    "work": _work,
    "validate": _validation,
    "validate_sum": _validation,
    **dict.fromkeys(("reads_reverse", "reads_source", "finish_work", "traffic", "accesses"), _as_it_is),
}
"""The check of each method's return value; the last methods are only kept from raising."""
_OF_PARTS = ("is_read", "named", "row_columns", "column_names", "listings")
"""Methods of a user's ``Source`` and ``Shown``."""
_OF_VARIANTS: Mapping[str, Callable[[Any], Any]] = {
    "members": _mapping,
    "outputs": _arrays,
    **dict.fromkeys(("start", "allocate", "frontier_levels"), _as_it_is),
}
_PROPERTIES: Mapping[str, Callable[[Any], Any]] = {
    "defines": _macros,
    "constants": _numbers,
    **dict.fromkeys(
        ("queues", "kernel_file", "launch", "advance", "renumbers", "layout_saves", "pushes_by_level"),
        _as_it_is,
    ),
}
