"""A sweep's TOML file, read and checked: what is not as docs/tables.md says is an InputError."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from gunrock_cli.errors import InputError, printable

DEFAULT_TIMEOUT = 600.0
MOST_SECONDS = 1e7
"""Of a time limit: 115 days."""
_TOP = {"name", "timeout", "options", "graphs", "run"}
_RUN = {"primitives", "graphs", "options", "axes", "timeout"}

Scalar = str | bool | int | float
Value = TypeVar("Value")


@dataclass(frozen=True)
class PlanRun:
    """One ``[[run]]``: primitives by graphs by axes; ``timeout`` None where the file's holds."""

    primitives: list[str]
    graphs: list[str]
    options: dict[str, Scalar]
    axes: dict[str, list[Scalar]]
    timeout: float | None


@dataclass(frozen=True)
class PlanFile:
    """The whole file; ``name`` is empty where it gives none."""

    name: str = ""
    timeout: float = DEFAULT_TIMEOUT
    options: dict[str, Scalar] = field(default_factory=dict)
    graphs: dict[str, str] = field(default_factory=dict)
    runs: list[PlanRun] = field(default_factory=list)


def read(path: Path) -> PlanFile:
    """The file's tables; InputError in one line for whatever is wrong with it."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"no TOML: {printable(str(error))}", path=str(path)) from error
    except (RecursionError, ValueError):  # the latter of numbers of thousands of digits
        raise InputError("no TOML for a sweep: nested too deeply, or a number of too many digits",
                         path=str(path)) from None
    return _Checker(path).file(data)


class _Checker:
    """Turns what TOML gives into what is declared above, or says where the file differs."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def file(self, data: Mapping[str, Any]) -> PlanFile:
        self.known(data, _TOP, "the file")
        name = self.text(data["name"], "name") if "name" in data else ""
        if "/" in name or name in (".", "..") or len(name.encode()) > 200:
            self.refuse("name", "must be good for a file's name (results/NAME.jsonl)")
        runs = data.get("run", [])
        if not isinstance(runs, list) or not all(isinstance(run, dict) for run in runs):
            self.refuse("run", "must be tables: write [[run]]")
        return PlanFile(
            name, self.seconds(data, "") or DEFAULT_TIMEOUT, self.options(data, ""),
            self.table(data, "graphs", "", self.text),
            [self.run(run, f"[[run]] number {number}") for number, run in enumerate(runs, start=1)])

    def run(self, run: Mapping[str, Any], where: str) -> PlanRun:
        self.known(run, _RUN, where)
        if not run.get("primitives") or not run.get("graphs"):
            self.refuse(where, "needs primitives and graphs", colon=False)
        where += ": "
        return PlanRun(
            self.values(run["primitives"], f"{where}primitives", self.text),
            self.values(run["graphs"], f"{where}graphs", self.text),
            self.options(run, where),
            {self.key(name, f"{where}axes"): axis for name, axis in
             self.table(run, "axes", where,
                        lambda axis, place: self.values(axis, place, self.scalar)).items()},
            self.seconds(run, where))

    def options(self, data: Mapping[str, Any], where: str) -> dict[str, Scalar]:
        return {self.key(name, f"{where}options"): value for name, value in
                self.table(data, "options", where, self.scalar).items()}

    def table(self, data: Mapping[str, Any], name: str, where: str,
              check: Callable[[Any, str], Value]) -> dict[str, Value]:
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

    def key(self, name: str, where: str) -> str:
        """An option's name, as in records."""
        if not name or not all(part.isalnum() for part in name.replace("-", "_").split("_")):
            self.refuse(where, f"{printable(name)!r} is not the name of an option")
        return name.replace("-", "_")

    def seconds(self, data: Mapping[str, Any], where: str) -> float | None:
        value = data.get("timeout")
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)) \
                or not 0 < value <= MOST_SECONDS:
            self.refuse(f"{where}timeout", f"must be a number of seconds up to {MOST_SECONDS:g}")
        return float(value)

    def known(self, table: Mapping[str, Any], keys: set[str], where: str) -> None:
        unknown = sorted(set(table) - keys)
        if unknown:
            self.refuse(where, f"has unknown keys: {', '.join(map(printable, unknown))} (known: "
                        f"{', '.join(sorted(keys))})", colon=False)

    def refuse(self, where: str, why: str, *, colon: bool = True) -> NoReturn:
        raise InputError(f"{printable(where)}{': ' if colon else ' '}{why}", path=str(self.path))
