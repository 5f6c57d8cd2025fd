"""The input of a primitive: its graph, in the backend's memory, with everything that it reads."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from types import ModuleType

import numpy as np

from gunrock_cli.engine.backend import Backend
from gunrock_cli.engine.devices import count_devices
from gunrock_cli.errors import OutOfMemory, UsageError
from gunrock_cli.graph.drawn_parts import undrawn
from gunrock_cli.graph.load import contents, load_graph
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.model.memory import release_unused
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import in_edges
from gunrock_cli.graph.sources.progress import Progress
from gunrock_cli.graph.spec import FILE_KINDS, GraphSpec
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.parts.base import OnSeveralDevices

PAPERS_WEIGHTS = "random:1:64"


class KeptGraph:
    """The previous run's graph, kept for the next run on it, in a process that runs one after the other.
    Weights that a run draws for itself belong to that run."""

    def __init__(self) -> None:
        self._key: tuple[GraphSpec, list[str] | None, str, bool] | None = None
        self._graph: Graph | None = None
        self._sums: list[int] = []

    def load(
        self, spec: GraphSpec, xp: ModuleType, cache: bool = True, progress: Progress | None = None
    ) -> Graph:
        """Load with ``load_graph`` if the spec, or the content of its files, differs from the previous
        one."""
        sides = spec.reverse and not spec.undirected  # an undirected graph has only one
        key = (replace(spec, reverse=sides), contents(spec), xp.__name__, cache)
        if self._graph is None or self._key != key:
            self._graph = None  # makes room
            release_unused(xp)
            self._graph, self._key = load_graph(spec, xp, cache, progress), key
            self._sums = _sums(self._graph)
            release_unused(xp)
        return self._graph

    def release(self) -> None:
        """Free the device's memory except for the graph, so that a run finds it as the first one does."""
        if self._graph is not None:
            release_unused(self._graph.xp)

    def is_intact(self) -> bool:
        """True if the graph's arrays are unchanged since loading: a kernel may have overwritten them."""
        return self._graph is None or _sums(self._graph) == self._sums


_KEPT: ContextVar[KeptGraph | None] = ContextVar("kept", default=None)


@contextmanager
def keeping() -> Iterator[KeptGraph]:
    """Load graphs through the yielded ``KeptGraph`` within this context."""
    token = _KEPT.set(kept := KeptGraph())
    try:
        yield kept
    finally:
        _KEPT.reset(token)


def _sums(graph: Graph) -> list[int]:
    """Sums of each array that any stray write to it changes."""
    arrays: list[Array | None] = [graph.vertex_weights]
    for side in (graph.csr, None if graph.reverse is graph.csr else graph.reverse):
        if side is not None:
            arrays += [side.row_offsets, side.column_indices, side.values]
    return [int(array.view(np.int32).sum(dtype=np.int64)) for array in arrays if array is not None]


def load_for(
    primitive: Primitive,
    spec: GraphSpec,
    backend: Backend,
    cache: bool = True,
    progress: Progress | None = None,
    limited: bool = False,
) -> tuple[Graph, float]:
    """The graph of a spec, with the papers' weights if the primitive needs some and the spec has none,
    and the milliseconds taken. If one GPU of several cannot hold it, or devices' memory is ``limited``,
    it is not drawn yet if it can be drawn in parts, and otherwise is in host memory (``sharing.share``
    goes on from there)."""
    begin = time.perf_counter()
    if primitive.needs.weights and spec.weights == "none":
        raise UsageError(f"{primitive.name} needs weights: --weights none contradicts it")
    spec = replace(spec, heaviest=primitive.needs.heaviest and spec.kind in FILE_KINDS)
    kept = _KEPT.get()
    load = load_graph if kept is None else kept.load

    def made(xp: ModuleType) -> Graph:
        graph = load(spec, xp, cache, progress)
        return _weighted(graph, spec) if primitive.needs.weights and not graph.weighted else graph

    divides = isinstance(primitive, OnSeveralDevices)

    def larger_than_one() -> Graph:
        certificate = certificate_of(primitive)
        proved = certificate is not None and certificate.of_parts and not primitive.needs.weights
        drawable = undrawn(spec, backend.xp) if proved and divides else None
        return made(np) if drawable is None else drawable

    try:
        graph = larger_than_one() if limited else made(backend.xp)
    except OutOfMemory:
        if limited or backend.xp is np or not divides or count_devices(backend) < 2:
            raise
        release_unused(backend.xp)
        graph = larger_than_one()
    return graph, 1e3 * (time.perf_counter() - begin)


def _weighted(graph: Graph, spec: GraphSpec) -> Graph:
    """The graph with the papers' weights."""
    try:
        graph = with_weights(graph, PAPERS_WEIGHTS, spec.weight_type, spec.weight_seed)
    except MemoryError as error:  # NumPy's or CuPy's
        raise OutOfMemory(
            f"not enough memory for weights of {graph.m} edges of {graph.name}: {error}"
        ) from error
    release_unused(graph.xp)
    return graph


def fit(graph: Graph, primitive: Primitive, options: Options, backend: Backend) -> Graph:
    """Convert an existing graph to what the primitive reads with these options (which need not be
    resolved): in the backend's memory, with in-edges if they are read, and with every weight 1 if weights
    are needed and missing."""
    graph = graph.to(backend.xp)
    if primitive.reads_weights(options) and not graph.weighted:
        graph = with_weights(graph, "unit")
    if graph.reverse is None and primitive.reads_reverse(options):
        graph = replace(graph, reverse=in_edges(graph.csr))
    return graph
