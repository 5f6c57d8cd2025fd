"""Keyword arguments checked against their declarations, and errors worded for Python."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar

from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.face.near import nearest
from gunrock_cli.graph.spec import FILE_KINDS
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.option_values import checked

P = ParamSpec("P")
R = TypeVar("R")
_FLAG = re.compile(
    r"(?<![\w-])--(no-)?([a-z][a-z0-9]*(?:-[a-z0-9]+)*)\b(?:( )((?:[^\s,;()]|,(?=\w))*[^\s,;():.]))?"
)
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_ELSEWHERE = {"src": "source"}
"""Options with another name on the command line."""
_BOTH_WAYS = re.compile(r"leave out --directed\b|--undirected\b")
"""A directed graph is made undirected by an option of the functions, or of ``load``."""


def declared(*options: Option) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Check a function's keyword arguments against these declarations. UsageError in one line for a value
    that does not fit, and for an unknown name unless the function takes any; the function's own errors
    are reworded for Python."""

    def around(function: Callable[P, R]) -> Callable[P, R]:
        parameters = inspect.signature(function).parameters
        takes_any = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values())

        @functools.wraps(function)
        def call(*args: P.args, **given: P.kwargs) -> R:
            for name in given:
                if not takes_any and name not in parameters:
                    known = nearest(name, [option.key for option in options])
                    raise UsageError(f"{function.__name__} has no option {name!r}: {known}")
            fitting: dict[str, Any] = {
                option.key: checked(option, given[option.key])
                for option in options
                if option.key in given
            }
            with in_pythons_words(options, given):
                return function(*args, **{**given, **fitting})

        return call

    return around


def by_key(options: Iterable[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call by the keys of options; those without an option keep their names."""
    keys = {option.python: option.key for option in options if option.python}
    return {keys.get(name, name): value for name, value in given.items()}


@contextmanager
def in_pythons_words(options: Iterable[Option], given: Mapping[str, Any]) -> Iterator[None]:
    """Reword errors to name options as arguments: ``loop='host'`` for ``--loop host``."""
    try:
        yield
    except GunrockError as error:
        error.args = (in_python(str(error), options, given),)
        raise


def in_python(text: str, options: Iterable[Option], given: Mapping[str, Any] = _NOTHING) -> str:
    """A text in which the options that it names are keyword arguments."""
    known = {option.key: option for option in options}
    keys = [key for key in ("symmetrize", "undirected") if key in known]

    def both_ways(found: re.Match[str]) -> str:
        return f"{'pass ' if found[0].startswith('leave') else ''}{keys[0]}=True"

    def argument(found: re.Match[str]) -> str:
        key = _ELSEWHERE.get(found[2], found[2].replace("-", "_"))
        blank, word = found[3] or "", found[4] or ""
        option = known.get(key)
        name = key if option is None else option.argument
        if option is None and found[2] in FILE_KINDS and "format" in known:
            return f"format={found[2]!r}{blank}{word}"
        if key not in known and key not in given and found[2] not in _ELSEWHERE:
            return found[0]  # an option of another command
        if found[1] or (option is not None and option.kind is bool):
            return f"{name}={not found[1]}{blank}{word}"
        if key in given and word == str(given[key]):
            return f"{name}={given[key]!r}"
        if option is not None and word in (*option.choices, *option.words):
            return f"{name}={word!r}"
        if option is not None and option.kind is tuple and "," in word:
            return f"{name}=({word.replace(',', ', ')})"
        if any(map(str.isdigit, word)):
            return f"{name}={word if _is_number(word) else repr(word)}"
        return f"{name}{blank}{word}"

    return _FLAG.sub(argument, _BOTH_WAYS.sub(both_ways, text) if keys else text)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
