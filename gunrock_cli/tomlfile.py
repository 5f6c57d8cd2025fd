"""The user's TOML files, read and checked: anything wrong is an InputError in one line."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from gunrock_cli.errors import InputError, printable

MOST_SECONDS = 1e7
"""The longest time limit: 115 days."""

Scalar = str | bool | int | float
Value = TypeVar("Value")


def read_toml(path: Path) -> dict[str, Any]:
    """The file's tables, not checked yet."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"no TOML: {printable(str(error))}", path=str(path)) from error
    except (RecursionError, ValueError):  # ValueError for numbers of thousands of digits
        raise InputError(
            "no TOML to be used: nested too deeply, or a number of too many digits", path=str(path)
        ) from None


class TomlChecker:
    """The base of all checkers of such files: each method returns a valid value, and otherwise says where
    the file differs."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def table(
        self, data: Mapping[str, Any], name: str, where: str, check: Callable[[Any, str], Value]
    ) -> dict[str, Value]:
        found = data.get(name, {})
        if not isinstance(found, dict):
            self.refuse(where + name, "must be a table")
        return {key: check(value, f"{where}{name}.{key}") for key, value in found.items()}

    def values(self, found: Any, where: str, check: Callable[[Any, str], Value]) -> list[Value]:
        if not isinstance(found, list) or not found:
            self.refuse(where, "must be a list with something in it")
        return [check(value, where) for value in found]

    def scalar(self, value: Any, where: str) -> Scalar:
        if isinstance(value, float) and not math.isfinite(value):
            self.refuse(where, f"{value} is not a finite number")
        if isinstance(value, int) and abs(value) >= 2**63:
            self.refuse(where, "a number has more than 64 bits")
        if isinstance(value, (bool, int, float)):
            return value
        if not isinstance(value, str):
            self.refuse(where, "must hold text, numbers, true or false")
        return self.text(value, where)

    def text(self, value: Any, where: str) -> str:
        if not isinstance(value, str) or not value:
            self.refuse(where, "must be text")
        if printable(value) != value:
            self.refuse(where, f"{printable(value)!r} holds control characters")
        return value

    def seconds(self, data: Mapping[str, Any], where: str) -> float | None:
        value = data.get("timeout")
        if value is None:
            return None
        if (
            isinstance(value, bool)
            or not isinstance(value, (int, float))
            or not 0 < value <= MOST_SECONDS
        ):
            self.refuse(f"{where}timeout", f"must be a number of seconds up to {MOST_SECONDS:g}")
        return float(value)

    def known(self, table: Mapping[str, Any], keys: set[str], where: str) -> None:
        unknown = sorted(set(table) - keys)
        if unknown:
            self.refuse(
                where,
                f"has unknown keys: {', '.join(map(printable, unknown))} (known: "
                f"{', '.join(sorted(keys))})",
                colon=False,
            )

    def refuse(self, where: str, why: str, *, colon: bool = True) -> NoReturn:
        raise InputError(f"{printable(where)}{': ' if colon else ' '}{why}", path=str(self.path))
