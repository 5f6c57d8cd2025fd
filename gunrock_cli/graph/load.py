"""From a GraphSpec to a Graph: read or generate, clean, build, weigh."""

from __future__ import annotations

import importlib
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from gunrock_cli.errors import InputError, OutOfMemory
from gunrock_cli.graph import cache as graph_cache
from gunrock_cli.graph import readers
from gunrock_cli.graph.build import build_graph, graph_of_rows, row_ids
from gunrock_cli.graph.edges import EdgeList
from gunrock_cli.graph.formats import stem
from gunrock_cli.graph.generators import GENERATORS, complete_params, generate_edges
from gunrock_cli.graph.generators.catalog import label
from gunrock_cli.graph.graph import Csr, Graph
from gunrock_cli.graph.hashing import content_hash, recipe_hash
from gunrock_cli.graph.market_rows import market_rows
from gunrock_cli.graph.progress import Progress, silent
from gunrock_cli.graph.readers import binary, text
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
    origin = {"kind": spec.kind, "path": spec.path, **_options(spec), **provenance(spec.path)}
    text.check_readable(spec.path)
    if spec.kind == "binary":
        return _load_binary(spec, origin, xp, report)
    key = None
    if cache and spec.path != text.STDIN:
        report(f"looking for {graph_name(spec)} in the cache", None)
        key = graph_cache.cache_key(spec.path, {"kind": spec.kind, **_options(spec)})
        found = graph_cache.fetch(key, xp if spec.reverse else np)
        if found is not None:
            return replace(_asked(found, spec, xp), name=graph_name(spec), origin=origin)
    if key is None:
        return _parse(spec, origin, xp, report)
    graph = _parse(replace(spec, reverse=True), origin, xp, report)  # others may ask for all of it
    report("writing the cache", None)
    graph_cache.store(key, graph)
    return _asked(graph, spec, xp)


def _asked(graph: Graph, spec: GraphSpec, xp: ModuleType) -> Graph:
    """In ``xp``, without in-edges that the spec does not ask for."""
    return (graph if spec.reverse else graph.without_reverse()).to(xp)


def _load_binary(
    spec: GraphSpec, origin: dict[str, Any], xp: ModuleType, report: Progress
) -> Graph:
    """A binary graph is clean already; only direction and weights can still change."""
    assert spec.path is not None
    report(f"reading {spec.path}", None)
    graph = _asked(binary.read(spec.path, xp if spec.reverse else np), spec, xp)
    origin = {**origin, "made_from": graph.origin}
    if spec.undirected and not graph.undirected:
        rows = row_ids(graph.csr.row_offsets, 0, graph.m)
        edges = EdgeList(graph.n, rows, graph.csr.column_indices, graph.csr.values)
        graph = _build(edges, replace(spec, weights=None), origin, xp, graph_hash="")
    graph = with_weights(graph, spec.weights, spec.weight_type, spec.weight_seed)
    name = spec.name or graph.name
    if spec.weights is None and spec.weight_type is None and graph.hash:
        return replace(graph, name=name, origin=origin)
    return replace(graph, name=name, origin=origin, hash=content_hash(graph.csr))


def _parse(spec: GraphSpec, origin: dict[str, Any], xp: ModuleType, report: Progress) -> Graph:
    quick = market_rows(spec, report)
    if quick is not None:
        return _finish_rows(*quick, spec, origin, xp)
    edges = _read(spec, report)
    report("building rows", None)
    graph = _build(edges, spec, origin, xp, graph_hash="")
    del edges
    graph = with_weights(graph, spec.weights, spec.weight_type, spec.weight_seed)
    return replace(graph, hash=content_hash(graph.csr))


def _finish_rows(
    csr: Csr, both: bool, spec: GraphSpec, origin: dict[str, Any], xp: ModuleType
) -> Graph:
    """Host rows as a graph in ``xp``; hashed on the host while they move, unless weights change."""
    stays = spec.weights is None and spec.weight_type is None
    with ThreadPoolExecutor(1) as pool:
        digest = pool.submit(content_hash, csr) if stays else None
        graph = graph_of_rows(csr.to(xp), undirected=both, name=graph_name(spec), origin=origin,
                              graph_hash="", reverse=spec.reverse)
        graph = with_weights(graph, spec.weights, spec.weight_type, spec.weight_seed)
    return replace(graph, hash=content_hash(graph.csr) if digest is None else digest.result())


def provenance(path: str) -> dict[str, Any]:
    """What the record beside a fetched data set says of it: its name, and whether a stand-in."""
    record = Path(path).with_suffix(".json")
    if path == text.STDIN or not record.is_file():
        return {}
    try:
        found = json.loads(record.read_text())
        return {"dataset": found["dataset"], "stand_in": bool(found["stand_in"])}
    except (OSError, ValueError, KeyError, TypeError):
        return {}  # some other file of that name


def _read(spec: GraphSpec, report: Progress) -> EdgeList:
    assert spec.path is not None
    reader = importlib.import_module(f"{readers.__name__}.{spec.kind.replace('-', '_')}")
    edges: EdgeList = reader.read(spec.path, report)
    return edges


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
        name=graph_name(spec), origin=origin, xp=xp, graph_hash=graph_hash, reverse=spec.reverse,
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
