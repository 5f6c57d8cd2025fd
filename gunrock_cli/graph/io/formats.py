"""The formats of graph files: one table of what is read, one of what is written. Imports nothing heavy:
the command line reads this.

A new format is an entry here and a module that reads it, writes it, or both. ``docs/graphs.md`` says
what each keeps, and where its layout is defined.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from gunrock_cli.errors import UsageError

_HERE = __name__.rpartition(".")[0]
_HEAD = 8
"""Bytes that tell two formats of one ending apart."""


@dataclass(frozen=True)
class Kind:
    """How files are read: a value of ``GraphSpec.kind``, and the option of that name.

    ``reader`` is module:function in this package. ``suffixes`` are the endings of names that imply it
    (text also with .gz behind). ``parts``: endings of the files of a graph that lies in several, the
    first of which is the one to open; those in ``optional`` need not be there.
    """

    reader: str
    help: str
    suffixes: tuple[str, ...]
    parts: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()

    def read(self, *arguments: Any) -> Any:
        """What the reader gives (``EdgeList``, ``StoredRows``) for a path and a progress callback."""
        return _imported(self.reader)(*arguments)


@dataclass(frozen=True)
class Format:
    """How a graph is written. ``kind`` reads it back.

    ``files`` are the endings of the files behind the path: one without an ending, or several, of which
    ``weight_files`` are written only where there are weights. ``weights``: whether the format has none,
    has those of the graph, if any (``kept``), must have some (``needed``), or writes ones where a graph
    has none (``ones``). ``whole``: they are integers of 32 bits. ``most_edges`` counts directed edges.
    """

    writer: str
    kind: str
    summary: str
    weights: Literal["none", "kept", "needed", "ones"]
    whole: bool = False
    fewest_vertices: int = 0
    most_edges: int | None = None
    both_sides: bool = False
    """In-edges of a directed graph are written too."""
    loses_last: bool = False
    """Vertices behind the last that has an edge cannot be told from none."""
    text: bool = False
    """May be packed with gzip."""
    files: tuple[str, ...] = ("",)
    weight_files: tuple[str, ...] = ()

    def write(self, *arguments: Any) -> None:
        """Write a graph, prepared for the format, to its open files."""
        _imported(self.writer)(*arguments)


KINDS: Mapping[str, Kind] = {
    "market": Kind("readers.market:read", "Matrix Market file (.mtx, .mtx.gz; - reads stdin).",
                   (".mtx",)),
    "edge-list": Kind("readers.edge_list:read",
                      "SNAP or GAP edge list: two vertex numbers per line, then optionally a weight.",
                      (".el", ".wel", ".edges", ".txt", ".tsv")),
    "dimacs": Kind("readers.dimacs:read", "DIMACS shortest-path file (.gr).", (".gr",)),
    "metis": Kind("readers.metis:read", "METIS file (.graph).", (".graph", ".metis")),
    "npz": Kind("readers.npz:read", "SciPy sparse matrix (.npz).", (".npz",)),
    "binary": Kind("readers.binary:read", "Binary form written by gunrock generate (.gcsr).", (".gcsr",)),
    "sg": Kind("exchange.gap:read", "GAP's serialized graph (.sg).", (".sg",)),
    "wsg": Kind("exchange.gap:read_weighted", "GAP's, with weights (.wsg).", (".wsg",)),
}
"""In the order in which help shows them."""

FORMATS: Mapping[str, Format] = {
    "mtx": Format("exchange.market:write", "market", "Matrix Market; Gunrock 1.x", "kept", text=True),
    "el": Format("exchange.edges:write", "edge-list", "GAP's edge list", "none", loses_last=True,
                 text=True),
    "wel": Format("exchange.edges:write", "edge-list", "GAP's weighted edge list", "needed", whole=True,
                  loses_last=True, text=True),
    "edge-list": Format("exchange.edges:write", "edge-list", "SNAP edge list", "kept", loses_last=True,
                        text=True),
    "sg": Format("exchange.gap:write", "sg", "GAP's serialized graph", "none", both_sides=True),
    "wsg": Format("exchange.gap:write", "wsg", "GAP's, with weights", "needed", whole=True,
                  both_sides=True),
    "npz": Format("exchange.npz:write", "npz", "SciPy sparse matrix", "kept"),
    "binary": Format("readers.binary:write", "binary", "this tool's binary form", "kept",
                     both_sides=True),
}
"""What ``writers.write_graph`` writes, by the names that ``--format`` takes."""

_NAMED = {".mtx": "mtx", ".el": "edge-list", ".edges": "edge-list", ".txt": "edge-list",
          ".tsv": "edge-list", ".wel": "wel", ".sg": "sg", ".wsg": "wsg", ".npz": "npz",
          ".gcsr": "binary"}
"""Format by the ending of the name to write to."""

SUFFIXES = {suffix: kind for kind, entry in KINDS.items() for suffix in entry.suffixes}
"""Kind by file name ending."""


def kind_of_file(path: str) -> str:
    """The kind of a file by its name; UsageError when the name does not imply one."""
    if path == "-":
        return "market"
    suffix = _suffix(path)
    if suffix not in SUFFIXES:
        flags = [f"--{kind}" for kind in KINDS]
        raise UsageError(f"{path}: the name does not tell the format; say which with "
                         f"{', '.join(flags[:-1])} or {flags[-1]}")
    return SUFFIXES[suffix]


def format_to_write(path: str) -> str:
    """The format that a name to write to implies; UsageError where none, or one that is only read."""
    kind = kind_of_file(path)
    suffix = _suffix(path)
    if suffix not in _NAMED or path == "-":
        raise UsageError(f"{path}: {kind} files cannot be written; use another ending "
                         f"({' '.join(_NAMED)}) or --format")
    return _NAMED[suffix]


def stem(path: str) -> str:
    """The file's name without folder and known endings."""
    name = os.path.basename(path).removesuffix(".gz")
    root, suffix = os.path.splitext(name)
    return root if suffix.lower() in SUFFIXES else name


def _suffix(path: str) -> str:
    return os.path.splitext(path.removesuffix(".gz"))[1].lower()


def _imported(place: str) -> Callable[..., Any]:
    module, _, function = place.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(f"{_HERE}.{module}"), function)
    return found
