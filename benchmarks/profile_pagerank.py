"""What parts of an iteration of PageRank cost: the same kernel on graphs of which parts are left out.

    python benchmarks/profile_pagerank.py [--data DIR] [--graphs lattice,road-NE] [--runs 5]
                                          [--backend auto]

In turn: the graph; each list as long, but every entry its own vertex, so that columns are read and what
is gathered lies at hand; no entries, so that lists are looked up, and shares read and written; one
vertex, which leaves the totals, the sums and the barrier. What two neighbouring columns differ by is what
the part costs that only one of them has. Microseconds per iteration, from what 60 take more than 10.

Where lists are uneven, also what laying the graph out by degree takes: the first time, again (when CuPy's
kernels are loaded and its memory is there), and of that the kernel that moves the lists; ms.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from benchmarks.goals import GRAPHS, graphs
from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.engine.program import Program
from gunrock_cli.graph.model.graph import Array, Csr, Graph
from gunrock_cli.operators.gather_all import Lists, kinds_of_lists
from gunrock_cli.primitives.compile import compile_variant
from gunrock_cli.primitives.pagerank import PRIMITIVE
from gunrock_cli.primitives.pagerank.options import PageRankOptions
from gunrock_cli.primitives.pagerank.variants import Pull
from gunrock_cli.primitives.renumbering import Renumbering
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.primitives.variant import Macros

FEW, MANY = 10, 60
"""Iterations of two runs: their difference includes no launch and no first step."""


@dataclass(frozen=True)
class Compiled(Pull):
    """PageRank as compiled for one graph, run on others that would be compiled differently."""

    macros: Macros = field(default_factory=dict)

    @property
    def defines(self) -> Macros:
        return self.macros


def with_lists(graph: Graph, lists: Csr) -> Graph:
    """Replace the in-lists; of an undirected graph the out-lists, too."""
    return replace(graph, csr=lists if graph.undirected else graph.csr, reverse=lists)


def without_parts(graph: Graph) -> Iterator[tuple[str, Graph]]:
    """The graph and reduced graphs, by name, with more and more left out."""
    lists, xp = graph.reverse, graph.xp
    assert lists is not None
    yield "whole", graph
    yield "gathers at hand", with_lists(graph, Csr(lists.row_offsets, lists.sources()))
    none = xp.empty(0, np.int32)
    yield "no entries", with_lists(graph, Csr(xp.zeros_like(lists.row_offsets), none))
    alone = Csr(xp.zeros(2, lists.row_offsets.dtype), none)
    yield "one vertex", replace(graph, csr=alone, reverse=alone)


def iteration_us(variant: Compiled, backend: Backend, runs: int) -> float:
    """Microseconds of one iteration, the median of this many pairs of runs."""
    program = compile_variant(PRIMITIVE, variant, backend, RunOptions())
    taken: list[float] = []
    for _ in range(runs + 1):
        few, many = (run_ms(program, of_length(variant, iterations)) for iterations in (FEW, MANY))
        taken.append(1e3 * (many - few) / (MANY - FEW))
    return statistics.median(taken[1:])


def of_length(variant: Compiled, iterations: int) -> Compiled:
    """A variant with that many iterations."""
    return replace(variant, options=replace(variant.options, max_iterations=iterations))


def run_ms(program: Program, variant: Compiled) -> float:
    """Milliseconds of a run."""
    problem = variant.allocate()
    return float(program.run(problem, lambda: variant.reset(problem, 0)).ms)


def layout_ms(graph: Graph, backend: Backend) -> tuple[float, float, float]:
    """Milliseconds to lay the graph out by degree: the first time, the second, and the kernel alone."""
    again = Renumbering(graph, backend)
    program, first = again.programs[0], Renumbering(graph, backend).graph
    lists, xp = graph.reverse, graph.xp
    assert lists is not None
    shifts: Array = xp.empty(graph.n, lists.row_offsets.dtype)
    shifts[first.order] = first.csr.row_offsets[:-1] - lists.row_offsets[:-1][first.order]
    problem = {
        "order": first.order,
        "count": graph.n,
        "numbers": first.numbers,
        "shifts": shifts,
        "columns": first.csr.column_indices,
    }
    moved = program.run(problem, lambda: None).ms
    first_ms = first.took_ms
    del first
    return first_ms, again.graph.took_ms, float(moved)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(), help="folder of the .gcsr files")
    parser.add_argument("--graphs", default="lattice,road-NE,rgg24,cnr,rmat20", help=", ".join(GRAPHS))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--backend", default="auto")
    args = parser.parse_args()
    backend = choose_backend(args.backend)
    print(f"{backend.why}; us per iteration")
    for name, graph, _ in graphs(args.graphs, args.data, backend.xp):
        whole = PRIMITIVE.plan(graph, PageRankOptions(order="graph", tolerance=0.0))
        found = {
            part: iteration_us(Compiled(each, whole.options, whole.defines), backend, args.runs)
            for part, each in without_parts(graph)
        }
        print(f"{name:8}", *(f"{part} {us:.2f}" for part, us in found.items()), sep="  ", flush=True)
        if kinds_of_lists(graph) is Lists.UNEVEN and graph.undirected:
            print(
                f"{name:8}",
                "layout: first, again, the kernel",
                *(f"{ms:.3f}" for ms in layout_ms(graph, backend)),
                sep="  ",
                flush=True,
            )


if __name__ == "__main__":
    main()
