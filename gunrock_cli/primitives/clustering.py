"""Local clustering: of the pairs of a vertex's neighbors, in either order, the share that are edges.

``coefficients[v]`` is v's, 0 with fewer than two neighbors; ``average`` is their mean over all vertices;
``transitivity`` is the same share over the pairs of all vertices. A vertex's neighbors are those by out-
or in-edges, as LDBC Graphalytics defines them; of an undirected graph these are the usual coefficients.
Loops and repetitions of an edge do not count. Edges are counted in whole numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.intersect import numbering, sublists, work_of_blocks
from gunrock_cli.operators.launch_shapes import INTERSECT
from gunrock_cli.operators.lists import SHORT, most_entries
from gunrock_cli.operators.scan import SCAN_CHUNKS
from gunrock_cli.primitives.base import Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.references import shares_of_product, simple_matrix
from gunrock_cli.primitives.shown import Outputs
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant

_Numbers = np.ndarray[Any, Any]
ROUNDING = 1e-12
"""The relative difference that is taken for rounding: other systems divide in another order."""


class Around(Variant[Options]):
    """Common entries of neighbors' lists."""

    kernel = "clustering"

    @property
    def launch(self) -> Tuning:
        return INTERSECT

    @property
    def constants(self) -> Mapping[str, int]:
        return {"SCAN_CHUNKS": SCAN_CHUNKS}

    @property
    def _longest(self) -> int:
        """The most entries that a vertex may have, both ways."""
        return sum(each.longest for each in _sides(self.graph))

    @property
    def _by_degree(self) -> bool:
        return self._longest > SHORT

    @property
    def defines(self) -> Macros:
        return {
            "GR_BY_DEGREE": int(self._by_degree),
            "GR_DIRECTED": int(not self.graph.undirected),
            "GR_SHARED_CACHE": 2,
        }

    def members(self) -> Mapping[str, Member]:
        n, m, offsets = self.graph.n, self.graph.m, self.graph.csr.row_offsets.dtype
        directed = not self.graph.undirected
        return {
            **numbering(n, self._longest, self._by_degree),
            **sublists("", n, 2 * m if directed else m, offsets),
            **sublists("partner_", n, m if directed else m // 2, offsets),
            **sublists("out_", n, m if directed else None, offsets),
            "sums": Room(3 * SCAN_CHUNKS, np.uint64),
            **work_of_blocks(n, self.graph.xp, turns=2),
            "links": Room(n, np.uint64, filled=0),
            "totals": Room(2, np.uint64, filled=0),
            "coefficients": Room(n, np.float64),
        }

    def outputs(self, problem: Problem) -> dict[str, Array]:
        xp, coefficients = self.graph.xp, problem["coefficients"]
        links, pairs = problem["totals"].tolist()
        return {
            "coefficients": coefficients,
            "average": coefficients.sum(keepdims=True) / max(self.graph.n, 1),
            "transitivity": xp.full(1, links / pairs if pairs else 0.0),
        }


class Clustering(Primitive):
    name = "clustering"
    summary = "Local clustering coefficients, their average, and transitivity."
    source = None
    needs = Needs(reverse=True)
    frontier = Frontier(advance_under=None)

    def plan(self, graph: Graph, asked: Options) -> Around:
        most = most_entries(graph)
        if not graph.undirected and 2 * graph.m > most:
            raise UsageError(
                f"clustering: a directed graph of {graph.m} edges may have lists of {2 * graph.m} "
                f"neighbors, and {most} are the most; use --undirected"
            )
        return Around(graph, asked)

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        names = ("average", "transitivity")
        return Work(metrics={name: float(outputs[name][0]) for name in names if name in outputs})

    def traffic(self, graph: Graph, options: Options, work: Work) -> Traffic:
        """One direction of every edge is read, of a directed graph every edge; a number is written for
        each vertex."""
        return Traffic(read=(2 if graph.undirected else 4) * graph.m, written=8 * graph.n)

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        """Compare with products of matrices, up to rounding; peers may lack all but coefficients."""
        links, pairs = links_and_pairs(graph)
        expected = np.divide(links, pairs, out=np.zeros(graph.n), where=pairs > 0)
        found = np.asarray(outputs["coefficients"])
        if found.shape == expected.shape:
            found = np.where(is_near(found, expected), expected, found)
        verdict = Validation.of_vertices("scipy", "coefficients", found, expected)
        if verdict.verdict == "fail":
            return verdict
        wrong = wrong_number(outputs, expected, int(links.sum()), int(pairs.sum()))
        return Validation("fail" if wrong else "pass", "scipy", wrong)


def _sides(graph: Graph) -> list[Any]:
    """The lists of out-edges, and those of in-edges if they are others."""
    return [graph.csr] if graph.undirected or graph.reverse is None else [graph.csr, graph.reverse]


def is_near(found: Array, expected: Any) -> Any:
    """True for each value that differs by rounding at most."""
    return abs(found - expected) <= ROUNDING * abs(expected)


def wrong_number(outputs: Mapping[str, Any], coefficients: Array, links: int, pairs: int) -> str:
    """The first of the two numbers that does not follow from the coefficients, or from all links and
    pairs; empty if both do, or there are none."""
    average = float(coefficients.sum()) / max(len(coefficients), 1)
    expected = {"average": average, "transitivity": links / pairs if pairs else 0.0}
    for name, value in expected.items():
        if name in outputs and not is_near(float(outputs[name][0]), value):
            return f"{name} is {float(outputs[name][0])!r}, expected {value!r}"
    return ""


def links_and_pairs(graph: Graph) -> tuple[_Numbers, _Numbers]:
    """The edges between each vertex's neighbors, and the ordered pairs of its neighbors, by SciPy's
    matrix product, some rows at a time: int64, shape (n,)."""
    out = simple_matrix(graph)
    around = (out + out.T).tocsr()
    around.data[:] = 1
    links = np.zeros(graph.n, np.int64)
    for first, last in shares_of_product(around, out):
        rows = around[first:last]
        links[first:last] = (rows @ out).multiply(rows).sum(axis=1)
    neighbors = np.diff(around.indptr).astype(np.int64)
    return links, neighbors * (neighbors - 1)


PRIMITIVE = Clustering()
