"""Graphs of LDBC Graphalytics: ``NAME.properties`` and the vertex and edge files that it names.

A vertex file has one vertex per line, an edge file two ends and, if the graph has weights, a weight;
vertices are any 64-bit numbers. For an undirected graph each edge is listed once. (LDBC Graphalytics
Benchmark, version 1.0, section 2.2 and appendix A.)
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from gunrock_cli.errors import InputError, printable
from gunrock_cli.graph.model.graph import MAX_VERTICES, Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.sources.files.readers import text
from gunrock_cli.graph.sources.files.readers.columns import edge_weights, read_table
from gunrock_cli.graph.sources.files.readers.lines import NUMBER, GoodLines, line_of_entry

_LINE = re.compile(r"\s*([^=:\s#!]+)\s*[=:]\s*(.*?)\s*")
_VERTEX = rb"[ \t]*+-?+[0-9]{1,19}+"
_WEIGHT = rb"[-+]?+" + NUMBER
_MOST_BYTES = 1 << 20
"""The size limit of a properties file, which has some twenty lines."""
Ids = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Dataset:
    """A graph with its vertices' own numbers and its publisher's properties. ``ids`` ascend; vertex v of
    ``graph`` is ``ids[v]``. ``order`` lists the graph's vertices in the order of the vertex file."""

    name: str
    path: Path
    graph: Graph
    ids: Ids
    order: np.ndarray[Any, Any]
    properties: Mapping[str, str]

    @property
    def algorithms(self) -> list[str]:
        """The algorithms for which it is published, in lower case."""
        words = self.properties.get("algorithms", "").lower().split(",")
        return [word.strip() for word in words if word.strip()]

    def number(self, key: str) -> float:
        """A property that is a number, such as ``pr.damping-factor``."""
        words = self._said(key)
        with suppress(ValueError):
            if math.isfinite(found := float(words)):
                return found
        raise InputError(
            f"graph.{self.name}.{key} is no number: {printable(words)[:40]}", path=str(self.path)
        )

    def count(self, key: str) -> int:
        """A property that counts something, such as ``pr.num-iterations``."""
        words = self._said(key)
        if re.fullmatch("[0-9]{1,18}", words):
            return int(words)
        raise InputError(
            f"graph.{self.name}.{key} is no whole number: {printable(words)[:40]}", path=str(self.path)
        )

    def vertex(self, key: str) -> int:
        """A property that is one of the vertices, as a vertex of ``graph``."""
        words = self._said(key)
        wanted = int(words) if re.fullmatch(r"-?[0-9]{1,19}", words) else None
        place = None if wanted is None or abs(wanted) >= 2**63 else int(np.searchsorted(self.ids, wanted))
        if place is None or place == len(self.ids) or self.ids[place] != wanted:
            raise InputError(
                f"graph.{self.name}.{key} is no vertex of the graph: {printable(words)[:40]}",
                path=str(self.path),
            )
        return place

    def output_file(self, algorithm: str) -> Path:
        """The place of an algorithm's right answer."""
        return self.path.with_name(f"{self.name}-{algorithm.upper()}")

    def _said(self, key: str) -> str:
        if key not in self.properties:
            raise InputError(f"says nothing of graph.{self.name}.{key}", path=str(self.path))
        return self.properties[key]


def read_dataset(path: Path, xp: ModuleType = np) -> Dataset:
    """The data set of a ``.properties`` file, its graph in the memory of ``xp``; InputError names the
    file and, if it can, the line."""
    name, properties = _properties(path)
    folder = path.parent
    vertices = _table(folder / properties.get("vertex-file", f"{name}.v"), ["vertex"])
    listed: Ids = vertices["vertex"]
    ids, order = np.unique(listed, return_inverse=True)
    if len(ids) < len(listed):
        raise InputError("lists a vertex twice", path=str(folder / f"{name}.v"))
    if len(ids) > MAX_VERTICES:
        raise InputError(f"has {len(ids)} vertices; {MAX_VERTICES} are the most", path=str(path))
    edge_file = folder / properties.get("edge-file", f"{name}.e")
    weighted = "edge-properties.names" in properties
    edges = _table(edge_file, ["source", "target", *(["weight"] if weighted else [])])
    source, target = (_places(ids, edges[end], edge_file) for end in ("source", "target"))
    weights = edges["weight"] if weighted else None
    _check_counts(path, properties, len(ids), len(source))
    directed = properties.get("directed", "").lower()
    if directed not in ("true", "false"):
        raise InputError(f"graph.{name}.directed is neither true nor false", path=str(path))
    graph = build_graph(
        len(ids),
        xp.asarray(source),
        xp.asarray(target),
        None if weights is None else xp.asarray(weights),
        undirected=directed == "false",
        xp=xp,
        name=name,
        origin={"kind": "graphalytics", "path": str(path), "undirected": directed == "false"},
    )
    return Dataset(name, path, graph, ids, order, properties)


def _properties(path: Path) -> tuple[str, dict[str, str]]:
    """The graph's name, and its properties without ``graph.NAME.``."""
    try:
        with path.open("rb") as file:
            words = file.read(_MOST_BYTES + 1).decode("utf-8-sig", errors="replace")
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from None
    if len(words) > _MOST_BYTES:
        raise InputError("is too large for a properties file", path=str(path))
    found: dict[str, str] = {}
    names = set()
    for number, line in enumerate(words.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith(("#", "!")):
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise InputError("is no line of the form key = value", path=str(path), line=number)
        parts = match[1].split(".", 2)
        if parts[0] == "graph" and len(parts) == 3:
            names.add(parts[1])
            found[parts[2]] = match[2]
    if len(names) != 1:
        raise InputError(
            "speaks of no graph (graph.NAME.directed and the like)"
            if not names
            else f"speaks of several graphs: {printable(', '.join(sorted(names)))[:80]}",
            path=str(path),
        )
    for key in ("vertex-file", "edge-file"):
        if "/" in found.get(key, "") or "\\" in found.get(key, "") or "\0" in found.get(key, ""):
            raise InputError(f"graph.*.{key} is not in the same folder", path=str(path))
    return names.pop(), found


def _table(path: Path, columns: list[str]) -> dict[str, np.ndarray[Any, Any]]:
    """The columns of a file separated by blanks: int64, the weight float64."""
    fields = [_WEIGHT if name == "weight" else _VERTEX for name in columns]
    line = rb"[ \t]++".join(fields) + rb"[ \t]*+"
    expected = " and ".join("a weight" if name == "weight" else f"the {name}" for name in columns)
    with text.open_binary(str(path)) as stream:
        lines = GoodLines(
            stream,
            str(path),
            rb"[ \t]*+(?:%s)?" % line,
            lambda found: f"expected {expected}, found {found!r}",
            usual=line,
            comment=b"#",
        )
        try:
            table = read_table(lines, [np.float64 if name == "weight" else np.int64 for name in columns])
        except (ValueError, OverflowError):
            raise InputError("a vertex number does not fit in 64 bits", path=str(path)) from None
    found = dict(zip(columns, table, strict=True))
    weight = found.get("weight")
    if weight is not None:
        found["weight"] = edge_weights(
            weight, str(path), lambda entry: line_of_entry(str(path), entry, b"#")
        )
    return found


def _places(ids: Ids, ends: Ids, path: Path) -> np.ndarray[Any, Any]:
    places = np.searchsorted(ids, ends)
    known = places < len(ids)
    known[known] = ids[places[known]] == ends[known]
    if not known.all():
        row = int(np.flatnonzero(~known)[0])
        raise InputError(f"{ends[row]} is not in the vertex file", path=str(path), line=row + 1)
    return places


def _check_counts(path: Path, properties: Mapping[str, str], n: int, m: int) -> None:
    for key, count in (("meta.vertices", n), ("meta.edges", m)):
        said = properties.get(key, str(count))
        if said != str(count):
            raise InputError(
                f"says {key} = {printable(said)[:40]}, and the files have {count}", path=str(path)
            )
