"""PageRank by power iteration: the share of time a random surfer spends at every vertex.

By default ranks are gathered over in-edges; ``--push`` scatters them over out-edges, from a frontier of
all vertices or, with ``--filter-converged``, of those that have news for their neighbours.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.gather_all import gather_shape, kinds_of_lists
from gunrock_cli.operators.gather_padded import room_for, suits_padding
from gunrock_cli.operators.launch_shapes import GATHER
from gunrock_cli.primitives.base import (
    PROVED,
    Accesses,
    Options,
    Outputs,
    Primitive,
    Traffic,
    Validation,
    Work,
)
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.parts.pagerank import PageRankInParts
from gunrock_cli.primitives.references import power_iteration
from gunrock_cli.primitives.renumbering import (
    SAVED,
    Renumbered,
    expected_iterations,
    hot_macro,
    order_of,
    order_option,
    renumbering_pays,
)

PRECISIONS = ("float32", "float64")
L1_TOLERANCE = 1e-6
"""How far, in L1, an answer may be from the reference, not counting rounding and the stopping rule."""
ROUNDINGS = 4
"""Roundings of a rank in one iteration: of its neighbours' shares, of their sum, and of itself."""
FILTER_SHARE = 0.5
"""The share of the tolerance (and of L1_TOLERANCE) by which the filter alone may move ranks."""
_PUSH = {"push": True}


class PageRank(Primitive):
    name = "pagerank"
    summary = "PageRank: ranks by power iteration, gathered over in-edges or pushed over out-edges."
    sweeps = True
    needs_source = False
    needs_reverse = True
    advance_under = _PUSH
    in_parts = PageRankInParts()
    queue_factor = 0.0
    shared_options = ("damping", "tolerance", "max_iterations")
    limits = ("max_iterations",)
    options = (
        Option(
            "damping",
            0.85,
            kind=float,
            minimum=0.0,
            maximum=0.999,
            help="The chance to follow an edge rather than to jump anywhere.",
        ),
        Option(
            "tolerance",
            1e-6,
            kind=float,
            minimum=0.0,
            help="Stop when an iteration changed the ranks, which sum to 1, by less than this "
            "in all (L1). float32 settles around 1e-7. 0: always --max-iterations.",
        ),
        Option(
            "max-iterations",
            50,
            kind=int,
            minimum=0,
            help="Stop after this many iterations (the default is Gunrock's).",
        ),
        Option(
            "precision",
            "float32",
            choices=PRECISIONS,
            define="GR_RANK_DOUBLE",
            changes_answer=True,
            help="Of ranks and of what vertices pass on; lists are summed in float64.",
        ),
        Option(
            "push",
            False,
            kind=bool,
            panel="Direction",
            help="Scatter over out-edges by atomic adds, from a frontier of all vertices, instead "
            "of gathering over in-edges. The same iterates, but for the order of additions.",
        ),
        Option(
            "filter-converged",
            False,
            kind=bool,
            under=_PUSH,
            help="Push, but only from vertices whose rank has changed since they last pushed; "
            "the others leave the frontier until it has. Changes too small to push move the ranks "
            "by at most half the tolerance, and at most 5e-7, in all (L1).",
        ),
        order_option("ranks", "out-degree"),
        Option(
            "normalized",
            True,
            kind=bool,
            changes_answer=True,
            help="Ranks that sum to 1; otherwise to n, so that the mean is 1.",
        ),
    )

    def reads_reverse(self, options: Options) -> bool:
        return not (options["push"] or options["filter_converged"])

    def check_options(self, graph: Graph, options: Options) -> dict[str, Any]:
        push = options["push"] or options["filter_converged"]
        order = order_of(
            options["order"],
            lambda: pays(graph, options),
            "--push and --filter-converged" if push else "",
        )
        return {**options, "push": push, "order": order}

    def renumbers(self, options: Options) -> bool:
        return options["order"] == "degree"

    def layout_saves(self, options: Options) -> tuple[float, float] | None:
        return SAVED

    def advances(self, graph: Graph, options: Options) -> Advance:
        return Advance.BALANCED if options["push"] else Advance.NONE

    def defines(self, graph: Graph, options: Options) -> dict[str, str | int]:
        if options["push"]:
            return {"GR_RANK_FILTER": int(options["filter_converged"])}
        padded = {"GR_PADDED": 1} if pads(graph, options) else {}
        return {
            "GR_LISTS": kinds_of_lists(graph).value,
            **hot_macro(graph, self.renumbers(options)),
            **padded,
        }

    def kernel_file(self, graph: Graph, options: Options) -> Path:
        return self.variant_file("push" if options["push"] else "pull")

    def launch(self, graph: Graph, options: Options) -> Tuning | None:
        return GATHER if options["push"] else gather_shape(graph)

    def problem(self, graph: Graph, options: Options) -> dict[str, Array | int | float]:
        xp = graph.xp
        arrays_of_form = (
            {"sums": xp.empty(graph.n, np.float64), "slack": filter_slack(graph, options)}
            if options["push"]
            else {
                "even": 1.0 / max(graph.n, 1),
                "dangling": (graph.n - graph.csr.longer_than(0)) / max(graph.n, 1),
                "long_lists": xp.empty(graph.n, np.int32),
                "long_counts": xp.empty(2, np.int32),
                "padded": xp.empty(room_for(graph.csr), np.int32) if pads(graph, options) else None,
                "order": graph.order if isinstance(graph, Renumbered) else None,
            }
        )
        return {
            **arrays_of_form,
            "ranks": xp.empty(graph.n, options["precision"]),
            "shares": xp.empty(2 * graph.n, options["precision"]),
            "totals": xp.empty(6, np.float64),
            "damping": options["damping"],
            "tolerance": options["tolerance"],
            "max_iterations": options["max_iterations"],
        }

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        xp, shares = graph.xp, problem["shares"]
        degrees = graph.csr.degrees()
        even = 1.0 / max(graph.n, 1)
        xp.divide(even, xp.maximum(degrees, 1), out=shares[: graph.n])
        problem["totals"].fill(0)
        if not options["push"]:
            problem["long_counts"].fill(0)
            return
        problem["ranks"].fill(even)
        shares[graph.n :].fill(0)
        shares[: graph.n][degrees == 0] = 0
        problem["sums"].fill(0)
        problem["totals"][1:2] = (degrees == 0).sum() * even

    def outputs(self, problem: dict[str, Any], graph: Graph, options: Options) -> dict[str, Array]:
        ranks = problem["ranks"]
        return {"ranks": ranks if options["normalized"] else ranks * ranks.dtype.type(graph.n)}

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        return Work(vertices_visited=graph.n, edges_visited=graph.m)

    def finish_work(self, work: Work, options: Options, steps: int, mean_ms: float) -> Work:
        # One step to begin with; then one per iteration, or scatter and update.
        iterations = (steps - 1) // (2 if options["push"] else 1)
        metrics = {**work.metrics, "iterations": iterations}
        if iterations:
            metrics["iteration_ms"] = mean_ms / iterations
        return replace(work, metrics=metrics, iterations=iterations)

    def traffic(self, graph: Graph, options: Options, work: Work) -> Traffic | None:
        """An iteration reads every stored edge, the end of each list, and a share of every vertex that
        passes something on; it writes the share of each vertex that receives something. None where edges
        are left out."""
        if options["filter_converged"]:
            return None
        size = np.dtype(options["precision"]).itemsize
        row = graph.csr.row_offsets.dtype.itemsize
        passing = graph.csr.degrees() > 0
        if graph.reverse is not None:
            fed = graph.reverse.degrees() > 0
        else:  # when pushing, a directed graph has no in-edges
            fed = graph.xp.zeros(graph.n, bool)
            fed[graph.csr.column_indices] = True
        return Traffic(
            read=4 * graph.m + row * (graph.n + 1) + size * int(passing.sum()),
            written=size * int((passing & fed).sum()),
            passes=int(work.metrics["iterations"]),
        )

    def accesses(self, graph: Graph, options: Options, work: Work) -> Accesses | None:
        """An iteration reads every edge and gathers a share for it; for each vertex it reads the row and
        the share, and writes the share. None where edges are left out."""
        if options["filter_converged"]:
            return None
        size = np.dtype(options["precision"]).itemsize
        row = graph.csr.row_offsets.dtype.itemsize
        moved = 4 * graph.m + (row + 2 * size) * graph.n
        return Accesses(moved, graph.m, size * graph.n, passes=int(work.metrics["iterations"]))

    def agrees(self, options: Options, outputs: Outputs, proved: Outputs) -> Validation | None:
        """In L1: an answer farther from ours than both may be from the limit would not pass ``validate``
        either. Ours is as near to it as its certificate says."""
        from gunrock_cli.primitives.certificates.pagerank import ROUNDING

        damping, tolerance = options["damping"], options["tolerance"]
        found, ours = (np.asarray(each["ranks"]).astype(np.float64) for each in (outputs, proved))
        if damping >= 1 or found.shape != ours.shape or not len(ours):
            return None
        ours /= ours.sum()
        epsilon = float(np.finfo(options["precision"]).eps)
        theirs = L1_TOLERANCE + tolerance * (2 + damping / (1 - damping))
        allowed = theirs + (tolerance + (ROUNDING + ROUNDINGS) * epsilon) / (1 - damping)
        apart = float(np.abs(found - ours).sum())
        if apart <= allowed:
            return Validation("pass", PROVED, f"{apart:.3g} apart in L1")
        return Validation("fail", PROVED, f"{apart:.3g} apart in L1, where {allowed:.3g} are allowed")

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        """In L1, within 1e-6 and the rounding of the precision of either

        - the iterate at which a float64 power iteration stops by the same rules (if those stopped
          it by the tolerance, rounding may shift the stop: two tolerances more), or
        - the ranks that the iteration converges to, where the error that the tolerance leaves,
          ``tolerance * damping / (1 - damping)``, is allowed: other systems stop by other rules.

        Rounding adds up over iterations to at most ``ROUNDINGS * epsilon / (1 - damping)``.
        """
        if graph.n == 0:
            return Validation("pass", "scipy")
        ranks = np.asarray(outputs["ranks"])
        damping, tolerance = options["damping"], options["tolerance"]
        epsilon = float(np.finfo(ranks.dtype).eps) if ranks.dtype.kind == "f" else 0.0
        allowed = L1_TOLERANCE + ROUNDINGS * epsilon / (1 - damping)
        found = ranks.astype(np.float64)
        if found.shape != (graph.n,) or not np.isfinite(found).all():
            return Validation("fail", "scipy", "not a finite rank for every vertex")
        if not options["normalized"] and found.sum() > graph.n**0.5:
            found /= graph.n  # peers' ranks sum to 1 in any case

        iterates = power_iteration(graph, damping)
        expected, change, iteration = np.full(graph.n, 1 / graph.n), np.inf, 0
        while change >= tolerance and iteration < options["max_iterations"]:
            expected, change = next(iterates)
            iteration += 1
        early = float(np.abs(found - expected).sum())
        if early <= allowed + (2 * tolerance if change < tolerance else 0.0):
            return Validation("pass", "scipy")

        error = damping / (1 - damping)  # times the last change: the distance to the limit
        while change * error > L1_TOLERANCE / 10:
            expected, change = next(iterates)
        late = float(np.abs(found - expected).sum())
        if late <= allowed + tolerance * error:
            return Validation("pass", "scipy")
        worst = int(np.abs(found - expected).argmax())
        return Validation(
            "fail",
            "scipy",
            f"ranks are off by {early:.3g} in L1 after {iteration} iterations and by {late:.3g} "
            f"from their limit; vertex {worst}: {found[worst]:.9g}, expected {expected[worst]:.9g}",
        )


def pays(graph: Graph, options: Options) -> bool:
    """Whether gathering by degree makes up for laying out the graph again."""
    table = graph.n * np.dtype(options["precision"]).itemsize
    return renumbering_pays(graph, table, expected_iterations(options))


def pads(graph: Graph, options: Options) -> bool:
    """Whether a pull gathers from a copy of the lists that has room for a few entries in each: on a GPU,
    in the graph's order, where as many edges lead out of a vertex as in [D-padded-1]."""
    return (
        graph.xp is not np
        and graph.undirected
        and options["order"] == "graph"
        and suits_padding(graph.csr)
    )


def filter_slack(graph: Graph, options: Options) -> float:
    """How much a vertex may keep back of what it passes on along each of its edges.

    With at most ``slack`` an edge, ranks are computed from others that are off by ``m * slack`` in L1;
    each iteration hands on ``damping`` of the error and adds as much, which sums to
    ``m * slack * damping / (1 - damping)``.
    """
    damping = max(options["damping"], 1e-9)
    error = FILTER_SHARE * min(options["tolerance"], L1_TOLERANCE)
    return float(error * (1 - damping) / (damping * max(graph.m, 1)))


PRIMITIVE = PageRank()
