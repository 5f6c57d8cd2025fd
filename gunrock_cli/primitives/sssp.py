"""Single-source shortest paths: distance of every vertex from a source, over weighted edges."""

from __future__ import annotations

import math
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.advance_ahead import (
    ALONE,
    AS_SEEN,
    has_lists_for_blocks,
    launch_shape,
    padded_macro,
    padded_rows,
    search_lanes_log,
)
from gunrock_cli.operators.lists import has_no_hubs, has_short_lists
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
from gunrock_cli.primitives.edge_weights import check_weights
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.parts.sssp import SsspInParts
from gunrock_cli.primitives.reached import is_reached, with_unreached_shown

REDUNDANCY = ("queue-id", "bitmap", "none")
INT_UNREACHED = 2**31 - 1
"""The kernel's distance for an unreached vertex, with integer weights (infinity with floats)."""
SCIPY_EDGES = 1 << 28
"""Up to here SciPy's Dijkstra checks the answer (half a minute); beyond, the optimality conditions do,
which prove it just as well in less memory."""
WITH_HUBS, MESH_ON_CPU = 8.0, 16.0
"""Automatic delta, in multiples of mean weight / mean degree (ids: docs/decisions)."""
AFTER_BOUND, AFTER_BOUND_EDGES = 64.0, 1 << 24
"""The same on a GPU where near and far take over from a bound, on graphs with fewer edges than this:
there the number of steps is the cost [D-delta-3]."""
PUSHED_EDGES = 1 << 23
"""A GPU pushes a graph with hubs and fewer edges all at once [D-delta-5]; if slices are asked for, they
are as wide as after a bound [D-delta-4]."""
AHEAD_SHORT, AHEAD_LONG = 37.0, 16.0
"""The same where blocks run ahead, by the length of lists [D-delta-2]."""
AHEAD_ON_CPU = 16.0
"""The same on a CPU, whose barriers are cheap beside the detours that cores find [D-cores-3]."""
BOUND, BOUND_ON_CPU = 6.0, 3.0
"""Automatic bound, in multiples of mean weight / mean degree (on a GPU; on a CPU, which takes as long to
read a weight as to look up an edge's end), unless that is less than a few of the least weight
[D-bound-1, D-bound-2]."""
FEWEST_LEAST, MOST_LEAST = 2, 5
"""How many of the least weight: more where weights are spread [D-bound-3]."""
MESH_ON_GPU = 1024.0
"""The same on a mesh on a GPU, in multiples of mean weight / mean degree squared: as measured, the best
delta grows faster than the degree falls [D-delta-1]."""
CHUNK = 1 << 24  # edges that a pass on the host looks at together
FLOAT_TOLERANCE = 1e-4
"""Relative: float32 sums along paths of thousands of edges, against SciPy's float64."""

_IN_STEP = {"run_ahead": "off", "direction": "push"}
"""What the papers' options are compared against: a barrier per step, and all edges of a vertex at
once."""

_Array = np.ndarray[Any, Any]


def shown_distances(graph: Graph, distances: Array, out_of_range: bool) -> Array:
    """A kernel's distances as an answer gives them; InputError where one is too long for its type."""
    if out_of_range:
        _check_range(graph, distances)
    if distances.dtype == np.int32:
        return with_unreached_shown(distances, INT_UNREACHED)
    return distances


class Sssp(Primitive):
    name = "sssp"
    summary = "Single-source shortest paths: distances and predecessors over weighted edges."
    vertex_outputs = ("predecessors",)
    nearest_first = True
    needs_weights = True
    needs_reverse = True
    in_parts = SsspInParts(INT_UNREACHED, shown_distances)
    advance_under = _IN_STEP
    to_advance = MappingProxyType({"run_ahead": "off"})
    options = (
        Option(
            "priority-queue",
            None,
            define="GR_PRIORITY_QUEUE",
            kind=bool,
            compares=(False, True),
            under=_IN_STEP,
            help="Near and far slices by distance (delta-stepping), instead of all at once "
            "(Bellman-Ford). Unless given: slices, but all at once on a GPU with hubs (longest >= 8 x "
            "mean) and below 2^23 edges, where no --delta, --delta-factor, --direction optimized or "
            "--run-ahead on asks for slices.",
        ),
        Option(
            "delta",
            "auto",
            kind=float,
            words=("auto",),
            minimum=0.0,
            min_open=True,
            help="Width of the near slice, a distance. auto: mean weight / mean degree "
            "(Davidson) x 8 where degrees differ much or --run-ahead is auto, on a GPU x 64 there "
            "after a --bound; x 32 where blocks run ahead (x 16 where the mean exceeds 8, x 8 on a "
            "CPU), else on mesh-like degrees x 16 on a CPU, and x 1024 / mean degree on a GPU.",
        ),
        Option(
            "delta-factor",
            1.0,
            kind=float,
            minimum=0.0,
            min_open=True,
            help="Multiplies the automatic delta.",
        ),
        Option(
            "direction",
            "auto",
            choices=("auto", "push", "optimized"),
            under={"run_ahead": "off"},
            help="push: settled vertices relax all their edges. optimized: what is within --bound of "
            "the first hub is settled first, and no longer edges are followed; then the vertices left "
            "over look back over their in-edges, where those are fewer (Chakaravarthy et al.). Needs "
            "the priority queue and fusion. auto: optimized on undirected graphs with hubs (longest "
            ">= 8 x mean), on a GPU if they have 2^23 edges.",
        ),
        Option(
            "bound",
            "auto",
            kind=float,
            words=("auto",),
            minimum=0.0,
            min_open=True,
            help="With --direction optimized: the distance from the first hub within which vertices "
            "are settled first, and half as far again each time that more edges are left over. auto: "
            "mean weight / mean degree x 6 (x 3 on a CPU) or, if that is more, 2 to 5 times the least "
            "weight: 2 where weights are nearly equal.",
        ),
        Option(
            "mark-pred",
            False,
            define="GR_MARK_PRED",
            kind=bool,
            changes_answer=True,
            help="Also find each vertex's predecessor on a shortest path.",
        ),
        Option(
            "redundancy",
            "queue-id",
            choices=REDUNDANCY,
            define="GR_REDUNDANCY",
            constants=("QUEUE_ID", "BITMAP", "ALLOW"),
            under=_IN_STEP,
            help="How to queue a vertex once a step: by the number of the step that queued it, "
            "by a bitmap, or not at all.",
        ),
        Option(
            "fusion",
            "on",
            choices=("on", "off"),
            define="GR_FUSION",
            constants=("1", "0"),
            under=_IN_STEP,
            help="Whether the filter is in the advance (on), or a step of its own after it (off).",
        ),
        Option(
            "run-ahead",
            "auto",
            choices=("auto", "on", "off"),
            help="Whether a block runs ahead by itself below the threshold instead of waiting for a "
            "barrier per level. Needs the priority queue, queue-id, fusion and no predecessors. auto: "
            "begin in step, and run ahead once frontiers stay small; on several devices, or where "
            "slices are asked for, from the beginning on mesh-like degrees (longest < 8 x mean).",
        ),
    )

    def reads_reverse(self, options: Options) -> bool:
        """Predecessors are pulled; so are distances that a bound left over. (auto sets a bound only where
        the graph is undirected, so that in-edges are out-edges.)"""
        return bool(options["mark_pred"]) or options["direction"] == "optimized"

    def check_options(self, graph: Graph, options: Options) -> dict[str, Any]:
        chosen = dict(options)
        relay = chosen.pop(ALONE, True)
        check_weights(graph, "shortest paths need weights that are not negative")
        exact = (
            chosen["redundancy"] == "queue-id" and not chosen["mark_pred"] and chosen["fusion"] == "on"
        )
        able = exact and chosen["priority_queue"] is not False
        if (
            chosen["run_ahead"] == "auto"
            and exact
            and relay
            and has_lists_for_blocks(graph)
            and _is_left_open(graph, chosen)
        ):
            chosen["run_ahead"] = AS_SEEN
        elif chosen["run_ahead"] == "auto":
            wanted = able and chosen["direction"] != "optimized" and _ahead_pays(graph)
            chosen["run_ahead"] = "on" if wanted else "off"
        elif chosen["run_ahead"] == "on" and not able:
            raise UsageError(
                "--run-ahead on needs --priority-queue, --redundancy queue-id, --fusion on "
                "and --no-mark-pred"
            )
        if chosen["priority_queue"] is None:
            chosen["priority_queue"] = _asks_for_slices(chosen) or not _all_at_once_pays(
                graph, chosen["run_ahead"]
            )
        chosen["direction"] = _direction(graph, chosen)
        chosen["delta"] = self._delta(graph, chosen)
        chosen["bound"] = self._bound(graph, chosen)
        return chosen

    def advances(self, graph: Graph, options: Options) -> Advance:
        return Advance.NONE if options["run_ahead"] == "on" else Advance.BALANCED

    def others_options(self, graph: Graph, options: Options) -> Options | None:
        if options["run_ahead"] != AS_SEEN:
            return None
        delta = _distance(graph, "auto", auto_delta(graph, "on"))
        return {
            **options,
            "run_ahead": "on",
            "priority_queue": True,
            "direction": "push",
            "bound": None,
            "delta": delta,
        }

    def kernel_file(self, graph: Graph, options: Options) -> Path:
        return self.variant_file("ahead" if options["run_ahead"] == "on" else "in_step")

    def launch(self, graph: Graph, options: Options) -> Tuning | None:
        return (
            launch_shape(graph, weighted=True)
            if options["run_ahead"] == "on"
            else super().launch(graph, options)
        )

    def _delta(self, graph: Graph, options: Options) -> float:
        base = auto_delta(graph, options["run_ahead"], options["direction"] == "optimized")
        automatic = _distance(graph, "auto", options["delta_factor"] * base)
        delta = _distance(graph, options["delta"], automatic)
        _check_effect(options, delta, automatic)
        return delta

    def _bound(self, graph: Graph, options: Options) -> float | None:
        if options["direction"] == "push":
            if options["bound"] not in ("auto", None):
                raise UsageError(f"--bound {options['bound']} needs --direction optimized")
            return None
        return _distance(graph, options["bound"], auto_bound(graph))

    def constants(self, graph: Graph, options: Options) -> dict[str, int]:
        values = graph.csr.values
        integers = values is None or values.dtype == np.int32
        return {"UNREACHED": INT_UNREACHED} if integers else {}

    def defines(self, graph: Graph, options: Options) -> dict[str, str | int]:
        return {
            "GR_CHECK_RANGE": int(_may_leave_range(graph)),
            "GR_BOUNDED": int(options["direction"] == "optimized"),
            "GR_AHEAD": int(options["run_ahead"] == "on"),
            **(padded_macro(graph, weighted=True) if options["run_ahead"] == "on" else {}),
        }

    def problem(self, graph: Graph, options: Options) -> dict[str, Array | int | float]:
        xp, n, words = graph.xp, graph.n, (graph.n + 31) // 32
        dtype = graph.csr.values.dtype  # type: ignore[union-attr]
        if options["run_ahead"] == "on":
            return {
                "distances": xp.empty(n, dtype),
                "queued": xp.empty(n, np.uint32),
                "out_of_range": xp.zeros(1, np.uint32) if _may_leave_range(graph) else None,
                "source": 0,
                "delta": dtype.type(options["delta"]),
                "lanes_log": search_lanes_log(graph),
                "padded": padded_rows(graph, weighted=True),
            }
        bound, least = options["bound"] or 0, _least_weight(graph)
        stamps = {"queue-id": n, "bitmap": 2 * words, "none": 0}[options["redundancy"]]
        return {
            "distances": xp.empty(n, dtype),
            "queued": xp.empty(stamps, np.uint32) if stamps else None,
            "bitmap_stride": words,
            "far": xp.empty(2 * n, np.int32) if options["priority_queue"] else None,
            "preds": xp.empty(n, np.int32) if options["mark_pred"] else None,
            "bitmap": xp.empty(words, np.uint32) if options["mark_pred"] else None,
            "out_of_range": xp.zeros(1, np.uint32) if _may_leave_range(graph) else None,
            "source": 0,
            "delta": dtype.type(options["delta"]),
            "bound": dtype.type(bound),
            "raise": dtype.type(_raise(bound, least, dtype)),
            "least": dtype.type(least),
        }

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        problem["source"] = source
        distances = problem["distances"]
        distances.fill(INT_UNREACHED if distances.dtype == np.int32 else np.inf)
        distances[source] = 0
        for name, value in (("queued", 0), ("preds", -1), ("bitmap", 0), ("out_of_range", 0)):
            if problem.get(name) is not None:
                problem[name].fill(value)

    def outputs(self, problem: dict[str, Any], graph: Graph, options: Options) -> dict[str, Array]:
        too_long = problem["out_of_range"] is not None and bool(problem["out_of_range"][0])
        found = {"distances": shown_distances(graph, problem["distances"], too_long)}
        if options["mark_pred"]:
            found["predecessors"] = problem["preds"]
        return found

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        reached = _is_reached(graph.xp, outputs["distances"])
        edges = graph.csr.edges_of(reached)
        farthest = float(graph.xp.where(reached, outputs["distances"], 0).max()) if graph.n else 0.0
        return Work(
            vertices_visited=int(reached.sum()),
            edges_visited=edges,
            edges_for_mteps=edges,
            metrics={"farthest": farthest},
        )

    def traffic(self, graph: Graph, options: Options, work: Work) -> Traffic:
        """For each vertex found: an edge that leads to it, with its weight, its distance and, if asked
        for, its predecessor."""
        found = max(0, (work.vertices_visited or 0) - 1)  # the source is known before the clock starts
        return Traffic(read=8 * found, written=(8 if options["mark_pred"] else 4) * found)

    def accesses(self, graph: Graph, options: Options, work: Work) -> Accesses:
        """Every edge of a reached vertex is read once, with its weight, and its end looked up. With a
        bound the weights are read, and one edge is looked up for each vertex."""
        vertices, edges = work.vertices_visited or 0, work.edges_visited or 0
        row = graph.csr.row_offsets.dtype.itemsize
        if options["direction"] == "optimized":
            return Accesses(4 * edges + (row + 8) * vertices, vertices, 4 * graph.n)
        return Accesses(8 * edges + (row + 4) * vertices, edges, 4 * graph.n)

    def agrees(self, options: Options, outputs: Outputs, proved: Outputs) -> Validation | None:
        found, ours = (np.asarray(each["distances"]) for each in (outputs, proved))
        if ours.dtype.kind == "f":
            return None  # the last bits depend on which sum came first
        return Validation.of_vertices(PROVED, "distances", _with_infinity(found), _with_infinity(ours))

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        assert source is not None
        distances = _with_infinity(np.asarray(outputs["distances"]))
        exact = graph.csr.values is not None and graph.csr.values.dtype == np.int32
        if graph.m <= SCIPY_EDGES:
            found = _against_scipy(graph, source, distances, exact)
        else:
            found = check_optimality(graph, source, distances, exact)
        if found.verdict == "pass" and "predecessors" in outputs:
            predecessors = np.asarray(outputs["predecessors"])
            return check_tree(graph, source, distances, predecessors, exact, found.reference)
        return found


def auto_delta(graph: Graph, run_ahead: str = "off", bounded: bool = False) -> float:
    """A multiple of mean weight / mean degree; any positive number where there are no edges.

    Gunrock and Davidson multiply by 32. With hubs the work is the cost: a narrow slice relaxes hardly any
    edge twice. On meshes the cost on a GPU is the number of steps, which are nearly empty: a wide slice
    takes fewer. A CPU's steps are never empty. Blocks that run ahead take few steps anyway, and relax
    edges in vain where the slice is wide.
    """
    if graph.m == 0:
        return 1.0
    if run_ahead == "on":
        on_gpu = AHEAD_SHORT if has_short_lists(graph) else AHEAD_LONG
        factor = AHEAD_ON_CPU if graph.xp is np else on_gpu
    elif run_ahead == AS_SEEN or not has_no_hubs(graph):
        few_edges = graph.m < (AFTER_BOUND_EDGES if bounded else PUSHED_EDGES)
        factor = AFTER_BOUND if few_edges and graph.xp is not np else WITH_HUBS
    else:
        factor = MESH_ON_CPU if graph.xp is np else MESH_ON_GPU * graph.n / graph.m
    return factor * weight_per_degree(graph) or 1.0


def auto_bound(graph: Graph) -> float:
    """How far from the first hub vertices are settled first. Where weights are nearly equal, a bound many
    steps away would be beyond most of the graph: all edges would be followed, and hardly any left to look
    back over."""
    by_mean = (BOUND_ON_CPU if graph.xp is np else BOUND) * weight_per_degree(graph)
    least = _least_weight(graph)
    if not least > 0:
        return by_mean
    spread = by_mean / BOUND * graph.m / graph.n / least  # on a GPU the mean over the least
    steps = min(MOST_LEAST, FEWEST_LEAST + max(0, round(math.log(spread, 4))))
    return max(by_mean, steps * least)


def _raise(bound: float, least: float, dtype: Any) -> float:
    """How much farther vertices are settled each time that a bound leaves too many edges over: at least
    one, in integers."""
    raised = max(bound / 2, least)
    return max(1.0, raised // 1) if dtype == np.int32 else raised


def weight_per_degree(graph: Graph) -> float:
    """Mean weight / mean degree; any positive number where there are no edges."""
    if graph.m == 0:
        return 1.0
    return float(graph.csr.values.mean(dtype=np.float64)) * graph.n / graph.m  # type: ignore[union-attr]


def _least_weight(graph: Graph) -> float:
    return float(graph.csr.values.min()) if graph.m else 0.0  # type: ignore[union-attr]


def _ahead_pays(graph: Graph) -> bool:
    return has_no_hubs(graph)


def _asks_for_slices(options: Options) -> bool:
    """Whether another option asks for slices, as it has no effect without them."""
    return (
        options["run_ahead"] == "on"
        or options["direction"] == "optimized"
        or options["delta"] != "auto"
        or options["delta_factor"] != 1
    )


def _is_left_open(graph: Graph, options: Options) -> bool:
    """Whether slices are as they come by themselves where a search runs ahead as it sees fit; a record's
    options say so in numbers."""
    sliced = not _all_at_once_pays(graph, AS_SEEN)
    usual = _direction(
        graph, {**options, "run_ahead": AS_SEEN, "direction": "auto", "priority_queue": sliced}
    )
    direction = usual if options["direction"] == "auto" else options["direction"]
    width = _distance(graph, "auto", auto_delta(graph, AS_SEEN, direction == "optimized"))
    return (
        direction in ("push", usual)
        and not (sliced and options["priority_queue"] is False)
        and options["delta"] in ("auto", width)
        and options["delta_factor"] == 1
    )


def _all_at_once_pays(graph: Graph, run_ahead: str) -> bool:
    """Whether a GPU has so few edges that the number of steps is the cost: a slice wide enough to take
    few steps holds nearly all that is found, so sorting it only costs time [D-delta-5]."""
    many_levels = run_ahead != AS_SEEN and _ahead_pays(graph)
    return graph.xp is not np and graph.m < PUSHED_EDGES and not many_levels


def _direction(graph: Graph, options: Options) -> str:
    able = bool(options["priority_queue"]) and options["fusion"] == "on" and options["run_ahead"] != "on"
    if options["direction"] == "optimized" and not able:
        raise UsageError("--direction optimized needs --priority-queue, --fusion on and --run-ahead off")
    if options["direction"] != "auto":
        return str(options["direction"])
    pays = (
        graph.undirected
        and (graph.xp is np or graph.m >= PUSHED_EDGES)
        and (options["run_ahead"] == AS_SEEN or not has_no_hubs(graph))
    )
    return "optimized" if able and pays else "push"


def _check_effect(options: Options, delta: float, automatic: float) -> None:
    """Refuse a width that nothing would use. (The automatic one may be given by its number, as records
    hold it.)"""
    factor = options["delta_factor"]
    if not options["priority_queue"]:
        for name, given in (("delta", delta != automatic), ("delta_factor", factor != 1)):
            if given:
                raise UsageError(
                    f"--{name.replace('_', '-')} {options[name]} needs --priority-queue: "
                    "without, there is no near slice"
                )
    if factor != 1 and delta != automatic:
        raise UsageError(
            f"--delta-factor {factor} multiplies the automatic delta; leave it out, or "
            f"--delta {options['delta']}"
        )


def _distance(graph: Graph, wanted: float | str, automatic: float) -> float:
    """An option that is a distance, in the type of the weights and within its range."""
    distance = automatic if wanted == "auto" else float(wanted)
    if graph.csr.values.dtype == np.int32:  # type: ignore[union-attr]
        return float(round(min(max(1.0, distance), INT_UNREACHED - 1.0)))
    limits = np.finfo(np.float32)
    return min(max(float(limits.tiny), distance), float(limits.max))


def _may_leave_range(graph: Graph) -> bool:
    """Whether some path could be too long for the type of the weights."""
    values = graph.csr.values
    if values is None or graph.m == 0:
        return False
    longest = float(values.max()) * (graph.n - 1)
    limit = INT_UNREACHED if values.dtype == np.int32 else float(np.finfo(np.float32).max) / 2
    return bool(longest >= limit)


def _check_range(graph: Graph, distances: Array) -> None:
    """The kernel met a path that was too long. That is an error if it was the only path to a vertex."""
    host, own = graph.to(np), to_numpy(distances)
    reached = own != (INT_UNREACHED if own.dtype == np.int32 else np.inf)
    for edges, rows in _chunks(host):
        columns = host.csr.column_indices[edges]
        lost = np.flatnonzero(reached[rows] & ~reached[columns])
        if len(lost):
            integers = own.dtype == np.int32
            hint = "use --weight-type float32" if integers else "scale the weights down"
            raise InputError(
                f"the distance of vertex {columns[lost[0]]} is beyond the range of {own.dtype}; {hint}"
            )


def _is_reached(xp: Any, distances: Array) -> Array:
    return is_reached(distances) if distances.dtype.kind == "i" else xp.isfinite(distances)


def _with_infinity(distances: _Array) -> _Array:
    """As float64, which holds every int32; infinity where unreached."""
    wide = distances.astype(np.float64)
    if distances.dtype.kind == "i":
        wide[distances < 0] = np.inf
    return wide


def _chunks(graph: Graph) -> Any:
    """Slices of the edges, each with the vertices that its edges leave from."""
    rows = graph.csr.row_offsets
    for first in range(0, graph.m, CHUNK):
        last = min(first + CHUNK, graph.m)
        low = int(np.searchsorted(rows, first, side="right")) - 1
        high = int(np.searchsorted(rows, last, side="left"))
        inside = np.clip(rows[low : high + 1], first, last)
        yield slice(first, last), np.repeat(np.arange(low, high), np.diff(inside))


def _against_scipy(graph: Graph, source: int, distances: _Array, exact: bool) -> Validation:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    csr = graph.csr
    assert csr.values is not None
    matrix = csr_array(
        (csr.values.astype(np.float64), csr.column_indices, csr.row_offsets), shape=(graph.n, graph.n)
    )
    search: Any = dijkstra  # its stubs do not know csr_array
    expected = np.asarray(search(matrix, indices=source))
    with np.errstate(invalid="ignore"):
        tolerance = 0 if exact else FLOAT_TOLERANCE * expected
        wrong = ~((distances == expected) | (np.abs(distances - expected) <= tolerance))
    return _verdict(
        "scipy",
        "distances differ",
        wrong,
        lambda v: f"vertex {v}: {distances[v]:g}, expected {expected[v]:g}",
    )


def check_optimality(graph: Graph, source: int, distances: _Array, exact: bool) -> Validation:
    """The proof that distances are right: the source's is 0, no edge leads anywhere sooner, and every
    reached vertex has a chain of edges, each explaining its end's distance, that leads back to the
    source."""
    name = "optimality conditions"
    assert graph.csr.values is not None
    if distances[source] != 0:
        return Validation("fail", name, f"the source's distance is {distances[source]:g}")
    explained = np.zeros(graph.n, bool)
    explained[source] = True
    level: list[tuple[_Array, _Array]] = []  # edges between equal distances, where they explain them
    for edges, rows in _chunks(graph):
        columns = graph.csr.column_indices[edges]
        reached = np.isfinite(distances[rows])
        rows, columns = rows[reached], columns[reached]
        sums = distances[rows] + graph.csr.values[edges][reached]
        own = distances[columns]
        slack = 0 if exact else FLOAT_TOLERANCE * sums
        sooner = np.flatnonzero(own > sums + slack)
        if len(sooner):
            e = sooner[0]
            return Validation(
                "fail",
                name,
                f"vertex {columns[e]}: {own[e]:g}, though its edge "
                f"from {rows[e]} makes it {sums[e]:g} or less",
            )
        tight = sums <= own + slack
        closer = tight & (distances[rows] < own)
        explained[columns[closer]] = True
        level.append((rows[tight & ~closer], columns[tight & ~closer]))
    for _ in range(graph.n):  # along zero weights, one edge per round
        before = int(explained.sum())
        for rows, columns in level:
            explained[columns[explained[rows]]] = True
        if int(explained.sum()) == before:
            break
    return _verdict(
        name,
        "distances are too short",
        np.isfinite(distances) & ~explained,
        lambda v: f"vertex {v}: {distances[v]:g}, which no edge explains",
    )


def check_tree(
    graph: Graph, source: int, distances: _Array, predecessors: _Array, exact: bool, reference: str
) -> Validation:
    """Every reached vertex but the source has a predecessor whose edge explains its distance; all
    chains of predecessors end at the source; other vertices have none."""
    reached = np.isfinite(distances)
    reached[source] = False
    vertices = np.flatnonzero(reached)
    parents = predecessors[vertices].astype(np.int64)
    bad = (parents < 0) | (parents >= graph.n)
    parents[bad] = source
    bad |= ~_explains(graph, parents, vertices, distances, exact)
    wrong = np.zeros(graph.n, bool)
    wrong[vertices[bad]] = True
    wrong |= ~reached & (predecessors != -1)
    found = _verdict(
        reference,
        "predecessors are no tree edges",
        wrong,
        lambda v: f"vertex {v}: predecessor {predecessors[v]}",
    )
    if found.verdict == "fail":
        return found
    ancestor = np.arange(graph.n)
    ancestor[vertices] = parents
    for _ in range(max(graph.n, 2).bit_length()):  # a chain of n edges takes log2(n) doublings
        ancestor = ancestor[ancestor]
    return _verdict(
        reference,
        "predecessors run in a circle",
        reached & (ancestor != source),
        lambda v: f"vertex {v}: predecessor {predecessors[v]}",
    )


def _explains(graph: Graph, parents: _Array, vertices: _Array, distances: _Array, exact: bool) -> _Array:
    """Whether an edge from each parent gives its vertex's distance: binary search in the sorted rows, all
    at once, then through the duplicates."""
    assert graph.csr.values is not None
    rows, columns = graph.csr.row_offsets, graph.csr.column_indices
    low, end = rows[parents].astype(np.int64), rows[parents + 1].astype(np.int64)
    high = end.copy()
    while (searching := low < high).any():
        middle = (low + high) // 2
        below = searching & (columns[np.minimum(middle, graph.m - 1)] < vertices)
        low, high = np.where(below, middle + 1, low), np.where(searching & ~below, middle, high)
    wanted, start = distances[vertices], distances[parents]
    found = np.zeros(len(vertices), bool)
    tolerance = 0 if exact else FLOAT_TOLERANCE * wanted
    left = np.flatnonzero(low < end)
    while len(left):
        left = left[columns[low[left]] == vertices[left]]
        sums = start[left] + graph.csr.values[low[left]]
        slack = tolerance if exact else np.asarray(tolerance)[left]
        found[left] |= np.abs(sums - wanted[left]) <= slack
        low[left] += 1
        left = left[(low[left] < end[left]) & ~found[left]]
    return found


def _verdict(reference: str, what: str, wrong: _Array, describe: Any) -> Validation:
    places = np.flatnonzero(wrong)
    if not len(places):
        return Validation("pass", reference)
    shown = "; ".join(describe(v) for v in places[:5])
    return Validation("fail", reference, f"{len(places)} {what}: {shown}")


PRIMITIVE = Sssp()
