"""A sweep's TOML file, read and checked: anything that differs from docs/tables.md is an InputError."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gunrock_cli.errors import printable
from gunrock_cli.tomlfile import Scalar, TomlChecker, read_toml

DEFAULT_TIMEOUT = 600.0
PROCESSES = ("cell", "graph")
"""The scopes of a process: each cell, or all cells of a graph."""
DEFAULT_PROCESS = PROCESSES[0]
_TOP = {"name", "timeout", "process", "options", "graphs", "run"}
_RUN = {"primitives", "graphs", "options", "axes", "timeout"}


@dataclass(frozen=True)
class PlanRun:
    """One ``[[run]]``: primitives by graphs by axes; ``timeout`` is None if the file's applies."""

    primitives: list[str]
    graphs: list[str]
    options: dict[str, Scalar]
    axes: dict[str, list[Scalar]]
    timeout: float | None


@dataclass(frozen=True)
class PlanFile:
    """The whole file; ``name`` is empty if it gives none."""

    name: str = ""
    timeout: float = DEFAULT_TIMEOUT
    process: str = DEFAULT_PROCESS
    options: dict[str, Scalar] = field(default_factory=dict)
    graphs: dict[str, str] = field(default_factory=dict)
    runs: list[PlanRun] = field(default_factory=list)


def read(path: Path) -> PlanFile:
    """Read the file's tables; InputError in one line for any mistake."""
    return _Checker(path).file(read_toml(path))


class _Checker(TomlChecker):
    """Converts TOML's values to the classes above, or says where the file differs."""

    def file(self, data: Mapping[str, Any]) -> PlanFile:
        self.known(data, _TOP, "the file")
        name = self.text(data["name"], "name") if "name" in data else ""
        if "/" in name or name in (".", "..") or len(name.encode()) > 200:
            self.refuse("name", "must be good for a file's name (results/NAME.jsonl)")
        runs = data.get("run", [])
        if not isinstance(runs, list) or not all(isinstance(run, dict) for run in runs):
            self.refuse("run", "must be tables: write [[run]]")
        return PlanFile(
            name,
            self.seconds(data, "") or DEFAULT_TIMEOUT,
            self.process(data),
            self.options(data, ""),
            self.table(data, "graphs", "", self.text),
            [self.run(run, f"[[run]] number {number}") for number, run in enumerate(runs, start=1)],
        )

    def run(self, run: Mapping[str, Any], where: str) -> PlanRun:
        self.known(run, _RUN, where)
        if not run.get("primitives") or not run.get("graphs"):
            self.refuse(where, "needs primitives and graphs", colon=False)
        where += ": "
        return PlanRun(
            self.values(run["primitives"], f"{where}primitives", self.text),
            self.values(run["graphs"], f"{where}graphs", self.text),
            self.options(run, where),
            {
                self.key(name, f"{where}axes"): axis
                for name, axis in self.table(
                    run, "axes", where, lambda axis, place: self.values(axis, place, self.scalar)
                ).items()
            },
            self.seconds(run, where),
        )

    def process(self, data: Mapping[str, Any]) -> str:
        found = self.text(data.get("process", DEFAULT_PROCESS), "process")
        if found not in PROCESSES:
            self.refuse("process", f"must be {' or '.join(PROCESSES)}")
        return found

    def options(self, data: Mapping[str, Any], where: str) -> dict[str, Scalar]:
        return {
            self.key(name, f"{where}options"): value
            for name, value in self.table(data, "options", where, self.scalar).items()
        }

    def key(self, name: str, where: str) -> str:
        """An option's name, as in records."""
        if not name or not all(part.isalnum() for part in name.replace("-", "_").split("_")):
            self.refuse(where, f"{printable(name)!r} is not the name of an option")
        return name.replace("-", "_")
