"""Primitives that do not ship with the package: a Python file and a kernel next to it."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.guarded import guarded, line_of
from gunrock_cli.primitives.micro import PREFIX, get_micro, is_micro
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.option_values import fits
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.question import Needs, Source
from gunrock_cli.primitives.shown import Shown
from gunrock_cli.primitives.variant import Variant

KINDS = (str, int, float, bool)
_OPTION = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MACRO = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
SUFFIX = ".py"
_PARTS = {"source": Source, "needs": Needs, "shows": Shown, "frontier": Frontier}


def find_primitive(name: str, taken: frozenset[str] = frozenset()) -> Primitive:
    """Find a primitive that ships, by its name, or one in a user's file (``load_primitive``)."""
    if name in primitive_names():
        return get_primitive(name)
    if is_micro(name):
        return get_micro(name)
    if name.endswith(SUFFIX):
        return load_primitive(name, taken)
    raise UsageError(f"{name} is neither a primitive ({', '.join(primitive_names())}) nor a FILE.py")


def command_words(name: str) -> list[str]:
    """The words after ``gunrock`` on the command line that runs this primitive: its name, ``run FILE.py``
    or ``microbench NAME``."""
    if is_micro(name):
        return [PREFIX.rstrip("-"), name.removeprefix(PREFIX)]
    return ["run", name] if name.endswith(SUFFIX) else [name]


def short_name(name: str) -> str:
    """A primitive's name; for a file, which need not exist, the name that it promises."""
    return _not_ours(Path(name).stem) if name.endswith(SUFFIX) else name


def recorded_name(primitive: Primitive) -> str:
    """The name in records: names of primitives that ship are reserved for them."""
    name = primitive.name
    if not _ships(name):
        return name
    ours = find_primitive(name)
    return name if type(primitive) is type(ours) else _not_ours(name)


def _not_ours(name: str) -> str:
    return f"{name} (user's)" if _ships(name) else name


def _ships(name: str) -> bool:
    return name in primitive_names() or is_micro(name)


def load_primitive(name: str, taken: frozenset[str] = frozenset()) -> Primitive:
    """The ``PRIMITIVE`` of a Python file.

    ``taken`` are options that every primitive's command has, by their names without dashes.
    InputError in one line for anything wrong in the file.
    """
    path = Path(name).resolve()
    if not path.is_file():
        raise InputError("no such file", path=name)
    if path.suffix != ".py":
        raise InputError("a primitive is a Python file (.py)", path=name)
    module = _run(path, name)
    primitive = getattr(module, "PRIMITIVE", None)
    if isinstance(primitive, type):
        raise InputError(
            "PRIMITIVE is a class: make one, PRIMITIVE = "
            f"{primitive.__name__}() (docs/writing-a-primitive.md)",
            path=name,
        )
    if primitive is None:
        raise InputError("defines no PRIMITIVE (docs/writing-a-primitive.md)", path=name)
    if not isinstance(primitive, Primitive):
        raise InputError(
            f"PRIMITIVE is a {type(primitive).__name__}, no Primitive (docs/writing-a-primitive.md)",
            path=name,
        )
    for wrong in _mistakes(primitive, taken):
        raise InputError(wrong, path=name)
    kind = primitive.variant
    if kind is not None and not (kernel := kind.file()).is_file():
        raise InputError(f"its kernel is not there: {kernel}", path=name)
    return guarded(primitive, str(path))


def _run(path: Path, name: str) -> Any:
    """Return the module; whatever it raises, even an exit, becomes an InputError that names the line."""
    spec = importlib.util.spec_from_file_location(f"gunrock_external_{path.stem}", path)
    assert spec is not None  # the suffix is .py
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module  # the file's dataclasses look it up
    try:
        spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        del sys.modules[module.__name__]
        words = " ".join(str(error).split())
        raise InputError(
            f"cannot be imported: {type(error).__name__}: {words}",
            path=name,
            line=line_of(error, str(path)),
        ) from error
    return module


def _mistakes(primitive: Primitive, taken: frozenset[str]) -> Iterator[str]:
    """The differences between the class's declarations and what base.py asks for."""
    for key in ("name", "summary"):
        if not isinstance(getattr(primitive, key, None), str):
            yield f"PRIMITIVE.{key} must be text"
    if not _NAME.fullmatch(primitive.name):
        yield f"PRIMITIVE.name {primitive.name!r} must be letters, digits, - and _"
    for key, kind in _PARTS.items():
        if not isinstance(part := getattr(primitive, key), kind) and (
            part is not None or key != "source"
        ):
            yield f"PRIMITIVE.{key} must be a {kind.__name__}" + (" or None" if key == "source" else "")
        elif part is not None:
            yield from _mistakes_of_part(key, part)
    if not isinstance(primitive.peers, Mapping) or not all(map(callable, primitive.peers.values())):
        yield "PRIMITIVE.peers must be a dictionary of functions"
    if not isinstance(primitive.takes, type) or not issubclass(primitive.takes, Options):
        yield "PRIMITIVE.takes must be a dataclass of options (a subclass of Options)"
    if primitive.variant is None:
        if type(primitive).plan is Primitive.plan:
            yield "PRIMITIVE.variant must be a Variant, the way to its answer; or define plan()"
    elif not isinstance(primitive.variant, type) or not issubclass(primitive.variant, Variant):
        yield "PRIMITIVE.variant must be a class, a subclass of Variant"
    elif not isinstance(primitive.variant.kernel, (str, Path)):
        yield "PRIMITIVE.variant.kernel must be a pathlib.Path"
    seen = set(taken)
    for option in primitive.options:
        yield from _mistakes_of(option, seen)
        seen |= {option.name, f"no-{option.name}"} if option.kind is bool else {option.name}


def _mistakes_of_part(key: str, part: Any) -> Iterator[str]:
    """The fields of a primitive's ``needs``, ``shows``, ... that are not as its class declares them."""
    for each in fields(part):
        value, kind = getattr(part, each.name), each.type
        where = f"PRIMITIVE.{key}.{each.name}"
        if kind == "bool" and not isinstance(value, bool):
            yield f"{where} must be True or False"
        if kind == "tuple[str, ...]" and not (
            isinstance(value, (tuple, list)) and all(isinstance(name, str) for name in value)
        ):
            yield f"{where} must be a tuple of names"
        if str(kind).startswith("Mapping") and not (
            isinstance(value, Mapping) or (value is None and "None" in str(kind))
        ):
            yield f"{where} must be a dictionary"


def _mistakes_of(option: Any, seen: set[str]) -> Iterator[str]:
    if not isinstance(option, Option):
        yield f"PRIMITIVE.options holds a {type(option).__name__}, no Option"
    if not isinstance(option.name, str) or not _OPTION.fullmatch(option.name):
        yield f"option {option.name!r}: a name is small letters, digits and single dashes"
    if option.name in seen or (option.kind is bool and f"no-{option.name}" in seen):
        yield f"option {option.name!r}: there is another --{option.name}"
    if option.kind not in KINDS:
        yield f"option {option.name!r}: kind must be str, int, float or bool"
    if not isinstance(option.help, str):
        yield f"option {option.name!r}: help must be text"
    if not isinstance(option.choices, (tuple, list)) or not all(
        isinstance(choice, str) for choice in option.choices
    ):
        yield f"option {option.name!r}: choices must be a tuple of words"
    if option.choices and option.default not in (None, *option.choices):
        yield f"option {option.name!r}: its default is none of its choices"
    if (
        not isinstance(option.words, (tuple, list))
        or not all(isinstance(word, str) for word in option.words)
        or (option.words and option.kind not in (int, float))
    ):
        yield f"option {option.name!r}: words must be a tuple of words that a number may be"
    if (
        option.default not in (None, *option.choices, *option.words)
        and not option.choices
        and not fits(option.default, option.kind)
    ):
        yield f"option {option.name!r}: its default {option.default!r} is no {option.kind.__name__}"
    for end in (option.minimum, option.maximum):
        if end is not None and (isinstance(end, bool) or not isinstance(end, (int, float))):
            yield f"option {option.name!r}: minimum and maximum must be numbers"
    if option.define is not None and (
        not isinstance(option.define, str) or not _MACRO.fullmatch(option.define)
    ):
        yield f"option {option.name!r}: define {option.define!r} cannot name a macro"
    if (
        option.define is not None
        and not option.choices
        and option.kind is not bool
        and (option.kind is not int or option.default is None)
    ):
        yield f"option {option.name!r}: a macro's value is a bool, a choice or a whole number"
    if not isinstance(option.constants, (tuple, list)) or (
        option.constants and len(option.constants) != len(option.choices)
    ):
        yield f"option {option.name!r}: constants must be a tuple of a name for each choice"
    if not isinstance(option.under, Mapping):
        yield f"option {option.name!r}: under must be a dictionary"
