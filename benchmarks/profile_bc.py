"""What BC spends its time on, on meshes: steps by kind, the time of a level, and two floors beside it.

    python benchmarks/profile_bc.py [--data DIR] [--graphs lattice,road-NE,rgg24] [--runs 5]
                                    [--widths 1,16,256] [--backend auto] [--set key=value ...]

For each graph the times of BC and BFS, then a table of traced runs, a line for each phase, and for steps
of one block alone apart from the grid's: steps, ms of all, us of a step (median and slowest), us of a
level, and

bytes   ms that what the phase reads and writes takes, each byte once, at the device's rates;
chain   ms that as many levels take where there is nothing else to do: on a path, a vertex each.

Forward and backward are one step each, in which vertices wait for each other: no barrier, and the chain
is what a value takes from the thread that finds it to the one that waits. Below the table us per level of
lattices of several widths (from a corner, as many threads for a list as in the graph): what width adds to
the chain is what the vertices of a level cost.
"""

from __future__ import annotations

import argparse
import statistics
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.goals import GRAPHS, graphs
from gunrock_cli.bench.ceilings.measured import ceilings
from gunrock_cli.bench.protocol.runner import Protocol, measure, trace_rows
from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.spec import spec_from_name
from gunrock_cli.operators.advance_ahead import lanes_log, launch_shape, search_lanes_log
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.base import Traffic
from gunrock_cli.primitives.bc import PRIMITIVE, Bc
from gunrock_cli.primitives.bc.options import BcOptions
from gunrock_cli.primitives.bc.variants import Ahead, Dependencies, InStep
from gunrock_cli.primitives.execution import execution_of
from gunrock_cli.primitives.variant import Member

HEIGHT = 2048
"""The height of the lattices, in vertices: about as many levels as meshes have."""
THROUGH_LEVELS = ("ahead", "forward", "backward")
"""The phases that go through all levels."""

Given = Mapping[str, Any]
"""Options, by key."""
Kind = tuple[str, bool]
"""A phase, and whether one block is alone in it."""
Steps = dict[Kind, list[float]]
"""The ms of the steps of a run."""


@dataclass(frozen=True)
class AheadLike(Ahead):
    """Ahead's kernel, launched and with lists dealt to threads as for another graph."""

    like: Graph

    @property
    def launch(self) -> Tuning | None:
        return launch_shape(self.like)

    def members(self) -> Mapping[str, Member]:
        return {
            **super().members(),
            "lanes_log": lanes_log(self.like),
            "search_lanes_log": search_lanes_log(self.like),
        }


@dataclass(frozen=True)
class InStepLike(InStep):
    """InStep's kernel, launched and with lists dealt to threads as for another graph."""

    like: Graph

    @property
    def successor(self) -> Ahead | None:
        ahead = super().successor
        return ahead and AheadLike(self.graph, ahead.options, self.like)


class Shaped(Bc):
    """BC as planned for one graph, run on others."""

    def __init__(self, like: Graph) -> None:
        self._like = like

    def plan(self, graph: Graph, asked: BcOptions) -> Dependencies:
        planned = super().plan(graph, asked)
        if isinstance(planned, Ahead):
            return AheadLike(graph, planned.options, self._like)
        if isinstance(planned, InStep):
            return InStepLike(graph, planned.options, self._like)
        return planned


def traced(
    primitive: Bc, graph: Graph, source: int, given: Given, backend: Backend, runs: int
) -> tuple[list[Steps], Array]:
    """The steps of each run, after one that warms up, and the vertices' levels."""
    execution = execution_of(primitive, graph, primitive.asked(given), backend, Protocol(trace=True))
    program, problem = execution.program(), execution.problem()
    found: list[Steps] = []
    for _ in range(runs + 1):
        steps: Steps = defaultdict(list)
        for row in trace_rows(program.contract, execution.run(program, problem, source)):
            steps[row["phase"], row["one_block"]].append(row["ms"])
        found.append(steps)
    return found[1:], execution.outputs(problem)["labels"]


def median(runs: list[Steps], kind: Kind, of: Callable[[list[float]], float]) -> float:
    """The median over the runs of a function of their steps of a kind."""
    return statistics.median(of(steps.get(kind) or [0.0]) for steps in runs)


def traffic(graph: Graph, phase: str) -> Traffic | None:
    """The bytes that a phase reads and writes if all vertices are reached; None if few."""
    n, lists = graph.n, graph.csr.row_offsets.nbytes + graph.csr.column_indices.nbytes
    return {
        "ahead": Traffic(read=lists, written=4 * n),
        "count levels": Traffic(read=4 * n, written=0),
        "sort": Traffic(read=4 * n, written=4 * n),
        "forward": Traffic(read=lists + (4 + 4 + 8) * n, written=8 * n),  # order, labels, counts
        "backward": Traffic(read=lists + (4 + 4 + 8 + 8) * n, written=12 * n),  # ratios and scores, too
    }.get(phase)


def us_per_level(runs: list[Steps], levels: int) -> dict[str, float]:
    """Microseconds per level, for the phases that go through all levels."""
    return {phase: 1e3 * median(runs, (phase, False), sum) / levels for phase in THROUGH_LEVELS}


def by_width(
    like: Graph, widths: list[int], given: Given, backend: Backend, runs: int
) -> dict[int, dict[str, float]]:
    """Microseconds per level of lattices, launched as BC is on a graph."""
    found = {}
    for width in widths:
        graph = load_graph(spec_from_name("grid2d", {"width": width, "height": HEIGHT}), backend.xp)
        runs_of, labels = traced(Shaped(like), graph, 0, given, backend, runs)
        found[width] = us_per_level(runs_of, int(labels.max()) + 1)
    return found


def print_table(
    graph: Graph, runs: list[Steps], levels: int, chain: dict[str, float], backend: Backend
) -> None:
    """Print a line for each kind of step."""
    limits = ceilings(backend)
    print(
        f"  {'phase':14}{'':7}{'steps':>6}{'ms':>9}{'us/step':>10}{'slowest':>9}{'us/level':>10}"
        f"{'bytes':>9}{'chain':>9}"
    )
    for kind in runs[0]:
        phase, alone = kind
        ms = median(runs, kind, sum)
        moved = traffic(graph, phase)
        through = phase in chain and not alone
        print(
            f"  {phase:14}{'alone' if alone else 'grid':7}{median(runs, kind, len):6.0f}{ms:9.3f}"
            f"{1e3 * median(runs, kind, statistics.median):10.2f}{1e3 * median(runs, kind, max):9.2f}"
            + (f"{1e3 * ms / levels:10.3f}" if through else f"{'':10}")
            + (f"{limits.floor_ms(moved):9.3f}" if moved else f"{'':9}")
            + (f"{chain[phase] * levels / 1e3:9.3f}" if through else ""),
            flush=True,
        )


def time_ms(name: str, graph: Graph, source: int, given: Given, backend: Backend, runs: int) -> float:
    """The median of untraced runs."""
    primitive = get_primitive(name)
    found = measure(
        primitive, graph, primitive.asked(given), [source], backend, Protocol(runs=runs, check="none")
    )
    return statistics.median(found.record.runs_ms)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(), help="folder of the .gcsr files")
    parser.add_argument("--graphs", default="lattice,road-NE,rgg24", help=", ".join(GRAPHS))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--widths", default="1,16,256")
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--set", action="append", default=[], help="an option of bc")
    args = parser.parse_args()
    given: dict[str, Any] = dict(pair.split("=", 1) for pair in args.set)
    widths = sorted({1, *map(int, args.widths.split(","))})
    backend = choose_backend(args.backend)
    print(backend.why)
    for name, graph, source in graphs(args.graphs, args.data, backend.xp):
        runs, labels = traced(PRIMITIVE, graph, source, given, backend, args.runs)
        levels = int(labels.max()) + 1
        print(
            f"{name}: bc {time_ms('bc', graph, source, given, backend, args.runs):.3f} ms, "
            f"bfs {time_ms('bfs', graph, source, {}, backend, args.runs):.3f} ms, {levels} levels of "
            f"{graph.n / levels:.0f} vertices"
        )
        lattices = by_width(graph, widths, given, backend, args.runs)
        print_table(graph, runs, levels, lattices[1], backend)
        for width, us in lattices.items():
            print(
                f"  {width} wide, us per level:", *(f"{phase} {each:.3f}" for phase, each in us.items())
            )


if __name__ == "__main__":
    main()
