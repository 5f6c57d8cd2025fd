"""The contents of a peer's description: one program per primitive, and how to call it and to read its
output."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

DEFAULT_TIMEOUT = 600.0
MS_PER_UNIT = {"s": 1e3, "ms": 1.0, "us": 1e-3, "ns": 1e-6}
ANSWER_TYPES = ("int32", "uint32", "int64", "uint64", "float32", "float64")
COUNTED = {
    "components": ("cc",),
    "reached": ("bfs", "sssp", "bc"),
    "depth": ("bfs",),
    "weight": ("mst",),
    "triangles": ("triangles",),
}
"""The meanings of a number printed by a program, and the primitives for which each is possible."""
PLACEHOLDERS = ("graph", "source", "runs", "answer", "threads", "folder")
"""Placeholders allowed in every command; so are the options that peers share with us (``{damping}``)."""


@dataclass(frozen=True)
class TimeRule:
    """The rule that finds the times: the group of ``pattern`` in the printed lines, in ``unit``, without
    the first ``drop``."""

    pattern: re.Pattern[str]
    unit: str
    drop: int = 0


@dataclass(frozen=True)
class FileAnswer:
    """An answer in the file {answer}: raw values of a ``type``, or ("pairs") lines "vertex value";
    ``unreached`` are the values for vertices that were not reached. With ``normalize``, ranks are divided
    by their sum."""

    type: str
    unreached: tuple[str | int | float, ...] = ()
    normalize: bool = False


@dataclass(frozen=True)
class PrintedAnswer:
    """A number that the program prints, such as the number of components (one of COUNTED)."""

    pattern: re.Pattern[str]
    of: str


@dataclass(frozen=True)
class OwnCheck:
    """Output that shows that a program's own check of its answer passed or failed; with ``command`` the
    program starts once more for that, off the clock."""

    passed: re.Pattern[str]
    failed: re.Pattern[str]
    command: tuple[str, ...] = ()


@dataclass(frozen=True)
class Program:
    """The program that runs one primitive."""

    primitive: str
    command: tuple[str, ...]
    format: str
    time: TimeRule
    answer: FileAnswer | PrintedAnswer | None = None
    check: OwnCheck | None = None
    clock: str = "the program's own clock"
    timeout: float = DEFAULT_TIMEOUT
    env: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, str | bool | int | float] = field(default_factory=dict)
    """Options that peers share with us and that are built into this program."""
    iterations: re.Pattern[str] | None = None
    undirected: bool = False
    """True if its command is right only for undirected graphs."""

    @property
    def texts(self) -> Iterator[str]:
        """All texts that may hold placeholders and belong to the timed runs."""
        yield from self.command
        yield from self.env.values()

    @property
    def repeats(self) -> bool:
        """True if it takes the number of runs, and so starts only once."""
        return any("runs" in placeholders(text) for text in self.texts)


@dataclass(frozen=True)
class Description:
    """The whole file."""

    name: str
    path: Path
    programs: Mapping[str, Program]
    title: str = ""
    version: str = ""
    backend: str = "cpu"
    built: str = ""
    """How the program was built, in a sentence."""
    wrong: str = ""
    """A known error of the program, in a sentence."""


def placeholders(text: str) -> list[str]:
    """The names of the placeholders, in order; ``ValueError`` if a text's braces make none."""
    found = []
    for _, name, form, conversion in string.Formatter().parse(text):
        if name is not None:
            if form or conversion or not re.fullmatch(r"[a-z_]+", name):
                raise ValueError(f"{text!r} holds braces that are no placeholder (write {{{{ and }}}})")
            found.append(name)
    return found


def filled(text: str, values: Mapping[str, str]) -> str:
    """Replace the placeholders by their values, and doubled braces by single ones."""
    return "".join(
        literal + ("" if name is None else values[name])
        for literal, name, _, _ in string.Formatter().parse(text)
    )
