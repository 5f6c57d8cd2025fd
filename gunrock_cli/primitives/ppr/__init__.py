"""Personalized PageRank: the share of time that a walk spends at every vertex if it restarts at its seeds
now and then, and wherever there is no edge to follow.

By default ranks are gathered over in-edges, for one set of seeds or, with ``--batch``, for many seeds at
once; ``--method push`` moves what is not yet settled along out-edges, and looks only at the part of the
graph that it reaches.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model import Array, Graph
from gunrock_cli.graph.vertex_list import listed_vertices
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.gather_all import gather_shape, kinds_of_lists
from gunrock_cli.operators.gather_rows import ROW, suits_octets
from gunrock_cli.operators.launch_shapes import GATHER, ROWS
from gunrock_cli.primitives.base import Accesses, Options, Outputs, Primitive, Validation, Work
from gunrock_cli.primitives.options import Option
from gunrock_cli.primitives.pagerank import L1_TOLERANCE, ROUNDINGS
from gunrock_cli.primitives.references import Products, ScipyProducts, power_iteration
from gunrock_cli.primitives.renumbering import (
    SAVED,
    Renumbered,
    expected_iterations,
    hot_macro,
    numbers_of,
    order_in_tuple,
    order_of,
    renumbering_pays,
)
from gunrock_cli.primitives.seeds import drawn_seeds, seed_bitmap

METHODS = ("power", "push")
_OF_METHOD = {"power": ("tolerance", "max_iterations"), "push": ("epsilon",)}
"""Options of one method alone."""
_UNSET = {"tolerance": 1e-6, "max_iterations": 100, "epsilon": 1e-7}
FASTEST = 0.21
"""The least share of an iteration's change that the next one leaves, where neighbours are scattered: on
R-MAT 9 iterations come down to 1e-6 [D-renumber-2]."""
LONG_SUMS = 1e-12
"""How far apart, relatively, sums of many float64 may be that were added up in different orders."""


class PersonalizedPageRank(Primitive):
    name = "ppr"
    summary = "Personalized PageRank: ranks as seen from a set of seeds, or from many seeds at once."
    sweeps = True
    needs_reverse = True
    instead_of_source = ("seeds", "batch")
    advance_under = MappingProxyType({"method": "push"})
    shared_options = ("seeds", "batch", "damping", "tolerance", "max_iterations")
    limits = ("max_iterations",)
    options = (
        Option(
            "seeds",
            None,
            kind=str,
            lists_vertices=True,
            help="Begin at these vertices, each equally often, instead of at --src: 0,5,9, or @FILE "
            "with vertices separated by commas or blanks.",
        ),
        Option(
            "batch",
            None,
            kind=int,
            minimum=1,
            maximum=ROW,
            help="This many seeds at once, each with ranks of its own: those of --seeds, or as many "
            "vertices with out-edges, drawn at random (always the same ones).",
        ),
        Option(
            "method",
            "power",
            choices=METHODS,
            changes_answer=True,
            help="power: power iteration, gathered over in-edges. push: from a frontier of vertices "
            "that have more than --epsilon a neighbour to pass on (Andersen 2006).",
        ),
        Option(
            "damping",
            0.85,
            kind=float,
            minimum=0.0,
            maximum=0.999,
            help="The chance to follow an edge rather than to begin anew.",
        ),
        Option(
            "tolerance",
            None,
            unset=_UNSET["tolerance"],
            kind=float,
            minimum=0.0,
            help="For power: stop when an iteration changed the ranks, which sum to 1, by less than "
            "this in all (L1), those of every seed. 0: always --max-iterations.",
        ),
        Option(
            "max-iterations",
            None,
            unset=_UNSET["max_iterations"],
            kind=int,
            minimum=0,
            help="For power: stop after so many.",
        ),
        Option(
            "epsilon",
            None,
            unset=_UNSET["epsilon"],
            kind=float,
            minimum=1e-12,
            maximum=1.0,
            help="For push: what a vertex may keep unsettled, a neighbour that it has. The metric "
            "unsettled says how much of the ranks' sum that leaves out.",
        ),
        Option(
            "precision",
            "float32",
            choices=("float32", "float64"),
            define="GR_RANK_DOUBLE",
            changes_answer=True,
            help="Of ranks and, for power, of what vertices pass on; sums are in float64.",
        ),
        order_in_tuple("ranks", "out-degree", only=", without --batch,"),
    )

    def reads_source(self, options: Options) -> bool:
        return options["seeds"] is None and options["batch"] is None

    def column_names(self, options: Options) -> tuple[str, ...]:
        if not options["batch"]:
            return ()
        names = [f"seed {seed}" for seed in options["seeds"].split(",")]
        if len(set(names)) < len(names):
            names = [f"{name} ({number})" for number, name in enumerate(names)]
        return tuple(names)

    def reads_reverse(self, options: Options) -> bool:
        return bool(options["method"] == "power")

    def renumbers(self, options: Options) -> bool:
        return bool(options["order"] == "degree")

    def layout_saves(self, options: Options) -> tuple[float, float] | None:
        return None if options["batch"] else SAVED

    def check_options(self, graph: Graph, options: Options) -> dict[str, Any]:
        """Seeds are resolved to a list of vertices, and options of the other method to None."""
        options = {**options, **_of_method(options)}
        seeds, batch = options["seeds"], options["batch"]
        order = order_of(
            options["order"],
            lambda: pays(graph, options),
            "--method push" if options["method"] == "push" else "",
        )
        if batch is not None and options["method"] == "push":
            raise UsageError("--method push takes one set of seeds: leave out --batch")
        if not self.reads_source(options) and graph.n == 0:
            raise UsageError(f"{graph.name} has no vertices, so no seeds")
        if seeds is not None:
            chosen = listed_vertices(graph, seeds, "--seeds", repeated=True)
            if batch is not None and len(chosen) != batch:
                raise UsageError(f"--batch {batch}: --seeds has {len(chosen)}")
            seeds = ",".join(map(str, chosen))
        elif batch is not None:
            seeds = ",".join(map(str, drawn_seeds(graph, batch)))
        return {**options, "seeds": seeds, "order": order}

    def advances(self, graph: Graph, options: Options) -> Advance:
        return Advance.BALANCED if options["method"] == "push" else Advance.NONE

    def defines(self, graph: Graph, options: Options) -> dict[str, str | int]:
        if options["method"] == "push":
            return {}
        if options["batch"]:
            return {"GR_ROWS_BY_OCTETS": int(suits_octets(graph))}
        return {"GR_LISTS": kinds_of_lists(graph).value, **hot_macro(graph, self.renumbers(options))}

    def constants(self, graph: Graph, options: Options) -> Mapping[str, int]:
        return {"ROW": ROW} if options["batch"] else {}

    def kernel_file(self, graph: Graph, options: Options) -> Path:
        return self.variant_file("batch" if options["batch"] else options["method"])

    def launch(self, graph: Graph, options: Options) -> Tuning | None:
        if options["method"] == "push":
            return None
        if options["batch"]:
            return ROWS if suits_octets(graph) else GATHER
        return gather_shape(graph)

    def problem(self, graph: Graph, options: Options) -> dict[str, Array | int | float]:
        xp, n = graph.xp, graph.n
        if options["method"] == "push":
            return {
                **{name: xp.empty(n, np.float64) for name in ("ranks", "residuals", "passed")},
                "lost": xp.empty(1, np.float64),
                "seeds": xp.empty(n, np.int32),
                "seed_count": 0,
                "damping": options["damping"],
                "epsilon": options["epsilon"],
            }
        width, more = (ROW, 1) if options["batch"] else (1, 0)
        bits = xp.empty((n + 31) // 32, np.uint32)
        seeds = (
            {"seeds": xp.full(ROW, -1, np.int32), "reached": bits}
            if options["batch"]
            else {"seed_bits": bits, "seed_weight": 1.0}
        )
        return {
            **seeds,
            "ranks": xp.empty(n * width, options["precision"]),
            "shares": xp.empty(2 * (n + more) * width, options["precision"]),
            "totals": xp.empty(6 * width, np.float64),
            "long_lists": xp.empty(n, np.int32),
            "long_counts": xp.empty(2, np.int32),
            "damping": options["damping"],
            "tolerance": options["tolerance"],
            "max_iterations": options["max_iterations"],
            "order": graph.order if isinstance(graph, Renumbered) else None,
        }

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        seeds = numbers_of(graph, graph.xp.asarray(seeds_of(options, source), np.int32))
        if options["method"] == "push":
            reset_push(problem, seeds)
        elif options["batch"]:
            reset_batch(problem, graph, seeds)
        else:
            reset_power(problem, graph, seeds)

    def outputs(self, problem: dict[str, Any], graph: Graph, options: Options) -> dict[str, Array]:
        ranks = problem["ranks"]
        if options["batch"]:
            return {"ranks": ranks.reshape(graph.n, ROW)[:, : options["batch"]]}
        if options["method"] == "push":
            kept = 1 - float(problem["lost"][0])  # what dangling vertices returned began as the rest did
            ranks = (ranks / kept).astype(options["precision"])
        return {"ranks": ranks}

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        ranks = outputs["ranks"]
        if options["method"] == "push":
            reached = int((ranks > 0).sum())
            unsettled = max(0.0, 1 - float(ranks.sum(dtype=np.float64)))
            return Work(vertices_visited=reached, metrics={"unsettled": unsettled})
        return Work(vertices_visited=graph.n, edges_visited=graph.m)

    def finish_work(self, work: Work, options: Options, steps: int, mean_ms: float) -> Work:
        # One step to begin with; then one per iteration, or settle and push.
        iterations = (steps - 1) // (2 if options["method"] == "push" else 1)
        metrics = {**work.metrics, "iterations": iterations}
        if iterations:
            metrics["iteration_ms"] = mean_ms / iterations
        if options["batch"]:
            metrics["ms_per_seed"] = mean_ms / options["batch"]
        return replace(work, metrics=metrics, iterations=iterations)

    def accesses(self, graph: Graph, options: Options, work: Work) -> Accesses | None:
        """As PageRank's; in a batch a neighbour's shares are a row of their own. (There is no floor: most
        of the graph is out of reach at first, on a mesh to the end, and need not be read.)"""
        if options["method"] == "push":
            return None
        size = np.dtype(options["precision"]).itemsize
        row = graph.csr.row_offsets.dtype.itemsize
        passes = int(work.metrics["iterations"])
        if options["batch"]:
            rows = ROW * size
            return Accesses((4 + rows) * graph.m + (row + 2 * rows) * graph.n, 0, rows * graph.n, passes)
        return Accesses(4 * graph.m + (row + 2 * size) * graph.n, graph.m, size * graph.n, passes)

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        return self.check(graph, options, source, outputs, ScipyProducts(graph))

    def check(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs, products: Products
    ) -> Validation:
        """By what one more iteration, in float64 and over out-edges, would change.

        For power: a change of c bounds the distance (L1) from the true ranks by c / (1 - damping). It
        may be what the tolerance leaves and the rounding of the precision; where --max-iterations ended
        the run before, ranks are compared with the iterate of that number. For push the change, over
        1 - damping, is what is unsettled: nowhere negative, nowhere more than epsilon times the degree.
        """
        ranks = graph.xp.asarray(outputs["ranks"])
        restart = restart_of(graph, options, source)
        if ranks.shape != restart.shape or not np.isfinite(ranks).all():
            return Validation("fail", "scipy", "not a finite rank for every vertex and seed")
        found = ranks.astype(np.float64)
        epsilon = float(np.finfo(ranks.dtype).eps) if ranks.dtype.kind == "f" else 0.0
        fresh, change = next(power_iteration(graph, options["damping"], restart, found, products))
        if change <= allowed_change(options, epsilon):
            return Validation("pass", "scipy")
        if options["method"] == "push":
            return check_push(graph, options, found, fresh, epsilon)
        return check_iterate(graph, options, restart, found, change, epsilon, products)


def _of_method(options: Options) -> dict[str, Any]:
    """The options of one method alone: their values for this one, and None for the other; UsageError for
    one of the other that is given."""
    found: dict[str, Any] = {}
    for method, names in _OF_METHOD.items():
        for name in names:
            given = options[name]
            if method == options["method"]:
                found[name] = _UNSET[name] if given is None else given
            elif given is not None:
                raise UsageError(
                    f"--{name.replace('_', '-')} {given:g} is for --method {method}, not "
                    f"{options['method']}; leave it out"
                )
            else:
                found[name] = None
    return found


def pays(graph: Graph, options: Options) -> bool:
    """Whether gathering by degree makes up for laying out the graph again. The rows of a batch are lines
    of memory wherever they lie."""
    table = graph.n * np.dtype(options["precision"]).itemsize
    iterations = expected_iterations(options["max_iterations"], options["tolerance"], FASTEST)
    return options["batch"] is None and renumbering_pays(graph, table, iterations)


def seeds_of(options: Options, source: int | None) -> list[int]:
    """The seeds of a run by its resolved options, each once unless each has its own ranks."""
    if options.get("seeds") is None:
        assert source is not None
        return [source]
    seeds = [int(seed) for seed in options["seeds"].split(",")]
    return seeds if options.get("batch") else sorted(set(seeds))


def restart_of(graph: Graph, options: Options, source: int | None) -> np.ndarray[Any, Any]:
    """Where the walk restarts: a distribution over the vertices; for a batch, one in each column."""
    seeds = graph.xp.asarray(seeds_of(options, source), np.int32)
    if options.get("batch"):
        columns = graph.xp.zeros((graph.n, len(seeds)))
        columns[seeds, graph.xp.arange(len(seeds))] = 1
        return columns
    restart = graph.xp.zeros(graph.n)
    restart[seeds] = 1 / len(seeds)
    return restart


def reset_power(problem: dict[str, Any], graph: Graph, seeds: Array) -> None:
    """The arrays of ``kernels/primitives/ppr/iteration.cuh`` before a run: all rank lies on the seeds,
    which are different rows of the graph."""
    weight = 1 / len(seeds)
    degrees = graph.csr.degrees()[seeds]
    problem["seed_bits"][...] = seed_bitmap(seeds, graph)
    problem["seed_weight"] = weight
    problem["shares"].fill(0)
    problem["shares"][seeds] = weight / graph.xp.maximum(degrees, 1)
    problem["totals"].fill(0)
    problem["totals"][1] = weight * int(graph.xp.equal(degrees, 0).sum())
    problem["long_counts"].fill(0)


def reset_batch(problem: dict[str, Any], graph: Graph, seeds: Array) -> None:
    """The same for ``batch.cuh``; equal seeds do no harm."""
    degrees = graph.csr.degrees()[seeds]
    columns = graph.xp.arange(len(seeds))
    problem["seeds"][: len(seeds)] = seeds
    problem["reached"][...] = seed_bitmap(seeds, graph)
    problem["shares"].fill(0)
    problem["shares"][(seeds.astype(np.int64) + 1) * ROW + columns] = 1 / graph.xp.maximum(degrees, 1)
    problem["totals"].fill(0)
    problem["totals"][ROW + columns] = degrees == 0
    problem["long_counts"].fill(0)


def reset_push(problem: dict[str, Any], seeds: Array) -> None:
    """The same for ``push.cuh``; the seeds are different."""
    problem["ranks"].fill(0)
    problem["residuals"].fill(0)
    problem["residuals"][seeds] = 1 / len(seeds)
    problem["lost"].fill(0)
    problem["seeds"][: len(seeds)] = seeds
    problem["seed_count"] = len(seeds)


def allowed_change(options: Options, epsilon: float) -> float:
    """How much one more iteration may change ranks that have reached the limit: by the tolerance, and by
    the precision's rounding."""
    damping, tolerance = options["damping"], tolerance_of(options)
    return float(damping * tolerance + (1 - damping) * L1_TOLERANCE + (1 + damping) * ROUNDINGS * epsilon)


def tolerance_of(options: Options) -> float:
    """A push has none: the answers it is compared with converge by the default."""
    return 1e-6 if options.get("tolerance") is None else float(options["tolerance"])


def check_iterate(
    graph: Graph,
    options: Options,
    restart: np.ndarray[Any, Any],
    found: np.ndarray[Any, Any],
    change: float,
    epsilon: float,
    products: Products,
) -> Validation:
    """Whether ranks that one more iteration would change by ``change`` are those where --max-iterations
    made the run stop."""
    damping, tolerance = options["damping"], tolerance_of(options)
    iterates = power_iteration(graph, damping, restart, products=products)
    expected, last, iteration = restart, np.inf, 0
    while last >= tolerance and iteration < options["max_iterations"]:
        expected, last = next(iterates)
        iteration += 1
    off = float(np.abs(found - expected).sum(axis=0).max())
    rounding = ROUNDINGS * epsilon / (1 - damping)
    if off <= L1_TOLERANCE + rounding + (2 * tolerance if last < tolerance else 0.0):
        return Validation("pass", "scipy")
    return Validation(
        "fail",
        "scipy",
        f"one more iteration would change the ranks by {change:.3g} in L1, and they are "
        f"off by {off:.3g} from those after {iteration} iterations",
    )


def check_push(
    graph: Graph,
    options: Options,
    found: np.ndarray[Any, Any],
    fresh: np.ndarray[Any, Any],
    epsilon: float,
) -> Validation:
    """Whether, at every vertex, what one more iteration would add is within the bound of a push."""
    damping, degrees = options["damping"], graph.csr.degrees()
    unsettled = (fresh - found) / (1 - damping)
    bound = options["epsilon"] * np.maximum(degrees, 1)
    rounding = (ROUNDINGS * epsilon + LONG_SUMS) * (found + fresh) / (1 - damping)
    wrong = np.flatnonzero((unsettled < -rounding) | (unsettled > bound + rounding))
    if len(wrong) == 0:
        return Validation("pass", "scipy")
    v = int(wrong[0])
    return Validation(
        "fail",
        "scipy",
        f"{len(wrong)} vertices keep what they must not: vertex {v} "
        f"{float(unsettled[v]):.3g}, of at most {float(bound[v]):.3g}",
    )


PRIMITIVE = PersonalizedPageRank()
