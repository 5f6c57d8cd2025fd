"""The formats of graph files: one table of kinds to read, one of formats to write. Imports nothing heavy,
as the command line reads it.

A new format is an entry here and a module that reads it, writes it, or both. ``docs/graphs.md`` says what
each format keeps; the head of its module says where its layout is defined.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from gunrock_cli.errors import InputError, UsageError

_HERE = __name__.rsplit(".", 2)[0]
_INT_MAX = 2**31 - 1
_WEIGHTS = ("weights", "weight_type")
PACKED = (".gz", ".bz2", ".xz", ".zst")
"""Endings of packed files, after the ending that tells the format."""
_TWINS = {
    ".gr": (
        "galois",
        (1).to_bytes(8, "little"),
        "DIMACS files cannot be written; Galois's binary form is --format gr",
    )
}
"""Binary formats with the endings of text formats that can only be read: the beginning of their files,
and the advice to a user who wants to write one."""


@dataclass(frozen=True)
class Kind:
    """A way to read files: a value of ``GraphSpec.kind``, and the option of that name.

    ``reader`` is module:function in ``files``. ``suffixes`` are the name endings that imply it (of text
    also with one of PACKED after it). ``parts``: endings of the files of a graph that is stored in
    several; the first is the one to open, and files in ``optional`` need not exist.
    """

    reader: str
    help: str
    suffixes: tuple[str, ...]
    parts: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    """Fields of ``GraphSpec`` that are passed to the reader."""
    names: bool = False
    """True if its vertices always have names."""

    def read(self, *arguments: Any, **how: Any) -> Any:
        """The reader's result (``EdgeList``, ``StoredRows``) for a path and a progress callback."""
        return _imported(self.reader)(*arguments, **how)


@dataclass(frozen=True)
class Format:
    """A way to write a graph. ``kind`` reads it back.

    ``files`` are the endings that its files add to the path: one empty ending, or several, of which
    ``weight_files`` are written only if there are weights. ``weights``: the format has none, keeps the
    graph's, if any (``kept``), requires some (``needed``), or writes ones if a graph has none (``ones``);
    ``numbers`` are the weights it can hold. ``most_edges`` counts directed edges.
    """

    writer: str
    kind: str
    summary: str
    weights: Literal["none", "kept", "needed", "ones"]
    numbers: Literal["any", "int32", "float32"] = "any"
    fewest_vertices: int = 0
    most_edges: int | None = None
    both_sides: bool = False
    """In-edges of a directed graph are also written."""
    loses_last: bool = False
    """Vertices after the last one with an edge are lost."""
    text: bool = False
    """May be packed with gzip."""
    files: tuple[str, ...] = ("",)
    weight_files: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    """Endings of output names that imply it."""

    def write(self, *arguments: Any) -> None:
        """Write a graph, prepared for the format, to its open files."""
        _imported(self.writer)(*arguments)


KINDS: Mapping[str, Kind] = {
    "market": Kind(
        "readers.market:read",
        "Matrix Market file (.mtx). All: also packed (.gz, .bz2, .xz, .zst), or - for stdin.",
        (".mtx",),
        takes=_WEIGHTS,
    ),
    "edge-list": Kind(
        "readers.edge_list:read",
        "SNAP or GAP edge list. Two vertex numbers per line, then optionally a weight.",
        (".el", ".wel", ".edges", ".txt", ".tsv"),
        takes=("named", *_WEIGHTS),
    ),
    "table": Kind(
        "readers.table:read",
        "Edges by their ends' names. CSV with a header, Parquet, Arrow.",
        (".csv", ".parquet", ".arrow", ".feather"),
        takes=("columns", *_WEIGHTS),
        names=True,
    ),
    "dimacs": Kind("readers.dimacs:read", "DIMACS shortest-path file (.gr).", (".gr",), takes=_WEIGHTS),
    "metis": Kind("readers.metis:read", "METIS file (.graph).", (".graph", ".metis"), takes=_WEIGHTS),
    "npz": Kind("readers.npz:read", "SciPy sparse matrix (.npz).", (".npz",), takes=_WEIGHTS),
    "binary": Kind("readers.binary:read", "Binary form written by gunrock generate (.gcsr).", (".gcsr",)),
    "sg": Kind("exchange.gap:read", "GAP's serialized graph (.sg).", (".sg",)),
    "wsg": Kind("exchange.gap:read_weighted", "GAP's, with weights (.wsg).", (".wsg",)),
    "ligra": Kind(
        "exchange.ligra:read", "Ligra's adjacency graph, text (.adj).", (".adj",), takes=("weights",)
    ),
    "ligra-binary": Kind(
        "exchange.ligra_binary:read",
        "Ligra's, binary: NAME of NAME.config .idx .adj.",
        (".config",),
        parts=(".config", ".idx", ".adj"),
    ),
    "egr": Kind("exchange.egr:read", "ECL's graph (.egr).", (".egr",)),
    "galois": Kind("exchange.galois:read", "Galois's binary graph, version 1 (.gr).", ()),
    "csr": Kind("exchange.gunrock2:read", "Gunrock 2.x's binary rows (.csr).", (".csr",)),
    "gunrock1": Kind(
        "exchange.gunrock1:read",
        "Gunrock 1.x's binary form beside FILE (FILE.meta).",
        (".meta",),
        parts=(".meta", ".coo_edge_pairs"),
        optional=(".coo_edge_values",),
    ),
}
"""Kinds in the order in which help shows them."""

FORMATS: Mapping[str, Format] = {
    "mtx": Format(
        "exchange.matrix:write_market",
        "market",
        "Matrix Market; Gunrock 1.x",
        "kept",
        text=True,
        suffixes=(".mtx",),
    ),
    "el": Format(
        "exchange.matrix:write_edges", "edge-list", "GAP's edge list", "none", loses_last=True, text=True
    ),
    "wel": Format(
        "exchange.matrix:write_edges",
        "edge-list",
        "GAP's weighted edge list",
        "needed",
        "int32",
        loses_last=True,
        text=True,
        suffixes=(".wel",),
    ),
    "edge-list": Format(
        "exchange.matrix:write_edges",
        "edge-list",
        "SNAP edge list",
        "kept",
        loses_last=True,
        text=True,
        suffixes=(".el", ".edges", ".txt", ".tsv"),
    ),
    "sg": Format(
        "exchange.gap:write", "sg", "GAP's serialized graph", "none", both_sides=True, suffixes=(".sg",)
    ),
    "wsg": Format(
        "exchange.gap:write",
        "wsg",
        "GAP's, with weights",
        "needed",
        "int32",
        both_sides=True,
        suffixes=(".wsg",),
    ),
    "ligra": Format(
        "exchange.ligra:write",
        "ligra",
        "Ligra's adjacency graph, text",
        "kept",
        "int32",
        most_edges=_INT_MAX,
        suffixes=(".adj",),
    ),
    "ligra-binary": Format(
        "exchange.ligra_binary:write",
        "ligra-binary",
        "Ligra's, binary: three files",
        "kept",
        "int32",
        most_edges=_INT_MAX,
        files=(".config", ".idx", ".adj"),
        suffixes=(".config",),
    ),
    "egr": Format(
        "exchange.egr:write",
        "egr",
        "ECL's graph",
        "kept",
        "int32",
        fewest_vertices=1,
        most_edges=_INT_MAX,
        suffixes=(".egr",),
    ),
    "gr": Format("exchange.galois:write", "galois", "Galois's binary graph; ADDS", "kept", "int32"),
    "csr": Format(
        "exchange.gunrock2:write",
        "csr",
        "Gunrock 2.x's binary rows",
        "ones",
        "float32",
        most_edges=_INT_MAX,
        suffixes=(".csr",),
    ),
    "gunrock1": Format(
        "exchange.gunrock1:write",
        "gunrock1",
        "Gunrock 1.x's binary form beside a .mtx",
        "kept",
        most_edges=2**32 - 1,
        files=(".meta", ".coo_edge_pairs"),
        weight_files=(".coo_edge_values",),
        suffixes=(".meta",),
    ),
    "npz": Format("exchange.matrix:write_npz", "npz", "SciPy sparse matrix", "kept", suffixes=(".npz",)),
    "binary": Format(
        "readers.binary:write",
        "binary",
        "this tool's binary form",
        "kept",
        both_sides=True,
        suffixes=(".gcsr",),
    ),
}
"""The formats that ``writers.write_graph`` writes, by the names that ``--format`` takes."""

_NAMED = {suffix: name for name, entry in FORMATS.items() for suffix in entry.suffixes}
"""Format by the ending of an output name."""

SUFFIXES = {suffix: kind for kind, entry in KINDS.items() for suffix in entry.suffixes}
"""Kind by file name ending."""


def kind_of_file(path: str) -> str:
    """The kind of a file by its name; UsageError if the name does not imply one."""
    if path == "-":
        return "market"
    suffix = _suffix(path)
    twin, head, _ = _TWINS.get(suffix, ("", b"", ""))
    if twin and _begins(path, head):
        return twin
    if suffix not in SUFFIXES:
        _check_content(path)
        flags = [f"--{kind}" for kind in KINDS]
        raise UsageError(
            f"{path}: the name does not tell the format; say which with "
            f"{', '.join(flags[:-1])} or {flags[-1]}"
        )
    return SUFFIXES[suffix]


def _check_content(path: str) -> None:
    """Raise InputError for a file that no reader would read, or only one that must be named."""
    if os.path.isfile(path):
        from gunrock_cli.graph.sources.files.readers.content import check_content

        check_content("", path)


def names_a_format(path: str) -> bool:
    """True if a name ends like a graph file's."""
    return _suffix(path) in SUFFIXES


def files_to_read(kind: str, path: str) -> list[str]:
    """The files of a graph: the path itself or, if there are several, the required files and those of the
    optional ones that exist. The path may then be the first file's, or have no ending."""
    entry = KINDS[kind]
    if not entry.parts:
        return [path]
    base = path.removesuffix(entry.parts[0])
    rest = [base + ending for ending in entry.optional]
    return [*(base + ending for ending in entry.parts), *filter(os.path.exists, rest)]


def format_to_write(path: str, name: str | None = None) -> str:
    """The format in which to write a graph: the given one, or else the one implied by the file's name.
    UsageError if there is none, or one that can only be read, or that cannot be packed."""
    name = _implied(path) if name is None else name
    if name not in FORMATS:
        raise UsageError(f"no format {name}; there are {', '.join(FORMATS)}")
    ending = os.path.splitext(path)[1]
    if ending in PACKED and not FORMATS[name].text:
        raise UsageError(f"{path}: only text formats are compressed; leave {ending} out")
    if ending in PACKED[1:]:
        raise UsageError(f"{path}: only gzip is written; end the name in .gz, or leave {ending} out")
    return name


def _implied(path: str) -> str:
    suffix = _suffix(path)
    if suffix in _NAMED:
        return _NAMED[suffix]
    named = f"use another ending ({' '.join(_NAMED)}) or --format"
    if suffix in _TWINS:
        raise UsageError(f"{path}: {_TWINS[suffix][2]}")
    if path == "-" or suffix in SUFFIXES:
        raise UsageError(f"{path}: cannot be written; {named}")
    raise UsageError(f"{path}: the name does not tell the format; {named}")


def stem(path: str) -> str:
    """The file's name without folder and known endings."""
    name = _unpacked_name(os.path.basename(path))
    root, suffix = os.path.splitext(name)
    return root if suffix.lower() in SUFFIXES else name


def _begins(path: str, head: bytes) -> bool:
    """True if there is a file that begins like this, packed or not."""
    if not os.path.isfile(path):
        return False
    from gunrock_cli.graph.sources.files.readers.packing import BROKEN, open_unpacked, packing_of

    try:
        with open_unpacked(path, packing_of(path)) as file:
            return file.read(len(head)) == head
    except (*BROKEN, InputError):  # its reader will name the fault
        return False


def _suffix(path: str) -> str:
    return os.path.splitext(_unpacked_name(path))[1].lower()


def _unpacked_name(path: str) -> str:
    """The name without its packing's ending."""
    root, ending = os.path.splitext(path)
    return root if ending in PACKED else path


def _imported(place: str) -> Callable[..., Any]:
    module, _, function = place.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(f"{_HERE}.{module}"), function)
    return found
