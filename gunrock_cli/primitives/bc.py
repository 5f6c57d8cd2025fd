"""Betweenness centrality: how much the shortest paths from one source depend on each vertex.

``scores[v]`` is Brandes' dependency of the run's source on v: the sum, over all targets t other than
v, of the share of the shortest paths from the source to t that pass through v. The source's own
score is 0. Nothing is halved for undirected graphs and nothing is normalized; parallel edges count
as different paths. With several sources each run still has one, and the scores are the sum of all:
over all vertices (``--src all``) that is betweenness centrality itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph, fill_minus_one
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.advance_ahead import (
    ALONE,
    AS_SEEN,
    MAX_LEVELS,
    flow_lanes_log,
    launch_shape,
    levels_ahead,
    levels_as_seen,
    padded_macro,
    padded_rows,
    runs_ahead,
    search_lanes_log,
)
from gunrock_cli.operators.launch_shapes import LEVELS
from gunrock_cli.primitives.base import PROVED, Options, Outputs, Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.parts.bc import BcInParts
from gunrock_cli.primitives.reached import is_reached
from gunrock_cli.primitives.references import reference_labels

NOT_YET = np.uint64(2**64 - 1)
ONE_PATH = np.uint64(1 << 29 << 34)
"""The number 1 in the format of kernels/math/wide_number.cuh."""
TOLERANCE = 1e-4
"""Largest relative error of a score that passes."""
MOST_REFERENCE_EDGES = 1 << 31
"""Most edges that the reference may inspect in total; some ten million take a second."""
CHUNK = 1 << 24
"""Edges in each chunk of the counting."""
NEGLIGIBLE = 1e-6
"""Scores below this fraction of the largest are held to an absolute error instead."""


_IN_STEP = MappingProxyType({"run_ahead": 1})
"""What makes all blocks keep in step: other ways through the levels are compared with that."""
_BY_PULL = MappingProxyType({**_IN_STEP, "backward": "pull"})


class Bc(Primitive):
    name = "bc"
    summary = "Betweenness centrality: dependencies of one source on every vertex (Brandes)."
    needs_reverse = True
    sums_sources = True
    in_parts = BcInParts(ONE_PATH, NOT_YET)
    advance_under = _IN_STEP
    to_advance = _IN_STEP
    options = (
        Option(
            "variant",
            "vertices",
            choices=("vertices", "edges"),
            under=_BY_PULL,
            help="vertices: frontiers of vertices. edges: two advances over frontiers of edges, which "
            "add up by atomics (Jia 2011, the papers' hardwired scheme in their operators).",
        ),
        Option(
            "run-ahead",
            "auto",
            kind=int,
            words=("auto",),
            minimum=1,
            maximum=MAX_LEVELS,
            help="Levels that a block runs ahead by itself between two barriers of the grid; 1: all "
            "blocks keep step. From 2 on, path counts and scores wait for each other vertex by "
            "vertex. auto: begin in step, and run 16 ahead (on a GPU 64 on lattices of up to four "
            "neighbours) once frontiers stay small; on several devices from the beginning on "
            "mesh-like degrees (longest < 8 x mean) of mean up to 24; else 1. "
            "Needs --backward pull and --frontiers stored.",
        ),
        Option(
            "backward",
            "auto",
            choices=("auto", "pull", "push", "optimized"),
            panel="Direction",
            under=_IN_STEP,
            help="How scores flow back: each vertex gathers from its out-neighbours one level "
            "down (pull), or each adds to its in-neighbours one level up by atomics (push, an "
            "advance), or level by level what looks at fewer edges (optimized; needs stored "
            "frontiers). auto: optimized where it can be.",
        ),
        Option(
            "frontiers",
            "stored",
            choices=("stored", "rebuilt"),
            define="GR_BC_REBUILD",
            under=_BY_PULL,
            help="Where the way back has its levels from: kept on the way out, or found again by "
            "a filter over all vertices, level by level; saves n words of memory. "
            "Default: stored.",
        ),
    )

    def reads_reverse(self, options: Options) -> bool:
        return options["variant"] != "edges"

    def check_options(self, graph: Graph, options: Options) -> dict[str, Any]:
        options = dict(options)
        relay = options.pop(ALONE, True)
        if options["variant"] == "edges":
            for name, only in (("backward", ("auto", "pull")), ("frontiers", ("stored",))):
                if options[name] not in only:
                    raise UsageError(f"--{name} {options[name]} needs --variant vertices")
            levels = levels_ahead(options["run_ahead"], graph, False, "--variant vertices")
            return {**options, "run_ahead": levels, "backward": "pull"}
        stored = options["frontiers"] == "stored"
        if options["backward"] == "optimized" and not stored:
            raise UsageError("--backward optimized needs --frontiers stored")
        levels = levels_ahead(
            options["run_ahead"],
            graph,
            stored and options["backward"] in ("auto", "pull"),
            "--backward pull and --frontiers stored",
            relay and options["backward"] == "auto",
        )
        backward = options["backward"]
        if backward == "auto":
            backward = "optimized" if stored and levels in (1, AS_SEEN) else "pull"
        return {**options, "run_ahead": levels, "backward": backward}

    def advances(self, graph: Graph, options: Options) -> Advance:
        return Advance.NONE if runs_ahead(options) else Advance.BALANCED

    def others_options(self, graph: Graph, options: Options) -> Options | None:
        if options["run_ahead"] != AS_SEEN:
            return None
        return {**options, "backward": "pull", "run_ahead": levels_as_seen(graph)}

    def constants(self, graph: Graph, options: Options) -> dict[str, int]:
        return {"NOT_YET": int(NOT_YET), "ONE": int(ONE_PATH)}

    def defines(self, graph: Graph, options: Options) -> dict[str, str | int]:
        if options["variant"] == "edges":
            return {"GR_EDGE_FRONTIER": 1}
        ahead = runs_ahead(options)
        return {
            "GR_AHEAD": int(ahead),
            "GR_BC_PUSH": int(options["backward"] == "push"),
            "GR_BC_EITHER": int(options["backward"] == "optimized"),
            **(padded_macro(graph) if ahead else {}),
        }

    def kernel_file(self, graph: Graph, options: Options) -> Path:
        if options["variant"] == "edges":
            return self.variant_file("edges")
        return self.variant_file("ahead" if runs_ahead(options) else "in_step")

    def launch(self, graph: Graph, options: Options) -> Tuning | None:
        if runs_ahead(options):
            return launch_shape(graph)
        return super().launch(graph, options) if options["variant"] == "edges" else LEVELS

    def problem(self, graph: Graph, options: Options) -> dict[str, Array | int | float]:
        xp, n = graph.xp, graph.n
        if options["variant"] == "edges":
            return {
                "labels": xp.empty(n, np.int32),
                "counts": xp.empty(n, np.uint64),
                "sums": xp.empty(n, np.float64),
                "scores": xp.empty(n, np.float32),
                "order": xp.empty(n, graph.csr.row_offsets.dtype),
                "level_starts": xp.zeros(n + 2, np.int32),
                "source": 0,
            }
        if runs_ahead(options):
            return {
                "labels": xp.empty(n, np.int32),
                "counts": xp.empty(n, np.uint64),
                "ratios": xp.empty(n, np.uint64),
                "scores": xp.empty(n, np.float32),
                "order": xp.empty(n, np.int32),
                "level_ends": xp.empty(n + 1, np.int32),
                "source": 0,
                "run_ahead": options["run_ahead"],
                "lanes_log": flow_lanes_log(graph),
                "search_lanes_log": search_lanes_log(graph),
                "padded": padded_rows(graph),
            }
        kept = n if options["frontiers"] == "stored" else 0
        return {
            "labels": xp.empty(n, np.int32),
            "counts": xp.empty(n, np.uint64),
            "ratios": xp.empty(n, np.uint64),
            "scores": xp.empty(n, np.float32),
            "sums": xp.empty(0 if options["backward"] == "pull" else n, np.float64),
            "bits": (
                xp.empty(4 * ((n + 31) // 32), np.uint32) if options["backward"] == "optimized" else None
            ),
            "order": xp.empty(kept, np.int32),
            "level_starts": xp.zeros(kept + 2, np.int32),
            "level_edges": xp.empty(kept + 2, np.int64),
            "source": 0,
            "simple": int(not has_parallel_edges(graph)),
        }

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        problem["source"] = source
        fill_minus_one(problem["labels"])
        problem["labels"][source] = 0
        problem["scores"].fill(0)
        if runs_ahead(options):
            problem["counts"].fill(NOT_YET)
            problem["ratios"].fill(NOT_YET)
            problem["level_ends"].fill(0)
        else:
            problem["sums"].fill(0)
            if problem.get("bits") is not None:
                problem["bits"].fill(0)
        if options["variant"] == "edges":
            problem["counts"].fill(0)
        problem["counts"][source] = ONE_PATH  # of no edges

    def outputs(self, problem: dict[str, Any], graph: Graph, options: Options) -> dict[str, Array]:
        return {"scores": problem["scores"], "labels": problem["labels"]}

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        """MTEPS count every edge out of a reached vertex twice: forward and backward."""
        if "labels" not in outputs:
            return Work()  # a peer: scores alone do not show what was reached
        labels = outputs["labels"]
        reached = is_reached(labels)
        edges = graph.csr.edges_of(reached)
        return Work(
            vertices_visited=int(reached.sum()),
            edges_visited=edges,
            edges_for_mteps=2 * edges,
            depth=int(labels.max()) if graph.n else 0,
            metrics={
                "edges_between_levels": edges_between_levels(graph, labels),
                "scored_vertices": int((outputs["scores"] != 0).sum()),
            },
        )

    def traffic(self, graph: Graph, options: Options, work: Work) -> Traffic:
        """Every edge from one level to the next carries paths, so it must be read. The labels of the
        vertices found must be written, and all scores except those that stay 0."""
        found = max(0, (work.vertices_visited or 0) - 1)  # the source is known before the clock starts
        return Traffic(
            read=4 * int(work.metrics["edges_between_levels"]),
            written=4 * (found + int(work.metrics["scored_vertices"])),
        )

    def validate_sum(
        self, graph: Graph, options: Options, sources: Sequence[int], outputs: Outputs
    ) -> Validation:
        """Like ``validate``; skipped where the reference would take very long."""
        if len(sources) * max(1, graph.m) > MOST_REFERENCE_EDGES:
            return Validation("skipped", "numpy", f"{len(sources)} sources are too many to check")
        expected = np.zeros(graph.n)
        for source in sources:
            expected += reference_scores(graph, source, reference_labels(graph, source))
        return _compare(np.asarray(outputs["scores"], np.float64), expected)

    def agrees(self, options: Options, outputs: Outputs, proved: Outputs) -> Validation | None:
        return _compare(
            np.asarray(outputs["scores"], np.float64), np.asarray(proved["scores"], np.float64), PROVED
        )

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        """Relative error at most 1e-4 wherever a score exceeds 1e-6 of the largest; below that, the
        absolute error that this allows at 1e-6 of the largest."""
        assert source is not None
        labels = reference_labels(graph, source)
        if "labels" in outputs:
            wrong = np.flatnonzero(np.asarray(outputs["labels"]) != labels)
            if len(wrong):
                return Validation("fail", "numpy", f"{len(wrong)} labels differ, first: {wrong[0]}")
        expected = reference_scores(graph, source, labels)
        return _compare(np.asarray(outputs["scores"], np.float64), expected)


def _compare(
    scores: np.ndarray[Any, Any], expected: np.ndarray[Any, Any], reference: str = "numpy"
) -> Validation:
    allowed = TOLERANCE * np.maximum(expected, NEGLIGIBLE * expected.max(initial=0.0))
    wrong = np.flatnonzero(~(np.abs(scores - expected) <= allowed))  # NaN counts as wrong, too
    if len(wrong):
        shown = "; ".join(f"vertex {v}: {scores[v]:.9g}, expected {expected[v]:.9g}" for v in wrong[:5])
        return Validation("fail", reference, f"{len(wrong)} scores differ: {shown}")
    return Validation("pass", reference)


def edges_between_levels(graph: Graph, labels: Array) -> int:
    """Edges that lead from a vertex to one a level deeper, counted in pieces that take little memory."""
    xp, rows, columns = graph.xp, graph.csr.row_offsets, graph.csr.column_indices
    count = 0
    for first in range(0, graph.m, CHUNK):
        end = min(first + CHUNK, graph.m)
        # searchsorted, as cupy.repeat does not take an array of counts.
        tails = xp.searchsorted(rows, xp.arange(first, end, dtype=rows.dtype), side="right") - 1
        levels = labels[tails]
        count += int(((levels >= 0) & (labels[columns[first:end]] == levels + 1)).sum())
    return count


def has_parallel_edges(graph: Graph) -> bool:
    """Whether a row names a neighbour twice; rows are sorted."""
    columns = graph.csr.column_indices
    if graph.m < 2:
        return False
    same = columns[1:] == columns[:-1]
    starts, xp = graph.csr.row_offsets[1:-1], graph.xp
    inner = starts[xp.greater(starts, 0) & xp.less(starts, graph.m)]
    same[xp.subtract(inner, 1)] = False  # neighbours of different rows
    return bool(same.any())


def reference_scores(graph: Graph, source: int, labels: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Brandes in NumPy, level by level over the edges that lead one level down. Counts of paths are
    kept as mantissa and exponent: they leave the range of float64 on a lattice."""
    csr = graph.csr
    tails = csr.sources()
    heads = np.asarray(csr.column_indices)
    down = (labels[tails] >= 0) & (labels[heads] == labels[tails] + 1)
    tails, heads = tails[down], heads[down]
    levels = np.arange(int(labels.max(initial=0)) + 1)

    mantissas, exponents = np.zeros(graph.n), np.zeros(graph.n, np.int64)
    mantissas[source] = 1
    by_head = np.lexsort((heads, labels[heads]))
    u, w = tails[by_head], heads[by_head]
    ends = np.searchsorted(labels[w], levels, side="right")
    for first, end in pairwise(ends):
        vertices, starts = np.unique(w[first:end], return_index=True)
        parents = u[first:end]
        largest = np.maximum.reduceat(exponents[parents], starts)
        each = np.repeat(largest, np.diff(starts, append=end - first))
        terms = np.ldexp(mantissas[parents], _shift(exponents[parents] - each))
        mantissas[vertices], grown = np.frexp(np.add.reduceat(terms, starts))
        exponents[vertices] = largest + grown

    scores = np.zeros(graph.n)
    by_tail = np.argsort(labels[tails], kind="stable")  # tails are already sorted within a level
    u, w = tails[by_tail], heads[by_tail]
    ratios = np.ldexp(mantissas[u] / mantissas[w], _shift(exponents[u] - exponents[w]))
    starts_of = np.searchsorted(labels[u], levels)
    for first, end in zip(starts_of[-2::-1], starts_of[:0:-1], strict=True):
        vertices, starts = np.unique(u[first:end], return_index=True)
        scores[vertices] = np.add.reduceat(ratios[first:end] * (1 + scores[w[first:end]]), starts)
    scores[source] = 0
    return scores


def _shift(exponents: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Exponents that ldexp takes on every platform; anything lower gives 0 all the same."""
    return np.maximum(exponents, -5000).astype(np.int32)


PRIMITIVE = Bc()
