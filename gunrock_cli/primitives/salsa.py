"""SALSA: hubs and authorities of a directed or bipartite graph by random walks (Lempel and Moran 2001).

A walk goes forward along a random edge and back along a random one. Hubs are where a walk is after every
second step if it begins evenly at vertices with out-edges; authorities are the same for a walk that
begins at vertices with in-edges. In the limit, within each connected part of the two sides, authorities
are proportional to their in-degrees and hubs to their out-degrees.

With ``--seeds`` there is one walk. It begins at the seeds as hubs and, whenever it comes back to that
side, restarts with probability ``--restart``: hubs are then where it is on that side, authorities where
it last was on the other.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import MAX_VERTICES, Array, Csr, Graph, array_module, to_numpy
from gunrock_cli.graph.vertex_list import listed_vertices
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.gather_all import gather_shape, kinds_of_both
from gunrock_cli.primitives.base import Accesses, Options, Outputs, Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.references import Products, SalsaReference, ScipyProducts, excess_at_stop
from gunrock_cli.primitives.renumbering import (
    SAVED_NS,
    SAVED_NS_OF_PAIRS,
    hot_macro,
    numbers_of,
    order_of,
)
from gunrock_cli.primitives.two_sides import (
    TOLERANCE,
    accesses_of_sides,
    both_sides,
    in_degrees,
    long_lists,
    order_of_sides,
    orders_of_sides,
    pays_on_sides,
    rounding,
    shown,
    traffic_of_sides,
)

SLOTS = 4
RESTART = 0.15
FASTEST = 0.25
"""The least share of an iteration's change that the next one leaves, where neighbours are scattered: on
R-MAT 10 iterations come down to 1e-6, with seeds 8 [D-renumber-2]."""
FASTEST_FROM_SEEDS = 0.17
SAVED_OF_PAIRS = (0.09, 0.09)
"""As ``renumbering.SAVED``; not measured beyond the cache, where PageRank saves more [D-renumber-2]."""
MOST_PAIRS = {4: 2**31 - 1, 8: 2**33 - 1}
"""The most that the lists of a frontier of edges may add up to, by the bytes of an offset."""


class Salsa(Primitive):
    name = "salsa"
    summary = (
        "SALSA: hubs and authorities by random walks forward and back; --undirected: "
        "edges lead both ways."
    )
    sweeps = True
    needs_source = False
    needs_reverse = True
    advance_under = MappingProxyType({"variant": "edges"})
    queue_factor = 0.0
    directed = True
    sides_apart = True
    answer = ("hubs", "authorities")
    columns = ("hubs", "authorities")
    limits = ("max_iterations",)
    options = (
        Option(
            "variant",
            "gather",
            choices=("gather", "edges"),
            help="gather: both walks at once, over in-lists, then over out-lists. edges: an advance "
            "over a frontier of all edges, two hops, with atomics (Gunrock's listing); its work grows "
            "with the squares of the degrees. The same iterates.",
        ),
        Option(
            "seeds",
            None,
            kind=str,
            changes_answer=True,
            lists_vertices=True,
            help="Personalized: the walk begins at these vertices, 0,5,9 or @FILE, evenly at those "
            "that have out-edges. Needs --variant gather.",
        ),
        Option(
            "restart",
            None,
            kind=float,
            minimum=0.0,
            maximum=1.0,
            changes_answer=True,
            help="With --seeds: the chance to begin anew there, whenever the walk comes back to the "
            f"hubs. Default {RESTART}.",
        ),
        Option(
            "tolerance",
            1e-6,
            kind=float,
            minimum=0.0,
            help="Stop when an iteration changed hubs and authorities, which sum to 1, by less than "
            "this (L1) each. float32 settles around 1e-7. 0: always --max-iterations.",
        ),
        Option(
            "max-iterations",
            50,
            kind=int,
            minimum=0,
            help="Stop after this many iterations, of a step forward and one back.",
        ),
        Option(
            "precision",
            "float32",
            choices=("float32", "float64"),
            define="GR_RANK_DOUBLE",
            changes_answer=True,
            help="Of hubs and authorities; long lists are summed in float64.",
        ),
        order_of_sides(),
    )

    def renumbers(self, options: Options) -> bool:
        return bool(options["order"] == "degree")

    def layout_saves(self, options: Options) -> tuple[float, float] | None:
        return SAVED_OF_PAIRS if options["seeds"] is None else None

    def check_options(self, graph: Graph, options: Options) -> dict[str, Any]:
        options = {
            **options,
            "order": order_of(
                options["order"],
                lambda: pays(graph, options),
                "--variant edges" if options["variant"] == "edges" else "",
            ),
        }
        if options["seeds"] is None:
            if options["restart"] is not None:
                raise UsageError(f"--restart {options['restart']:g} needs --seeds")
            if options["variant"] == "edges":
                check_pairs(graph)
            return dict(options)
        if options["variant"] == "edges":
            raise UsageError("--seeds needs --variant gather")
        seeds = list(dict.fromkeys(listed_vertices(graph, options["seeds"], "--seeds", repeated=True)))
        restart = RESTART if options["restart"] is None else options["restart"]
        return {**options, "seeds": ",".join(map(str, seeds)), "restart": restart}

    def advances(self, graph: Graph, options: Options) -> Advance:
        return Advance.BALANCED if options["variant"] == "edges" else Advance.NONE

    def defines(self, graph: Graph, options: Options) -> dict[str, str | int]:
        if options["variant"] == "edges":
            return {"GR_EDGE_FRONTIER": 1}
        return {
            "GR_LISTS": kinds_of_both(graph).value,
            "GR_SALSA_SEEDS": int(options["seeds"] is not None),
            **hot_macro(graph, self.renumbers(options)),
        }

    def kernel_file(self, graph: Graph, options: Options) -> Path:
        return self.variant_file(options["variant"])

    def launch(self, graph: Graph, options: Options) -> Tuning | None:
        return gather_shape(graph)

    def problem(self, graph: Graph, options: Options) -> dict[str, Array | int | float]:
        xp, n, precision = graph.xp, graph.n, options["precision"]
        common: dict[str, Array | int | float] = {
            "hubs": xp.empty(n, precision),
            "authorities": xp.empty(n, precision),
            "changes": xp.empty(SLOTS, np.float64),
            "tolerance": options["tolerance"],
            "max_iterations": options["max_iterations"],
        }
        if options["variant"] == "edges":
            sides = two_sided(graph)
            longest = int(sides.degrees().max()) if n else 0
            return {
                **common,
                "offsets": sides.row_offsets,
                "ends": sides.column_indices,
                "sources": sides.sources(),
                "shares": xp.empty(2 * n, precision),
                "sums": xp.empty(2 * n, np.float64),
                "longest": longest,
            }
        seeded = options["seeds"] is not None
        width = 1 if seeded else 2
        return {
            **common,
            **long_lists(graph),
            **orders_of_sides(graph),
            "hub_shares": xp.empty(width * n, precision),
            "authority_shares": xp.empty(width * n, precision),
            "restarts": xp.empty(n if seeded else 0, precision),
            "even": 1 / max(graph.csr.longer_than(0), 1),
            "onward": 1 - options["restart"] if seeded else 1.0,
        }

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        for name in problem.keys() & {
            "hubs",
            "authorities",
            "changes",
            "sums",
            "hub_shares",
            "authority_shares",
            "long_in_counts",
            "long_out_counts",
        }:
            problem[name].fill(0)
        out, into = graph.csr.degrees(), in_degrees(graph)
        if options["variant"] == "edges":
            problem["shares"][: graph.n] = even_shares(out)
            problem["shares"][graph.n :] = even_shares(into)
        elif options["seeds"] is None:
            problem["authority_shares"][::2] = even_shares(into)
        else:
            begin = graph.xp.asarray(start_at(graph, options["seeds"]))
            problem["hub_shares"][...] = begin / graph.xp.maximum(out, 1)
            problem["restarts"][...] = begin * options["restart"]

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        return Work(vertices_visited=graph.n, edges_visited=graph.m)

    def finish_work(self, work: Work, options: Options, steps: int, mean_ms: float) -> Work:
        # One step to begin with, plus half an iteration where both walks are gathered.
        pairs = options["variant"] == "gather" and options["seeds"] is None
        iterations = (steps - 1 - pairs) // 2
        metrics = {**work.metrics, "iterations": iterations}
        if iterations:
            metrics["iteration_ms"] = mean_ms / iterations
        if iterations and options["variant"] == "gather":
            metrics["half_step_ms"] = mean_ms / (2 * iterations + pairs)
        return replace(work, metrics=metrics, iterations=iterations)

    def traffic(self, graph: Graph, options: Options, work: Work) -> Traffic | None:
        return traffic_of_sides(graph, _width(options), int(work.metrics["iterations"]))

    def accesses(self, graph: Graph, options: Options, work: Work) -> Accesses | None:
        """None for the frontier of edges, whose gathers and atomics differ in number."""
        if options["variant"] == "edges":
            return None
        return accesses_of_sides(graph, _width(options), int(work.metrics["iterations"]))

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        return self.check(graph, options, source, outputs, ScipyProducts(graph))

    def check(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs, products: Products
    ) -> Validation:
        """In L1, within 1e-6 and the rounding of the precision: the iterate at which float64 walks stop
        by the same rules, or one next to it where rounding decides which."""
        if graph.n == 0:
            return Validation("pass", "scipy")
        found = both_sides(outputs, graph.n)
        if found is None:
            return Validation("fail", "scipy", "not a finite hub and authority for every vertex")
        seeds = options["seeds"]
        start = None if seeds is None else graph.xp.asarray(start_at(graph, seeds))
        reference = SalsaReference(graph, start, options["restart"] or 0.0, products)
        nearest: list[tuple[float, np.ndarray[Any, Any]]] = []

        def distance(expected: np.ndarray[Any, Any]) -> float:
            off = float(np.abs(found - expected).sum(axis=0).max())
            if not nearest or off < nearest[0][0]:
                nearest[:] = [(off, expected)]
            return off

        off = excess_at_stop(
            reference.iterates(),
            reference.start(),
            options["tolerance"],
            options["max_iterations"],
            rounding(outputs),
            distance,
        )
        if off <= TOLERANCE:
            return Validation("pass", "scipy")
        least, expected = nearest[0]
        worst = int(np.abs(found - expected).max(axis=1).argmax())
        return Validation(
            "fail",
            "scipy",
            f"hubs and authorities are off by {least:.3g} in L1; vertex {worst}: "
            f"{shown(found, worst)}, expected {shown(expected, worst)}",
        )


def pays(graph: Graph, options: Options) -> bool:
    """Whether gathering by degree makes up for laying out the graph again."""
    if options["seeds"] is None:
        return pays_on_sides(graph, options, _width(options), FASTEST, 1, SAVED_NS_OF_PAIRS)
    return pays_on_sides(graph, options, _width(options), FASTEST_FROM_SEEDS, 0, SAVED_NS)


def _width(options: Options) -> int:
    """Bytes that a vertex passes on: for two walks, or for one."""
    return int(np.dtype(options["precision"]).itemsize) * (2 if options["seeds"] is None else 1)


def even_shares(degrees: Array) -> Array:
    """What each vertex of a side passes on along each edge, where all vertices with edges are equally
    likely."""
    xp = array_module(degrees)
    some = xp.greater(degrees, 0)
    count = float(max(int(some.sum()), 1))  # as an integer times a degree it would not fit 32 bits
    return some / xp.multiply(count, degrees + ~some)


def start_at(graph: Graph, seeds: str) -> np.ndarray[Any, Any]:
    """A walk's start at the resolved ``--seeds``, by row, on the host: spread evenly over those with
    out-edges."""
    vertices = to_numpy(numbers_of(graph, graph.xp.asarray(np.array(seeds.split(","), np.int64))))
    degrees = to_numpy(graph.csr.degrees())[vertices]
    if not degrees.any():
        raise UsageError(f"--seeds {seeds[:60]}: no edge leads out of them in {graph.name}")
    start = np.zeros(graph.n)
    start[vertices[degrees > 0]] = 1 / int((degrees > 0).sum())
    return start


def two_sided(graph: Graph) -> Csr:
    """The graph of hubs and authorities: hub v is vertex v, authority v is n + v, and each edge is
    present in both directions."""
    assert graph.reverse is not None
    xp, out, into = graph.xp, graph.csr, graph.reverse
    rows = xp.concatenate([out.row_offsets, into.row_offsets[1:] + out.row_offsets.dtype.type(graph.m)])
    ends = xp.concatenate([out.column_indices + np.int32(graph.n), into.column_indices])
    return Csr(rows, ends)


def check_pairs(graph: Graph) -> None:
    """UsageError where a frontier of edges cannot hold all pairs that lie next to each other."""
    offset = graph.csr.row_offsets.dtype
    pairs = sum(
        float((degrees.astype(np.float64) ** 2).sum())
        for degrees in (graph.csr.degrees(), in_degrees(graph))
    )
    if pairs > MOST_PAIRS[offset.itemsize] or 2 * graph.m > MOST_PAIRS[4] or 2 * graph.n > MAX_VERTICES:
        raise UsageError(
            f"--variant edges: {graph.name} has {pairs:.3g} pairs of edges that meet, more "
            "than a frontier of edges can reach; use --variant gather"
        )


PRIMITIVE = Salsa()
