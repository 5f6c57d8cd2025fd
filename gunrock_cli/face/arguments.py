"""Keyword arguments checked against their declarations, and errors worded for Python."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from gunrock_cli.errors import GunrockError
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.option_values import checked

P = ParamSpec("P")
R = TypeVar("R")
_FLAG = re.compile(r"(?<![\w-])--(no-)?([a-z][a-z0-9]*(?:-[a-z0-9]+)*)\b(?:( )([^\s,;()]*[^\s,;():.]))?")
_ELSEWHERE = {"src": "source"}
"""Options with another name on the command line."""


def declared(*options: Option) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Check a function's keyword arguments against these declarations. UsageError in one line for a value
    that does not fit; the function's own errors are reworded for Python."""

    def around(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def call(*args: P.args, **given: P.kwargs) -> R:
            fitting: dict[str, Any] = {
                option.key: checked(option, given[option.key])
                for option in options
                if option.key in given
            }
            with in_pythons_words(options, given):
                return function(*args, **{**given, **fitting})

        return call

    return around


@contextmanager
def in_pythons_words(options: Iterable[Option], given: Mapping[str, Any]) -> Iterator[None]:
    """Reword errors to name options as arguments: ``loop='host'`` for ``--loop host``."""
    try:
        yield
    except GunrockError as error:
        error.args = (_translated(str(error), {option.key: option for option in options}, given),)
        raise


def _translated(text: str, known: Mapping[str, Option], given: Mapping[str, Any]) -> str:
    def argument(found: re.Match[str]) -> str:
        key = _ELSEWHERE.get(found[2], found[2].replace("-", "_"))
        blank, word = found[3] or "", found[4] or ""
        if key not in known and key not in given and found[2] not in _ELSEWHERE:
            return found[0]  # an option of another command
        option = known.get(key)
        if found[1] or (option is not None and option.kind is bool):
            return f"{key}={not found[1]}{blank}{word}"
        if key in given and word == str(given[key]):
            return f"{key}={given[key]!r}"
        if option is not None and word in (*option.choices, *option.words):
            return f"{key}={word!r}"
        if any(map(str.isdigit, word)):
            return f"{key}={word if _is_number(word) else repr(word)}"
        return f"{key}{blank}{word}"

    return _FLAG.sub(argument, text)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
