"""The vertices from which a traversal starts."""

from __future__ import annotations

import numpy as np

from gunrock_cli.bench.records.record import Record
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph, to_numpy
from gunrock_cli.graph.vertex_list import listed_vertices

RANDOM, FIRST = ("random", "randomize"), "0"
LARGEST_DEGREE = "largest-degree"


def choose_sources(graph: Graph, wanted: str | None, count: int | None, seed: int) -> list[int]:
    """Return the sources of ``--src`` and ``--num-sources``.

    ``wanted`` is a vertex, several separated by commas, ``@`` and the name of a file with one per line,
    "largest-degree", "random" or "all", by default vertex 0; ``count`` random sources are drawn without
    repetition from the vertices that have an out-edge (as in the GAP Benchmark Suite)."""
    if graph.n == 0:
        raise UsageError(f"{graph.name} has no vertices, so no source")
    if count is not None:
        if wanted not in (None, *RANDOM):
            raise UsageError(f"--num-sources draws random sources: it does not go with --src {wanted}")
        return _random(graph, count, seed)
    if wanted in RANDOM:
        return _random(graph, 1, seed)
    if wanted == "all":
        return list(range(graph.n))
    if wanted in (LARGEST_DEGREE, "largestdegree"):
        return [of_largest_degree(graph)]
    return listed_vertices(
        graph, FIRST if wanted is None else wanted, "--src", others=", largest-degree, random or all"
    )


def of_largest_degree(graph: Graph) -> int:
    """The vertex with the most edges out; the first of several."""
    return int(graph.csr.degrees().argmax())


def lone_source_warnings(record: Record, graph: Graph) -> list[str]:
    """A warning if no source has an edge: nothing was searched."""
    if not record.sources or graph.m == 0 or record.edges_visited != 0:
        return []
    some = sorted(set(record.sources))
    named = f"source {some[0]}" if len(some) == 1 else f"any of {len(some)} sources"
    return [
        f"no edge leads out of {named}, so nothing was searched: --src largest-degree or random "
        "takes one with edges"
    ]


def _random(graph: Graph, count: int, seed: int) -> list[int]:
    candidates = np.flatnonzero(to_numpy(graph.csr.degrees()))
    if len(candidates) == 0:
        raise UsageError(f"{graph.name} has no edges, so no random source with a path out")
    if count < 1 or count > len(candidates):
        raise UsageError(f"--num-sources {count}: {len(candidates)} vertices have an out-edge")
    generator = np.random.default_rng(seed)
    return [int(v) for v in generator.choice(candidates, count, replace=False)]
