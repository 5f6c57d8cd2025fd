"""What a sweep runs: cells from a TOML file or from axes on the command line.

A cell is one ``gunrock`` command: a primitive, a graph as one would write it on the command line,
and options. Its key names it in records, so that a sweep can be taken up again.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gunrock_cli.errors import InputError, UsageError

DEFAULT_TIMEOUT = 600.0
MOST_SECONDS = 1e7
"""Of a time limit: 115 days."""
_TOP = {"name", "timeout", "options", "graphs", "run"}
_RUN = {"primitives", "graphs", "options", "axes", "timeout"}


@dataclass(frozen=True)
class GraphChoice:
    """``words`` is the graph on a command line (``("rmat", "--scale", "20")``); ``name`` what the
    tables call it, "" for the graph's own name."""

    words: tuple[str, ...]
    name: str = ""

    @property
    def label(self) -> str:
        return self.name or " ".join(self.words)


@dataclass(frozen=True)
class Cell:
    """One run of the sweep, in a process of its own."""

    primitive: str
    graph: GraphChoice
    options: tuple[tuple[str, Any], ...] = ()
    timeout: float = DEFAULT_TIMEOUT

    @property
    def arguments(self) -> list[str]:
        """What follows ``gunrock`` on the command line, but for ``--json``."""
        return [self.primitive, *self.graph.words, *itertools.chain.from_iterable(
            option_words(key, value) for key, value in self.options)]

    @property
    def key(self) -> str:
        """The same for the same command, whatever its time limit."""
        named = json.dumps([self.graph.name, self.arguments])
        return hashlib.sha256(named.encode()).hexdigest()[:16]

    @property
    def label(self) -> str:
        settings = " ".join(f"{key}={value}" for key, value in self.options)
        return f"{self.primitive} {self.graph.label} {settings}".strip()


@dataclass
class Plan:
    """A sweep's name and its cells, in order, each once."""

    name: str
    cells: list[Cell] = field(default_factory=list)


def option_words(key: str, value: Any) -> list[str]:
    """``idempotence=True`` is ``--idempotence``, ``alpha=2`` is ``--alpha 2``; True and False may
    be words (``true``), as they come from a command line."""
    flag = key.replace("_", "-")
    if value is True or value == "true":
        return [f"--{flag}"]
    if value is False or value == "false":
        return [f"--no-{flag}"]
    return [f"--{flag}", str(value)]


def graph_choice(text: str, base: Path | None = None) -> GraphChoice:
    """``NAME=WORDS`` or ``WORDS``; a relative file is looked for beside ``base`` too."""
    name, sign, rest = text.partition("=")
    named = bool(sign) and not name.startswith("-") and " " not in name and "/" not in name
    words = shlex.split(rest if named else text)
    if not words:
        raise UsageError(f"{text!r} names no graph")
    if base is not None and not Path(words[0]).exists() and (base / words[0]).is_file():
        words[0] = str(base / words[0])
    return GraphChoice(tuple(words), name if named else "")


def parse_axis(text: str) -> tuple[str, list[str]]:
    """``--set advance_mode=TM,TWC,LB`` is one axis of three values."""
    key, sign, values = text.partition("=")
    found = [value for value in values.split(",") if value]
    if not sign or not key or not found:
        raise UsageError(f"--set {text}: write OPTION=VALUE or OPTION=VALUE,VALUE,...")
    return key.strip().lstrip("-"), found


def cross(primitives: Sequence[str], graphs: Sequence[GraphChoice], fixed: Mapping[str, Any],
          axes: Mapping[str, Sequence[Any]], timeout: float) -> list[Cell]:
    """Every primitive on every graph with every combination of the axes' values."""
    keys = list(axes)
    return [
        Cell(primitive, graph, tuple({**fixed, **dict(zip(keys, values, strict=True))}.items()),
             timeout)
        for primitive, graph in itertools.product(primitives, graphs)
        for values in itertools.product(*(axes[key] for key in keys))
    ]


def plan_from_axes(name: str, primitives: Sequence[str], graphs: Sequence[str],
                   settings: Sequence[str], timeout: float) -> Plan:
    """The sweep of ``--primitive``, ``--graph`` and ``--set``."""
    names = [word for text in primitives for word in text.split(",") if word]
    axes = parse_axes(settings)
    cells = cross(names, [graph_choice(text) for text in graphs], {}, axes, timeout)
    return Plan(name, unique(cells))


def parse_axes(settings: Sequence[str]) -> dict[str, list[str]]:
    """All ``--set`` together; one option may be given several times."""
    axes: dict[str, list[str]] = {}
    for text in settings:
        key, values = parse_axis(text)
        axes.setdefault(key, []).extend(values)
    return axes


def read_plan(path: Path, timeout: float | None = None, settings: Sequence[str] = ()) -> Plan:
    """The sweep of a TOML file (docs/tables.md says what it may hold).

    ``timeout`` and ``settings`` (``OPTION=VALUE,...``) replace what the file says for every run.
    """
    chosen = {key.replace("-", "_"): values for key, values in parse_axes(settings).items()}
    try:
        data = tomllib.loads(path.read_text())
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"no TOML: {error}", path=str(path)) from error
    _known(data, _TOP, path, "the file")
    limit = float(timeout or data.get("timeout", DEFAULT_TIMEOUT))
    aliases = {
        name: GraphChoice(graph_choice(text, path.parent).words, name)
        for name, text in data.get("graphs", {}).items()
    }
    cells: list[Cell] = []
    for number, run in enumerate(data.get("run", []), start=1):
        _known(run, _RUN, path, f"[[run]] number {number}")
        if not run.get("primitives") or not run.get("graphs"):
            raise InputError(f"[[run]] number {number} needs primitives and graphs",
                             path=str(path))
        graphs = [aliases.get(text) or graph_choice(text, path.parent) for text in run["graphs"]]
        fixed = {**data.get("options", {}), **run.get("options", {})}
        axes = {key.replace("-", "_"): values for key, values in run.get("axes", {}).items()}
        fixed = {key.replace("-", "_"): value for key, value in fixed.items()}
        own = float(timeout or run.get("timeout", limit))
        cells += cross(run["primitives"], graphs, fixed, {**axes, **chosen}, own)
    if not cells:
        raise InputError("holds no [[run]]", path=str(path))
    return Plan(str(data.get("name", path.stem)), unique(cells))


def _known(table: Mapping[str, Any], keys: set[str], path: Path, where: str) -> None:
    unknown = sorted(set(table) - keys)
    if unknown:
        raise InputError(f"{where} has unknown keys: {', '.join(unknown)} (known: "
                         f"{', '.join(sorted(keys))})", path=str(path))


def unique(cells: Sequence[Cell]) -> list[Cell]:
    """Cells that two runs share are run once."""
    return list({cell.key: cell for cell in cells}.values())
