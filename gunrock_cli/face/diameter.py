"""The exact diameter of a graph, from Python."""

from __future__ import annotations

from typing import Any

from gunrock_cli.analysis.diameter import Diameter
from gunrock_cli.analysis.stats import exact_diameter
from gunrock_cli.engine.backend import choose_backend, out_of_memory_as_error
from gunrock_cli.face.arguments import declared
from gunrock_cli.face.dynamic import present
from gunrock_cli.face.inputs import graph_from
from gunrock_cli.face.options import GRAPH_OPTIONS
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.option import Option

SEARCHES = Option("searches", None, kind=int, minimum=1, help="Searches, at most. Default: no limit.")
BACKEND = Option("backend", "auto", choices=("auto", "cuda", "cpu"), help="Where to search.")


@declared(SEARCHES, BACKEND, *GRAPH_OPTIONS)
def diameter(A: Any, *, searches: int | None = None, backend: str = "auto", **how: Any) -> Diameter:
    """Find the largest distance in edges between two vertices of A's largest component, by breadth-first
    searches that bound the eccentricities of all vertices.

    A is as for the primitives' functions and counts as undirected; ``n`` and ``columns`` are theirs.
    Returns a Diameter with ``lower`` and ``upper``, which are equal (``exact``) unless ``searches`` ended
    it, and the number of ``searches``. Raises one-line errors.GunrockError."""
    xp = choose_backend(backend).xp
    with out_of_memory_as_error("finding a diameter"):
        A = present(A)
        graph = A.to(xp) if isinstance(A, Graph) else graph_from(A, xp=xp, **how)
        return exact_diameter(graph, searches)[1]
