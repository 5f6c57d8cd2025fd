"""A graph as a user asks for it: a file or a generator, and how to clean it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.sources.files.readers.formats import KINDS, kind_of_file, names_a_format
from gunrock_cli.graph.sources.generate.parameters import GENERATORS, complete_params
from gunrock_cli.jsontypes import Scalar
from gunrock_cli.nearest import did_you_mean

FILE_KINDS = tuple(KINDS)


@dataclass(frozen=True)
class GraphSpec:
    """``kind`` is one of FILE_KINDS (then ``path`` is set; "-" is stdin) or a generator's name (then
    ``params`` holds its parameters, including ``seed``)."""

    kind: str
    path: str | None = None
    params: Mapping[str, Scalar] = field(default_factory=dict)
    undirected: bool = True
    keep_self_loops: bool = False
    keep_duplicates: bool = False
    heaviest: bool = False  # of equal edges in a file the heaviest is kept, not the lightest
    weights: str | None = None  # None: the file's weights, if any; "random:1:64"; "unit"; "none"
    weight_type: str | None = None  # "int32", "float32"; None: the file's, int32 when drawn
    weight_seed: int = 0
    reverse: bool = True  # False: a directed graph comes without its in-edges
    columns: tuple[str, ...] | None = None  # of a table: source, target and, optionally, weight
    named: bool = False  # the ends in a list of edges are names, not numbers
    vertex_names: str | None = None  # a file of the vertices' names, one per line
    name: str | None = None  # overrides the name derived from the path or the generator

    @property
    def is_named(self) -> bool:
        """True if the file itself names its vertices."""
        return self.named or (self.kind in KINDS and KINDS[self.kind].names)


def check_naming(spec: GraphSpec) -> None:
    """Raise UsageError if the options for vertices' names do not fit the graph's source."""
    takes = KINDS[spec.kind].takes if spec.kind in KINDS else ()
    if spec.columns is not None and "columns" not in takes:
        raise UsageError("--columns names those of a table: a .csv, .parquet or .arrow file, or --table")
    if spec.named and "named" not in takes:
        raise UsageError(
            "--named goes with a list of edges (--edge-list); a --table always has names, "
            "and --vertex-names FILE gives them to any other graph"
        )
    if spec.vertex_names is not None and spec.is_named:
        raise UsageError(
            "--vertex-names is for graphs that have none: the vertices of this one are named in its file"
        )


def spec_from_name(
    name: str,
    params: Mapping[str, Scalar] | None = None,
    seed: int = 0,
    kind: str | None = None,
    **cleaning: Any,
) -> GraphSpec:
    """The spec of the positional GRAPH: a generator, else a file, else a data set. With a ``kind`` of
    FILE_KINDS it is a file.

    ``params`` are generator parameters (None: not given), ``cleaning`` further fields of GraphSpec.
    """
    given = {key: value for key, value in (params or {}).items() if value is not None}
    if kind is None and name in GENERATORS:
        if any(param.key == "seed" for param in GENERATORS[name].params):
            given["seed"] = seed
        complete_params(name, given)  # refuse bad parameters now
        return GraphSpec(kind=name, params=given, **cleaning)
    if given:
        flags = ", ".join("--" + key.replace("_", "-") for key in given)
        meant = did_you_mean(name, GENERATORS) or f"they are {', '.join(GENERATORS)}"
        raise UsageError(f"{flags}: only generators take this, and {name} is none ({meant})")
    if kind is not None:
        return GraphSpec(kind=kind, path=name, **cleaning)
    if name == "-" or os.path.exists(name):
        return GraphSpec(kind=kind_of_file(name), path=name, **cleaning)
    return _spec_of_dataset(name, cleaning)


def _spec_of_dataset(name: str, cleaning: dict[str, Any]) -> GraphSpec:
    from gunrock_cli.graph.sources.downloads.datasets import find_dataset, read_catalogue, suitesparse

    data = read_catalogue().get(name) or (None if names_a_format(name) else suitesparse(name))
    if data is None:
        if os.sep in name or "." in name:
            raise InputError("no such file", path=name)
        raise InputError(
            f"{name} is not a generator ({', '.join(GENERATORS)}), a file or a data "
            "set (gunrock datasets list)"
        )
    path = find_dataset(data.name)
    return GraphSpec(
        kind=kind_of_file(str(path)), path=str(path), name=data.name.rpartition("/")[2], **cleaning
    )
