"""What a primitive is run on: its graph, in the backend's memory, with all that it reads."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from gunrock_cli.engine.backend import Backend
from gunrock_cli.engine.devices import count_devices
from gunrock_cli.errors import OutOfMemory, UsageError
from gunrock_cli.graph.build import in_edges
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model import Graph
from gunrock_cli.graph.progress import Progress
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.graph.weights import with_weights
from gunrock_cli.primitives.base import Options, Primitive

PAPERS_WEIGHTS = "random:1:64"


def load_for(primitive: Primitive, spec: GraphSpec, backend: Backend, cache: bool = True,
             progress: Progress | None = None, limited: bool = False) -> tuple[Graph, float]:
    """The graph of a spec, with the papers' weights where the primitive needs some and the spec has
    none, and the milliseconds taken. It lies in host memory where one GPU of several cannot hold it, and
    where devices' memory is ``limited`` (``sharing.share`` goes on from there)."""
    begin = time.perf_counter()
    try:
        graph = load_graph(spec, np if limited else backend.xp, cache, progress)
    except OutOfMemory:
        if limited or backend.xp is np or primitive.in_parts is None or count_devices(backend) < 2:
            raise
        graph = load_graph(spec, np, cache, progress)
    if primitive.needs_weights and not graph.weighted:
        if spec.weights == "none":
            raise UsageError(f"{primitive.name} needs weights: --weights none contradicts it")
        graph = with_weights(graph, PAPERS_WEIGHTS, spec.weight_type, spec.weight_seed)
    return graph, 1e3 * (time.perf_counter() - begin)


def fit(graph: Graph, primitive: Primitive, options: Options, backend: Backend) -> Graph:
    """A graph that is there already, as the primitive reads it with these options (which need not be
    resolved): in the backend's memory, with in-edges if they are read, and where weights are needed
    and there are none, every edge 1."""
    graph = graph.to(backend.xp)
    if primitive.needs_weights and not graph.weighted:
        graph = with_weights(graph, "unit")
        graph = replace(graph, origin={**graph.origin, "weights": "unit"})
    if graph.reverse is None and primitive.reads_reverse(options):
        graph = replace(graph, reverse=in_edges(graph.csr))
    return graph
