"""Load the Graph of a GraphSpec: read its rows, then finish them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np

from gunrock_cli.errors import InputError, OutOfMemory
from gunrock_cli.graph.drawn_rows import drawn_rows
from gunrock_cli.graph.model.changes import Changes
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import Csr, Graph, array_module, moved
from gunrock_cli.graph.model.hashing import content_hash, recipe_hash
from gunrock_cli.graph.model.memory import release_unused, require_memory
from gunrock_cli.graph.model.rows import Rows, StoredRows, increases
from gunrock_cli.graph.model.weights import effective, parse_weights, with_weights
from gunrock_cli.graph.rows.build import csr_from_edges, in_edges
from gunrock_cli.graph.rows.transpose import is_reverse
from gunrock_cli.graph.sources.files import cache as graph_cache
from gunrock_cli.graph.sources.files.readers import binary, text
from gunrock_cli.graph.sources.files.readers.content import check_content
from gunrock_cli.graph.sources.files.readers.formats import KINDS, files_to_read, stem
from gunrock_cli.graph.sources.generate import GENERATORS, complete_params, generate_edges
from gunrock_cli.graph.sources.generate.parameters import label
from gunrock_cli.graph.sources.generate.sizes import expected_edges
from gunrock_cli.graph.sources.progress import Progress, silent
from gunrock_cli.graph.spec import FILE_KINDS, GraphSpec, check_naming
from gunrock_cli.jsontypes import Json

FEW_EDGES = 1 << 16
"""With so few edges (and vertices) rows are made on the host, in some 20 ms: on a GPU a new process would
first have to load CuPy's kernels for making and sorting them."""


def load_graph(
    spec: GraphSpec, xp: ModuleType = np, cache: bool = True, progress: Progress | None = None
) -> Graph:
    """The graph of a spec, its arrays in ``xp`` (numpy or cupy).

    With ``cache`` a file loaded before with the same options comes from the binary cache. Raises a
    one-line InputError or UsageError, or OutOfMemory if the arrays do not fit.
    """
    parse_weights(spec.weights, spec.weight_type)  # refuse before doing the work
    check_naming(spec)
    _check_file(spec)
    try:
        graph = _load(spec, xp, cache, progress or silent)
        if spec.vertex_names is None:
            return graph
        from gunrock_cli.graph.sources.files.names_file import read_names

        return replace(graph, names=read_names(spec.vertex_names, graph.n))
    except MemoryError as error:  # NumPy's or CuPy's
        raise OutOfMemory(f"not enough memory for the graph {graph_name(spec)}: {error}") from error
    except OverflowError as error:  # from a library that counts in 32 bits
        raise InputError(
            f"the graph {graph_name(spec)} is too large for {xp.__name__} ({error}): use a "
            "smaller one, or --backend cpu"
        ) from error


def _load(spec: GraphSpec, xp: ModuleType, cache: bool, report: Progress) -> Graph:
    content = _cacheable(spec, report) if cache else None
    if not _heaviest_differs(spec, content):
        spec = replace(spec, heaviest=False)
    rows = read(spec, xp, _cache_key(spec, content), report)
    if rows.csr.values is None:  # then it makes no difference which edge is kept
        spec = replace(spec, heaviest=False)
    key, origin = _cache_key(spec, content), origin_of(spec)
    if key is None or rows.weighed:
        return finish(rows, spec, origin, xp)
    graph = finish(rows, replace(spec, reverse=True), origin, xp)  # others may ask for all of it
    del rows  # frees the host's memory if the graph has moved
    if _cacheable(spec, report) == content:  # the file was not written to while it was read
        report("writing the cache", None)
        graph_cache.store(key, graph)
    return graph if spec.reverse else graph.without_reverse()


def _heaviest_differs(spec: GraphSpec, content: list[str] | None) -> bool:
    """True if keeping the heaviest of equal edges may give another graph: if the file may have weights,
    which is not certain before it is read. (Drawn weights are the same on equal edges.)"""
    own_weights = spec.kind in FILE_KINDS and spec.weights is None
    if not (spec.heaviest and own_weights) or spec.keep_duplicates:
        return False
    key = _cache_key(replace(spec, heaviest=False), content)
    return key is None or not graph_cache.is_unweighted(key)


def read(spec: GraphSpec, xp: ModuleType, key: str | None, report: Progress) -> Rows:
    """Read the rows of a spec, by the quickest way available. ``key`` names its entry in the cache.

    They are in host memory, unless many edges had to be drawn or sorted: that is done in ``xp``.
    """
    named = replace(spec, name=graph_name(spec))
    rows = (
        _cached(key)
        or _binary(spec, xp, report)
        or _text_rows(named, report)
        or drawn_rows(spec, _drawn_in(spec, xp), report)
        or _made(spec, xp, report)
    )
    return rows if rows.weighed else _as_announced(rows, spec)


def _as_announced(rows: Rows, spec: GraphSpec) -> Rows:
    """Return the rows, noting the number of vertices that the head of a list announces if it differs."""
    if spec.kind != "edge-list" or spec.named or spec.path is None or rows.changes is None:
        return rows
    from gunrock_cli.graph.sources.files.readers.content import announced_vertices

    announced = announced_vertices(spec.path)
    if announced in (None, rows.csr.n):
        return rows
    return replace(rows, changes=replace(rows.changes, vertices_announced=announced))


def _drawn_in(spec: GraphSpec, xp: ModuleType) -> ModuleType:
    """The module in which a generator's edges are drawn."""
    few = (
        spec.kind not in FILE_KINDS
        and expected_edges(spec.kind, complete_params(spec.kind, spec.params)) <= FEW_EDGES
    )
    return np if few else xp


def _text_rows(spec: GraphSpec, report: Progress) -> Rows | None:
    """Rows straight from text. Its code is imported for files only: a generator's run is short."""
    if spec.kind not in FILE_KINDS:
        return None
    from gunrock_cli.graph.edge_list_rows import edge_list_rows
    from gunrock_cli.graph.market_rows import market_rows

    return market_rows(spec, report) or edge_list_rows(spec, report)


def finish(rows: Rows, spec: GraphSpec, origin: Mapping[str, Json], xp: ModuleType) -> Graph:
    """The graph of rows, in ``xp``: named, weighted, hashed, with in-edges if the spec asks for them.

    The host hashes rows while they are copied, unless weights are still to come.
    """
    if rows.origin is not None:
        origin = {**origin, "made_from": rows.origin}
    weigh = not rows.weighed and (spec.weights, spec.weight_type) != (None, None)
    digest = _known_hash(rows, spec, origin, weigh)
    _require_room(rows, spec, xp)
    early = not (digest or weigh) and array_module(rows.csr.row_offsets) is np
    with ThreadPoolExecutor(1) as pool:
        hashing = pool.submit(content_hash, rows.csr, rows.vertex_weights) if early else None
        csr = rows.csr.to(xp)
        weights = None if rows.vertex_weights is None else moved(rows.vertex_weights, xp)
        graph = Graph(
            spec.name or rows.name or graph_name(spec),
            csr,
            _in_edges(rows, csr, spec.reverse),
            rows.undirected,
            origin=origin,
            vertex_weights=weights,
            names=rows.names,
            changes=rows.changes,
        )
        release_unused(xp)
        if weigh:
            graph = with_weights(graph, spec.weights, spec.weight_type, spec.weight_seed)
        else:
            graph = effective(graph, parse_weights(spec.weights, spec.weight_type), spec.weight_seed)
    return replace(
        graph,
        hash=digest or (hashing.result() if hashing else content_hash(graph.csr, graph.vertex_weights)),
    )


def _require_room(rows: Rows, spec: GraphSpec, xp: ModuleType) -> None:
    """Raise OutOfMemory if rows must move to a GPU that cannot hold them."""
    csr = rows.csr
    if array_module(csr.row_offsets) is xp:
        return
    arrays = (csr.row_offsets, csr.column_indices, csr.values)
    sides = 1 if rows.undirected or not spec.reverse else 2
    require_memory(
        xp,
        sides * sum(array.nbytes for array in arrays if array is not None),
        f"{spec.name or rows.name or graph_name(spec)}: {csr.n} vertices and {csr.m} directed edges",
    )


def _known_hash(rows: Rows, spec: GraphSpec, origin: Mapping[str, Json], weigh: bool) -> str | None:
    """A hash that needs no look at the arrays: a generated graph is identified by its recipe."""
    if spec.kind not in FILE_KINDS:
        return recipe_hash(origin, rows.csr.n, rows.csr.m)
    return None if weigh else rows.hash


def _in_edges(rows: Rows, csr: Csr, wanted: bool) -> Csr | None:
    if rows.undirected:
        return csr
    if not wanted:
        return None
    return in_edges(csr) if rows.reverse is None else rows.reverse.to(array_module(csr.row_offsets))


def graph_name(spec: GraphSpec) -> str:
    """The name of a spec's graph: as given, or else from the file or the generator."""
    if spec.name:
        return spec.name
    if spec.kind not in FILE_KINDS:
        return label(spec.kind, complete_params(spec.kind, spec.params))
    if spec.path is None or spec.path == text.STDIN:
        return "stdin"
    return "pipe" if text.is_descriptor(spec.path) else stem(spec.path)


def provenance(path: str) -> dict[str, str | bool]:
    """The name of a fetched data set, and whether it is a stand-in, from its record."""
    record = Path(path).with_suffix(".json")
    if path == text.STDIN or not record.is_file():
        return {}
    try:
        found = json.loads(record.read_text())
        return {"dataset": found["dataset"], "stand_in": bool(found["stand_in"])}
    except (OSError, ValueError, KeyError, TypeError):
        return {}  # some other file of that name


def _check_file(spec: GraphSpec) -> None:
    if spec.kind not in FILE_KINDS:
        return
    if spec.path is None:
        raise InputError(f"no file given for a {spec.kind} graph")
    for path in files_to_read(spec.kind, spec.path):
        text.check_readable(path)
        check_content(spec.kind, path)


def origin_of(spec: GraphSpec) -> dict[str, Json]:
    """The origin of a graph, with everything that decides which graph it is."""
    if spec.path is not None and spec.kind in FILE_KINDS:
        return {"kind": spec.kind, "path": spec.path, **_options(spec), **provenance(spec.path)}
    return {
        "kind": spec.kind,
        **complete_params(spec.kind, spec.params),
        "generator_version": GENERATORS[spec.kind].version,
        **_options(spec),
    }


def _options(spec: GraphSpec) -> dict[str, Json]:
    """The load options that decide which graph the same edges become."""
    return {
        "undirected": spec.undirected,
        "keep_self_loops": spec.keep_self_loops,
        "keep_duplicates": spec.keep_duplicates,
        "weights": spec.weights,
        "weight_type": spec.weight_type,
        "weight_seed": spec.weight_seed,
        **({"heaviest": True} if spec.heaviest else {}),
        **({"columns": list(spec.columns)} if spec.columns is not None else {}),
        **({"named": True} if spec.named else {}),
        **({"vertex_names": spec.vertex_names} if spec.vertex_names is not None else {}),
    }


def contents(spec: GraphSpec) -> list[str] | None:
    """Hashes of the files that a spec's graph is read from, including its names'; None for a generator,
    for a stream, and for unreadable files, about which the reader says more."""
    if spec.kind not in FILE_KINDS or spec.path is None:
        return None
    files = [*files_to_read(spec.kind, spec.path), *filter(None, [spec.vertex_names])]
    try:
        return None if any(map(text.is_stream, files)) else graph_cache.file_hashes(files)
    except OSError:
        return None


def _cacheable(spec: GraphSpec, report: Progress) -> list[str] | None:
    """The ``contents`` of a spec, or None for graphs that are not kept in the cache."""
    if spec.kind not in FILE_KINDS or spec.kind == "binary" or spec.is_named:
        return None
    report(f"looking for {graph_name(spec)} in the cache", None)
    return contents(replace(spec, vertex_names=None))  # names are not kept


def _cache_key(spec: GraphSpec, content: list[str] | None) -> str | None:
    """The name of a spec's entry in the cache, by the contents of its files."""
    if content is None:
        return None
    options = {"kind": spec.kind, **_options(replace(spec, vertex_names=None))}
    return graph_cache.cache_key(content, options)


def _cached(key: str | None) -> Rows | None:
    graph = None if key is None else graph_cache.fetch(key)
    if graph is None:
        return None
    return Rows(
        graph.csr,
        graph.undirected,
        graph.reverse,
        graph.hash,
        weighed=True,
        vertex_weights=graph.vertex_weights,
        changes=graph.changes,
    )


def _binary(spec: GraphSpec, xp: ModuleType, report: Progress) -> Rows | None:
    """The rows of a binary graph, which is already clean: only direction and weights can still change."""
    if spec.kind != "binary" or spec.path is None:
        return None
    report(f"reading {spec.path}", None)
    graph = binary.read(spec.path)
    rows = Rows(
        graph.csr,
        graph.undirected,
        graph.reverse,
        graph.hash,
        graph.name,
        graph.origin,
        vertex_weights=graph.vertex_weights,
        changes=graph.changes,
    )
    if graph.undirected or not spec.undirected:
        return rows
    csr = graph.csr.to(xp)
    edges = EdgeList(
        graph.n, csr.sources(), csr.column_indices, csr.values, vertex_weights=graph.vertex_weights
    )
    both = _built(edges, spec, xp, report)
    changes = both.changes
    if graph.changes is not None and changes is not None:
        changes = graph.changes.then(changes)
    return replace(both, name=graph.name, origin=graph.origin, changes=changes)


def _made(spec: GraphSpec, xp: ModuleType, report: Progress) -> Rows:
    """The rows that a generator makes or the reader of the file's format finds."""
    if spec.kind not in FILE_KINDS:
        report(f"generating {graph_name(spec)}", None)
        edges = generate_edges(spec.kind, complete_params(spec.kind, spec.params), _drawn_in(spec, xp))
        return _built(edges, spec, xp, report)
    kind = KINDS[spec.kind]
    found: EdgeList | StoredRows = kind.read(
        spec.path, report, **{field: getattr(spec, field) for field in kind.takes}
    )
    if isinstance(found, StoredRows):
        return _cleaned(found, spec, xp, report)
    return _built(found, spec, xp, report)


def _cleaned(stored: StoredRows, spec: GraphSpec, xp: ModuleType, report: Progress) -> Rows:
    """Rows from stored rows: unchanged if nothing needs to be done, else built from their edges. If each
    edge is already in both of its rows, with its weight, nothing is added to make the graph
    undirected."""
    csr, reverse = stored.csr, stored.reverse
    if spec.weights is not None:
        csr, reverse = replace(csr, values=None), None
    both = stored.both_directions or (spec.undirected and is_reverse(csr, csr))
    if (both or not spec.undirected) and _is_clean(csr, spec):
        sorted_reverse = reverse is not None and increases(reverse.row_offsets, reverse.column_indices)
        return Rows(csr, both, reverse if sorted_reverse else None, changes=Changes(csr.m))
    report("building rows", None)
    made = csr_from_edges(
        xp,
        csr.n,
        csr.sources(),
        csr.column_indices,
        csr.values,
        both_directions=spec.undirected and not both,
        keep_self_loops=spec.keep_self_loops,
        keep_duplicates=spec.keep_duplicates,
        heaviest=spec.heaviest,
        name=graph_name(spec),
    )
    doubled = spec.undirected and not both
    return Rows(made, both or spec.undirected, changes=made.changes(doubled, doubled))


def _is_clean(csr: Csr, spec: GraphSpec) -> bool:
    if not increases(csr.row_offsets, csr.column_indices):
        return False
    return spec.keep_self_loops or not bool((csr.sources() == csr.column_indices).any())


def _built(edges: EdgeList, spec: GraphSpec, xp: ModuleType, report: Progress) -> Rows:
    """Rows from edges. ``symmetric`` edges stand for both directions, even if directions are kept."""
    report("building rows", None)
    src, dst = edges.src, edges.dst
    xp = np if edges.n + len(src) <= FEW_EDGES else xp
    weights = edges.weights if spec.weights is None else None
    both = spec.undirected or edges.symmetric
    if edges.skew and weights is not None and not spec.undirected:
        if weights.dtype.kind == "i" and len(weights) and int(weights.min()) == -(2**31):
            raise InputError(
                f"{graph_name(spec)}: the reverse of an edge that weighs {-(2**31)} does "
                "not fit in a 32-bit weight; --weight-type float32 does"
            )
        src, dst = np.concatenate((src, dst)), np.concatenate((dst, src))
        weights, both = np.concatenate((weights, -weights)), False
    mirrored = len(src) > len(edges.src)
    csr = csr_from_edges(
        xp,
        edges.n,
        src,
        dst,
        weights,
        both_directions=both,
        keep_self_loops=spec.keep_self_loops,
        keep_duplicates=spec.keep_duplicates,
        heaviest=spec.heaviest,
        name=graph_name(spec),
    )
    changes = csr.changes(both, spec.undirected and not edges.symmetric)
    if spec.kind not in FILE_KINDS:
        changes = changes.of_drawn()
    if mirrored:  # each edge has been counted twice
        changes = replace(
            changes,
            edges_given=len(edges.src),
            self_loops_dropped=changes.self_loops_dropped // 2,
            duplicates_dropped=changes.duplicates_dropped // 2,
        )
    return Rows(csr, both, vertex_weights=edges.vertex_weights, names=edges.names, changes=changes)
