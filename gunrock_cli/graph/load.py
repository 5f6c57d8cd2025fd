"""From a GraphSpec to a Graph: read or generate, clean, build, weigh."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

from gunrock_cli.errors import InputError, OutOfMemory
from gunrock_cli.graph.build import build_graph
from gunrock_cli.graph.edges import EdgeList
from gunrock_cli.graph.formats import stem
from gunrock_cli.graph.generators import GENERATORS, complete_params, generate_edges
from gunrock_cli.graph.generators.catalog import label
from gunrock_cli.graph.graph import Graph
from gunrock_cli.graph.hashing import content_hash, recipe_hash
from gunrock_cli.graph.progress import Progress, silent
from gunrock_cli.graph.readers import market, text
from gunrock_cli.graph.spec import FILE_KINDS, GraphSpec
from gunrock_cli.graph.weights import parse_weights, with_weights


def load_graph(
    spec: GraphSpec,
    xp: ModuleType = np,
    cache: bool = True,
    progress: Progress | None = None,
) -> Graph:
    """The graph of a spec, its arrays in ``xp`` (numpy or cupy).

    With ``cache`` a file that was loaded before with the same options comes from the binary
    cache. Raises InputError or UsageError in one line, OutOfMemory when the arrays do not fit.
    """
    report = progress or silent
    parse_weights(spec.weights, spec.weight_type)  # refuse before the work
    try:
        if spec.kind in FILE_KINDS:
            return _load_file(spec, xp, cache, report)
        return _generate(spec, xp, report)
    except MemoryError as error:  # NumPy's and CuPy's alike
        raise OutOfMemory(f"not enough memory for the graph {graph_name(spec)}: {error}") from error


def graph_name(spec: GraphSpec) -> str:
    """The name of a spec's graph: as asked, else from the file or the generator."""
    if spec.name:
        return spec.name
    if spec.kind not in FILE_KINDS:
        return label(spec.kind, complete_params(spec.kind, spec.params))
    if spec.path is None or spec.path == text.STDIN:
        return "stdin"
    return stem(spec.path)


def _generate(spec: GraphSpec, xp: ModuleType, report: Progress) -> Graph:
    params = complete_params(spec.kind, spec.params)
    origin = {
        "kind": spec.kind,
        **params,
        "generator_version": GENERATORS[spec.kind].version,
        **_options(spec),
    }
    report(f"generating {graph_name(spec)}", None)
    edges = generate_edges(spec.kind, params, xp)
    report("building rows", None)
    graph = _build(edges, spec, origin, xp, graph_hash="")
    graph = with_weights(graph, spec.weights, spec.weight_type, spec.weight_seed)
    return replace(graph, hash=recipe_hash(origin, graph.n, graph.m))


def _load_file(spec: GraphSpec, xp: ModuleType, cache: bool, report: Progress) -> Graph:
    if spec.path is None:
        raise InputError(f"no file given for a {spec.kind} graph")
    origin = {"kind": spec.kind, "path": spec.path, **_options(spec)}
    edges = _read(spec, report)
    report("building rows", None)
    graph = _build(edges, spec, origin, xp, graph_hash=None if spec.weights is None else "")
    del edges
    graph = with_weights(graph, spec.weights, spec.weight_type, spec.weight_seed)
    if not graph.hash:
        graph = replace(graph, hash=content_hash(graph.csr))
    return graph


def _read(spec: GraphSpec, report: Progress) -> EdgeList:
    assert spec.path is not None
    if spec.kind == "market":
        return market.read(spec.path, report)
    raise InputError(f"{spec.kind} files cannot be read yet", path=spec.path)


def _build(
    edges: EdgeList, spec: GraphSpec, origin: dict[str, Any], xp: ModuleType,
    graph_hash: str | None,
) -> Graph:
    """``symmetric`` edges stand for both directions, also where directions are kept."""
    src, dst = edges.src, edges.dst
    weights = edges.weights if spec.weights is None else None
    both = spec.undirected or edges.symmetric
    if edges.skew and weights is not None and not spec.undirected:
        src, dst = np.concatenate((src, dst)), np.concatenate((dst, src))
        weights, both = np.concatenate((weights, -weights)), False
    return build_graph(
        edges.n, src, dst, weights,
        undirected=both,
        keep_self_loops=spec.keep_self_loops,
        keep_duplicates=spec.keep_duplicates,
        name=graph_name(spec), origin=origin, xp=xp, graph_hash=graph_hash,
    )


def _options(spec: GraphSpec) -> dict[str, Any]:
    """The load options that decide which graph comes out of the same edges."""
    return {
        "undirected": spec.undirected,
        "keep_self_loops": spec.keep_self_loops,
        "keep_duplicates": spec.keep_duplicates,
        "weights": spec.weights,
        "weight_type": spec.weight_type,
        "weight_seed": spec.weight_seed,
    }
