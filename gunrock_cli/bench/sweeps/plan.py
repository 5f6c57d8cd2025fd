"""The cells of a sweep, from a TOML file or from axes on the command line.

A cell is one ``gunrock`` command: a primitive (or a FILE.py that defines one), a graph as written on the
command line, and options. Its key names it in records, so that a sweep can be resumed."""

from __future__ import annotations

import glob
import hashlib
import itertools
import json
import math
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gunrock_cli.bench.sweeps import planfile
from gunrock_cli.bench.sweeps.planfile import DEFAULT_PROCESS, DEFAULT_TIMEOUT
from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.primitives.external import command_words, short_name

MOST_CELLS = 100_000
"""The limit for one set of crossed axes."""


@dataclass(frozen=True)
class GraphChoice:
    """``words`` is the graph on a command line (``("rmat", "--scale", "20")``); ``name`` is its name in
    the tables, "" for the graph's own name."""

    words: tuple[str, ...]
    name: str = ""

    @property
    def label(self) -> str:
        return self.name or " ".join(self.words)


@dataclass(frozen=True)
class SweepCell:
    """One run of the sweep."""

    primitive: str  # a name or a FILE.py
    graph: GraphChoice
    options: tuple[tuple[str, Any], ...] = ()
    timeout: float = DEFAULT_TIMEOUT

    @property
    def arguments(self) -> list[str]:
        """The words after ``gunrock`` on the command line, except ``--json``."""
        return [
            *command_words(self.primitive),
            *self.graph.words,
            *itertools.chain.from_iterable(option_words(key, value) for key, value in self.options),
        ]

    @property
    def name(self) -> str:
        """The primitive's own name, even if it comes from a file."""
        return short_name(self.primitive)

    @property
    def key(self) -> str:
        """The identity of the cell: equal for equal commands, whatever their time limits."""
        named = json.dumps([self.graph.name, self.arguments])
        return hashlib.sha256(named.encode()).hexdigest()[:16]

    @property
    def label(self) -> str:
        settings = " ".join(f"{key}={value}" for key, value in self.options)
        return f"{self.name} {self.graph.label} {settings}".strip()


@dataclass
class Plan:
    """A sweep's name and its cells, in order, each once. ``process``: one of PROCESSES."""

    name: str
    cells: list[SweepCell] = field(default_factory=list)
    process: str = DEFAULT_PROCESS


def option_words(key: str, value: Any) -> list[str]:
    """``idempotence=True`` is ``--idempotence``, ``alpha=2`` is ``--alpha 2``; True and False may be
    words (``true``), as from a command line."""
    flag = key.replace("_", "-")
    if value is True or value == "true":
        return [f"--{flag}"]
    if value is False or value == "false":
        return [f"--no-{flag}"]
    return [f"--{flag}", str(value)]


def graph_choice(text: str, base: Path | None = None) -> GraphChoice:
    """Parse ``NAME=WORDS`` or ``WORDS``; a relative file is also looked for next to ``base``."""
    name, sign, rest = text.partition("=")
    named = bool(sign) and not name.startswith("-") and " " not in name and "/" not in name
    try:
        words = shlex.split(rest if named else text)
    except ValueError as error:  # an unclosed quotation
        raise UsageError(f"{text!r} is not a graph: {error}") from None
    if not words:
        raise UsageError(f"{text!r} names no graph")
    return GraphChoice((_found(words[0], base), *words[1:]), name if named else "")


def graph_choices(text: str, base: Path | None = None) -> list[GraphChoice]:
    """Parse as ``graph_choice`` does; a pattern such as ``graphs/*.mtx`` gives all matching files, by
    their names."""
    choice = graph_choice(text, base)
    pattern = choice.words[0]
    if not glob.has_magic(pattern) or os.path.exists(pattern):
        return [choice]
    files = _matching(pattern) or (_matching(str(base / pattern)) if base is not None else [])
    if not files:
        raise UsageError(f"{pattern}: no file has such a name")
    if choice.name and len(files) > 1:
        raise UsageError(f"{choice.name}={pattern}: a name for one graph, and {len(files)} files match")
    return [GraphChoice((file, *choice.words[1:]), choice.name) for file in files]


def _matching(pattern: str) -> list[str]:
    return sorted(filter(os.path.isfile, glob.iglob(pattern)))


def _found(name: str, base: Path | None) -> str:
    """Add the path to a file that is only next to ``base``."""
    if base is not None and not os.path.exists(name) and os.path.isfile(base / name):
        return str(base / name)
    return name


def _peers_found(key: str, value: Any, base: Path) -> Any:
    """The peers of ``against``; add the path to a description that is only next to ``base``."""
    if key != "against" or not isinstance(value, str):
        return value
    names = [name.strip() for name in value.split(",")]
    return ",".join(_found(name, base) if name.endswith(".toml") else name for name in names)


def parse_axis(text: str) -> tuple[str, list[str]]:
    """Parse one axis: ``--set advance_mode=TM,TWC,LB`` has three values."""
    key, sign, values = text.partition("=")
    found = [value for value in values.split(",") if value]
    if not sign or not key or not found:
        raise UsageError(f"--set {text}: write OPTION=VALUE or OPTION=VALUE,VALUE,...")
    return key.strip().lstrip("-"), found


def cross(
    primitives: Sequence[str],
    graphs: Sequence[GraphChoice],
    fixed: Mapping[str, Any],
    axes: Mapping[str, Sequence[Any]],
    timeout: float,
) -> list[SweepCell]:
    """Every primitive on every graph with every combination of the axes' values."""
    keys = list(axes)
    count = math.prod([len(primitives), len(graphs), *(len(axes[key]) for key in keys)])
    if count > MOST_CELLS:
        raise UsageError(f"a sweep of {count} cells: at most {MOST_CELLS}")
    return [
        SweepCell(
            primitive, graph, tuple({**fixed, **dict(zip(keys, values, strict=True))}.items()), timeout
        )
        for primitive, graph in itertools.product(primitives, graphs)
        for values in itertools.product(*(axes[key] for key in keys))
    ]


def plan_from_axes(
    name: str, primitives: Sequence[str], graphs: Sequence[str], settings: Sequence[str], timeout: float
) -> Plan:
    """The sweep of ``--primitive``, ``--graph`` and ``--set``."""
    names = [word for text in primitives for word in text.split(",") if word]
    axes = parse_axes(settings)
    found = [choice for text in graphs for choice in graph_choices(text)]
    cells = cross(names, found, {}, axes, timeout)
    return Plan(name, unique(cells))


def parse_axes(settings: Sequence[str]) -> dict[str, list[str]]:
    """Parse all ``--set`` together; an option may be given several times."""
    axes: dict[str, list[str]] = {}
    for text in settings:
        key, values = parse_axis(text)
        axes.setdefault(key, []).extend(values)
    return axes


def read_plan(path: Path, timeout: float | None = None, settings: Sequence[str] = ()) -> Plan:
    """The sweep of a TOML file (docs/tables.md defines its contents).

    ``timeout`` and ``settings`` (``OPTION=VALUE,...``) replace the file's values for every run."""
    chosen = {key.replace("-", "_"): values for key, values in parse_axes(settings).items()}
    data = planfile.read(path)
    limit = timeout or data.timeout
    aliases = {name: [_alias(name, text, path)] for name, text in data.graphs.items()}
    cells: list[SweepCell] = []
    for number, run in enumerate(data.runs, start=1):
        graphs = [
            choice
            for text in run.graphs
            for choice in aliases.get(text) or _graphs(text, path, f"[[run]] number {number}")
        ]
        primitives = [_found(name, path.parent) for name in run.primitives]
        fixed = {
            key: _peers_found(key, value, path.parent)
            for key, value in {**data.options, **run.options}.items()
        }
        axes = {
            key: [_peers_found(key, value, path.parent) for value in values]
            for key, values in run.axes.items()
        }
        cells += cross(primitives, graphs, fixed, {**axes, **chosen}, timeout or run.timeout or limit)
    if not cells:
        raise InputError("holds no [[run]]", path=str(path))
    return Plan(data.name or path.stem, unique(cells), data.process)


def _alias(name: str, text: str, path: Path) -> GraphChoice:
    found = _graphs(text, path, f"graphs.{name}")
    if len(found) > 1:
        raise InputError(
            f"graphs.{name}: a name for one graph, and {len(found)} files match", path=str(path)
        )
    return GraphChoice(found[0].words, name)


def _graphs(text: str, path: Path, where: str) -> list[GraphChoice]:
    try:
        return graph_choices(text, path.parent)
    except UsageError as error:
        raise InputError(f"{where}: {error}", path=str(path)) from None


def unique(cells: Sequence[SweepCell]) -> list[SweepCell]:
    """Keep each cell once, even if two runs have it."""
    return list({cell.key: cell for cell in cells}.values())
