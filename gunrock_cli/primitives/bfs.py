"""Breadth-first search: depth of every vertex from a source, and a parent on request."""

from __future__ import annotations

from collections.abc import Mapping
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
    launch_shape,
    levels_ahead,
    levels_as_seen,
    padded_macro,
    padded_rows,
    runs_ahead,
    search_lanes_log,
)
from gunrock_cli.operators.culling import BY_GRID, COMPARED, NONE, chosen_heuristics, culling_macros
from gunrock_cli.operators.launch_shapes import EDGE_QUEUE, LEVELS
from gunrock_cli.operators.lists import has_many_levels
from gunrock_cli.primitives.base import (
    PROVED,
    Accesses,
    Option,
    Options,
    Outputs,
    Primitive,
    Queues,
    Traffic,
    Validation,
    Work,
)
from gunrock_cli.primitives.parts.bfs import COST, BfsInParts, switch_members
from gunrock_cli.primitives.reached import is_reached
from gunrock_cli.primitives.references import reference_labels

FUSED, QUADRATIC = "fused", "quadratic"
STRATEGIES = {
    FUSED: "in_step",
    "expand-contract": "expand_contract",
    "contract-expand": "contract_expand",
    "two-phase": "two_phase",
    "hybrid": "hybrid",
    QUADRATIC: "quadratic",
}
"""Ways to arrange a search's queues, and their kernels (Merrill, section 5)."""
EDGE_QUEUES = ("contract-expand", "two-phase", "hybrid")
"""Strategies that keep queues of edges."""
DIRECTIONS = {"auto": "OPTIMIZED", "push": "PUSH_ONLY", "pull": "PULL_ONLY", "optimized": "OPTIMIZED"}
"""The choices, and the kernel's names for them."""
AUTO = "auto"
BEAMER_ALPHA, BEAMER_BETA = 15.0, 18.0
"""Beamer's switching parameters as the GAP Benchmark Suite sets them."""
_PUSH = {"direction": "push", "run_ahead": 1}
_IDEMPOTENT = {**_PUSH, "idempotence": True}
"""What the papers compare BFS's options against: pushing, with a barrier per level."""
_CULL_FLAGS = ("bitmask", "warp", "history")
"""Heuristics that once had a flag each."""


class Bfs(Primitive):
    name = "bfs"
    summary = "Breadth-first search: depths and predecessors from a source."
    vertex_outputs = ("predecessors",)
    nearest_first = True
    needs_reverse = True
    advance_under = _PUSH
    to_advance = MappingProxyType({"run_ahead": "1"})
    in_parts = BfsInParts()
    options = (
        Option(
            "idempotence",
            False,
            define="GR_IDEMPOTENCE",
            kind=bool,
            panel="Idempotent operations",
            under=_PUSH,
            help="Visit by plain stores, duplicates culled (Gunrock's idempotent BFS), instead "
            "of one atomic per vertex.",
        ),
        Option(
            "mark-pred",
            False,
            define="GR_MARK_PRED",
            kind=bool,
            changes_answer=True,
            help="Also record each vertex's predecessor.",
        ),
        Option(
            "direction",
            "auto",
            choices=tuple(DIRECTIONS),
            panel="Forward or direction-optimized",
            under={"run_ahead": 1, "alpha": BEAMER_ALPHA},
            help="Push only, pull only, or switching between them (Beamer). auto: optimized, or push "
            "with a --strategy of Merrill's.",
        ),
        Option(
            "strategy",
            FUSED,
            choices=tuple(STRATEGIES),
            under=_PUSH,
            help="How queues are arranged. fused: one advance per level with the filter in it, both "
            "directions, blocks may run ahead. Merrill's, which push: expand-contract (queues of "
            "vertices), contract-expand (of edges), two-phase (of both, two steps per level), hybrid "
            "(by the number of edges in the queue). quadratic: no queue, every vertex is looked at in "
            "every level.",
        ),
        Option(
            "hybrid-threshold",
            "auto",
            kind=int,
            words=("auto",),
            minimum=0,
            maximum=10**18,
            help="hybrid: a level with more edges in its queue than this takes two steps. auto: the "
            "threads that run.",
        ),
        Option(
            "fusion",
            "on",
            choices=("on", "off"),
            define="GR_FUSION",
            constants=("1", "0"),
            under=_PUSH,
            help="Whether the filter is in the advance (on), or a step of its own after it (off).",
        ),
        Option(
            "direction-optimized",
            None,
            kind=bool,
            help="Gunrock's spelling of --direction optimized (or push, with --no-).",
        ),
        Option(
            "alpha",
            AUTO,
            kind=float,
            words=(AUTO, COST),
            minimum=0.0,
            help="Pull when the frontier's edges times alpha exceed those of the unvisited (Beamer; "
            "GAP has 15); cost: whenever the level would cost less that way. auto: cost (on several "
            "devices never on mesh-like degrees), 15 with --beta. Of --direction optimized; push and "
            "pull in step accept it, to be compared under the same.",
        ),
        Option(
            "beta",
            AUTO,
            kind=float,
            words=(AUTO, COST),
            minimum=0.0,
            help="With alpha as a number: push again when the shrinking frontier's vertices times "
            "beta are fewer than all. auto: 18 (Beamer, GAP).",
        ),
        Option(
            "run-ahead",
            "auto",
            kind=int,
            words=("auto",),
            minimum=1,
            maximum=MAX_LEVELS,
            help="Levels that a block runs ahead by itself between two barriers of the grid; 1: all "
            "blocks keep step. Exact push only. auto: begin in step, and run 16 ahead (on a GPU 64 on "
            "lattices of up to four neighbours) once frontiers stay small; on several devices from "
            "the beginning on mesh-like degrees (longest < 8 x mean) of mean up to 24; else 1.",
        ),
        Option(
            "cull",
            AUTO,
            takes_list=True,
            compares=COMPARED,
            panel="Idempotent operations",
            under=_IDEMPOTENT,
            help="Idempotent: how duplicates are dropped, beside the label, which is always asked. "
            "bitmask: a bitmap of visited vertices, kept without atomics and asked before the label; "
            "warp: twins within a warp, by matching; warp-hash: by a small table of the warp's "
            "(Merrill); history: what a block's small table remembers; grid: what any block has "
            "found, by names in the label or, in a block's only pass, by an atomic; none. "
            "auto: grid.",
        ),
        *(
            Option(
                f"cull-{name}", None, kind=bool, help=f"Older spelling: --cull with or without {name}."
            )
            for name in _CULL_FLAGS
        ),
    )

    def reads_reverse(self, options: Options) -> bool:
        if options["strategy"] != FUSED:
            return False
        return options["direction"] != "push" or bool(options["mark_pred"])

    def check_options(self, graph: Graph, options: Options) -> dict[str, Any]:
        chosen = dict(options)
        flag, relay = chosen.pop("direction_optimized"), chosen.pop(ALONE, True)
        if flag is not None:
            wanted = "optimized" if flag else "push"
            if chosen["direction"] not in ("auto", "optimized", wanted):
                raise UsageError(
                    f"--direction {chosen['direction']} contradicts "
                    f"--{'' if flag else 'no-'}direction-optimized; give one of them"
                )
            chosen["direction"] = wanted
        self._check_strategy(chosen)
        chosen["cull"] = _culling(chosen, {name: chosen.pop(f"cull_{name}") for name in _CULL_FLAGS})
        able = not chosen["idempotence"] and chosen["strategy"] == FUSED and chosen["fusion"] == "on"
        switches = chosen["alpha"], chosen["beta"]
        relay = (
            relay
            and able
            and chosen["run_ahead"] == AUTO
            and (chosen["direction"] == "push" or switches in ((AUTO, AUTO), (COST, COST)))
        )
        chosen["alpha"], chosen["beta"] = _switches(graph, chosen, relay)
        if chosen["direction"] == "optimized" and chosen["alpha"] == 0:
            chosen["direction"] = "push"  # what runs anyway: it would never switch; smaller code
        either = chosen["direction"] == "push" or (
            chosen["direction"] == "optimized" and relay and chosen["run_ahead"] == AUTO
        )
        chosen["run_ahead"] = levels_ahead(
            chosen["run_ahead"],
            graph,
            able and either and (relay or not _asks_to_switch(graph, chosen)),
            "--direction push, --no-idempotence, --strategy fused, --fusion on, and no --alpha or --beta",
            relay,
        )
        return chosen

    def others_options(self, graph: Graph, options: Options) -> Options | None:
        if options["run_ahead"] != AS_SEEN:
            return None
        return {**options, "direction": "push", "run_ahead": levels_as_seen(graph)}

    def _check_strategy(self, chosen: dict[str, Any]) -> None:
        """Resolve the direction, and refuse options that a strategy does not have."""
        strategy = chosen["strategy"]
        if chosen["direction"] == "auto":
            chosen["direction"] = "optimized" if strategy == FUSED else "push"
        if strategy != FUSED and chosen["direction"] != "push":
            raise UsageError(f"--strategy {strategy} pushes; leave out --direction {chosen['direction']}")
        if strategy != FUSED and chosen["fusion"] == "off":
            raise UsageError(
                f"--fusion off is for --strategy {FUSED}, not {strategy}; two-phase is "
                "Merrill's way to filter in a step of its own"
            )
        if strategy == QUADRATIC and chosen["idempotence"]:
            raise UsageError(
                "--idempotence is for searches with queues; "
                f"--strategy {QUADRATIC} has none, and "
                "visits by plain stores without it"
            )
        threshold = chosen["hybrid_threshold"]
        if threshold != "auto" and strategy != "hybrid":
            raise UsageError(f"--hybrid-threshold {threshold} is for --strategy hybrid, not {strategy}")
        chosen["hybrid_threshold"] = threshold if threshold == "auto" else int(threshold)

    def advances(self, graph: Graph, options: Options) -> Advance:
        """Of a pull the mode decides how it begins: by the source's list, or by a queue. A core walks the
        lists of tiles in one way."""
        if options["direction"] == "pull":
            return Advance.BY_MODE if options["fusion"] == "on" else Advance.NONE
        if runs_ahead(options):
            return Advance.NONE
        if options["strategy"] in (*EDGE_QUEUES, QUADRATIC):
            return Advance.NONE if graph.xp is np else Advance.BY_MODE
        return Advance.BALANCED

    def launch(self, graph: Graph, options: Options) -> Tuning | None:
        if options["strategy"] in EDGE_QUEUES:
            return EDGE_QUEUE
        if runs_ahead(options):
            return launch_shape(graph)
        return LEVELS if options["direction"] == "optimized" else super().launch(graph, options)

    def kernel_file(self, graph: Graph, options: Options) -> Path:
        return self.variant_file("ahead" if runs_ahead(options) else STRATEGIES[options["strategy"]])

    def queues(self, graph: Graph, options: Options) -> Queues:
        n, m = graph.n, graph.m
        if options["strategy"] == "two-phase":
            return Queues((m, n), lists=False)
        if options["strategy"] in EDGE_QUEUES:
            return Queues((m, m), lists=False)
        return Queues((0, 0), lists=False) if options["strategy"] == QUADRATIC else Queues((n, n))

    def defines(self, graph: Graph, options: Options) -> dict[str, str | int]:
        culls = culling_macros(options["cull"] if options["idempotence"] else NONE)
        edges_wait = options["strategy"] in EDGE_QUEUES or options["fusion"] == "off"
        ahead = runs_ahead(options)
        either_way = DIRECTIONS[options["direction"]] == "OPTIMIZED" and options["strategy"] == FUSED
        return {
            "GR_DIRECTION": DIRECTIONS[options["direction"]],
            "GR_COUNT_IN_EDGES": int(either_way and not graph.undirected),
            "GR_CARRY_SOURCE": int(edges_wait and options["mark_pred"]),
            "GR_AHEAD": int(ahead),
            **culls,
            **(padded_macro(graph) if ahead else {}),
        }

    def problem(self, graph: Graph, options: Options) -> dict[str, Array | int | float]:
        xp, words = graph.xp, (graph.n + 31) // 32
        if runs_ahead(options):
            return {
                "labels": xp.empty(graph.n, np.int32),
                "preds": xp.empty(graph.n, np.int32) if options["mark_pred"] else None,
                "source": 0,
                "run_ahead": options["run_ahead"],
                "lanes_log": search_lanes_log(graph),
                "padded": padded_rows(graph),
            }
        if options["strategy"] != FUSED:
            return self._strategy_problem(graph, options)
        pulls = options["direction"] != "push"
        return {
            "labels": xp.empty(graph.n, np.int32),
            "preds": xp.empty(graph.n, np.int32) if options["mark_pred"] else None,
            "visited": xp.empty(words, np.uint32) if options["idempotence"] else None,
            "bitmaps": xp.empty(3 * words, np.uint32) if pulls else None,
            "bitmap_stride": words,
            "source": 0,
            **switch_members(options),
        }

    def _strategy_problem(self, graph: Graph, options: Options) -> dict[str, Array | int | float]:
        xp, threshold = graph.xp, options["hybrid_threshold"]
        members: dict[str, Any] = {
            "labels": xp.empty(graph.n, np.int32),
            "preds": xp.empty(graph.n, np.int32) if options["mark_pred"] else None,
            "source": 0,
        }
        if options["strategy"] != QUADRATIC:
            words = (graph.n + 31) // 32
            members["visited"] = xp.empty(words, np.uint32) if options["idempotence"] else None
        if options["strategy"] == "hybrid":
            members["threshold"] = -1 if threshold == "auto" else threshold
        return members

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        problem["source"] = source
        fill_minus_one(problem["labels"])
        problem["labels"][source] = 0
        if problem.get("preds") is not None:
            fill_minus_one(problem["preds"])
        for name in ("visited", "bitmaps"):
            if problem.get(name) is not None:
                problem[name].fill(0)
        if problem.get("visited") is not None:
            problem["visited"][source // 32] = np.uint32(1 << (source % 32))

    def outputs(self, problem: dict[str, Any], graph: Graph, options: Options) -> dict[str, Array]:
        found = {"labels": problem["labels"]}
        if options["mark_pred"]:
            found["predecessors"] = problem["preds"]
        return found

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        labels = outputs["labels"]
        reached = is_reached(labels)
        edges = graph.csr.edges_of(reached)
        return Work(
            vertices_visited=int(reached.sum()),
            edges_visited=edges,
            edges_for_mteps=edges,
            depth=int(labels.max()) if graph.n else 0,
        )

    def pushes_by_level(self, options: Options) -> bool:
        in_step = options["direction"] == "push" and options["run_ahead"] == 1
        return in_step and options["strategy"] != QUADRATIC

    def frontier_levels(self, options: Options, outputs: dict[str, Array]) -> Array | None:
        of_vertices = options["strategy"] in (FUSED, "expand-contract") and options["fusion"] == "on"
        return outputs["labels"] if self.pushes_by_level(options) and of_vertices else None

    def traffic(self, graph: Graph, options: Options, work: Work) -> Traffic:
        """For each vertex found: an edge that leads to it, its label and, if asked for, its
        predecessor."""
        found = max(0, (work.vertices_visited or 0) - 1)  # the source is known before the clock starts
        return Traffic(read=4 * found, written=(8 if options["mark_pred"] else 4) * found)

    def accesses(self, graph: Graph, options: Options, work: Work) -> Accesses:
        """Push: every edge of a reached vertex is read and its end looked up. Where pull is allowed, only
        what any BFS must do is counted: a row, one edge (a 32-byte sector) and a label for each
        vertex."""
        edge_bytes = graph.csr.row_offsets.dtype.itemsize
        vertices, edges = work.vertices_visited or 0, work.edges_visited or 0
        if options["direction"] == "push":
            read, gathers, table = 4 * edges, edges, 4 * graph.n
        else:
            read, gathers, table = 32 * vertices, vertices, 4 * graph.m
        return Accesses(read + (edge_bytes + 4) * vertices, gathers, table)

    def agrees(self, options: Options, outputs: Outputs, proved: Outputs) -> Validation | None:
        return Validation.of_vertices(PROVED, "labels", outputs["labels"], proved["labels"])

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        assert source is not None
        expected = reference_labels(graph, source)
        labels = np.asarray(outputs["labels"])
        wrong = np.flatnonzero(labels != expected)
        if len(wrong):
            shown = "; ".join(f"vertex {v}: {labels[v]}, expected {expected[v]}" for v in wrong[:5])
            return Validation("fail", "scipy", f"{len(wrong)} labels differ: {shown}")
        if "predecessors" in outputs:
            return _check_tree(graph, source, labels, np.asarray(outputs["predecessors"]))
        return Validation("pass", "scipy")


def _culling(options: Options, flags: Mapping[str, bool | None]) -> str:
    """How duplicates are dropped. Where there are none, auto's value is still accepted, as records hold
    it."""
    text = chosen_heuristics(options["cull"], flags)
    if text != BY_GRID and not options["idempotence"]:
        given = (
            " ".join(
                f"--{'' if asked else 'no-'}cull-{name}"
                for name, asked in flags.items()
                if asked is not None
            )
            or f"--cull {options['cull']}"
        )
        raise UsageError(f"{given} needs --idempotence: an exact search queues no vertex twice")
    return text


def _switches(graph: Graph, options: Options, relay: bool) -> tuple[float | str, float | str]:
    """When to pull, and when to push again. (The parameters are accepted where one direction is asked
    for, as all directions are compared under one alpha; Merrill's strategies have nothing to switch
    to.)"""
    chosen = _parameters(graph, options["alpha"], options["beta"], relay)
    strategy = options["strategy"]
    if strategy != FUSED and chosen != _parameters(graph, AUTO, AUTO, relay):
        given = " and ".join(
            f"--{name} {options[name]}" for name in ("alpha", "beta") if options[name] != AUTO
        )
        raise UsageError(f"{given}: for --strategy {FUSED}, not {strategy}, which never pulls")
    return chosen


def _asks_to_switch(graph: Graph, chosen: Options) -> bool:
    """Whether these parameters are not those of a run that never switches, which alone may run ahead.
    (They are accepted where it pushes in step.)"""
    given = chosen["alpha"], chosen["beta"]
    return given[0] != 0 and given != _parameters(graph, AUTO, AUTO, False)


def _parameters(graph: Graph, alpha: Any, beta: Any, relay: bool) -> tuple[float | str, float | str]:
    """Beamer's parameters, or both by cost."""
    if alpha == AUTO and beta == AUTO and not relay and has_many_levels(graph):
        alpha = 0.0  # pulling does not pay on meshes
    elif alpha == AUTO:
        alpha = COST if beta == AUTO else BEAMER_ALPHA
    if alpha != COST:
        if beta == COST:
            raise UsageError(f"--beta {COST} needs --alpha {COST}")
        pull, push = float(alpha), float(BEAMER_BETA if beta == AUTO else beta)
        if pull == 0 and push != BEAMER_BETA:
            raise UsageError(f"--beta {beta}: with --alpha 0 no level is pulled, so none is pushed again")
        return pull, push
    if beta not in (AUTO, COST):
        raise UsageError(f"--beta {beta} is for --alpha with a number, not {COST}")
    return COST, COST


def _check_tree(
    graph: Graph, source: int, labels: np.ndarray[Any, Any], predecessors: np.ndarray[Any, Any]
) -> Validation:
    """Every reached vertex but the source has a predecessor one level up, over an edge that exists."""
    reached = np.flatnonzero(labels > 0)
    parents = predecessors[reached].astype(np.int64)
    bad = (parents < 0) | (parents >= graph.n)
    parents[bad] = source
    bad |= labels[parents] != labels[reached] - 1
    bad |= ~_edges_exist(graph, parents, reached)
    if bad.any():
        shown = "; ".join(f"vertex {v}: predecessor {predecessors[v]}" for v in reached[bad][:5])
        return Validation("fail", "scipy", f"{bad.sum()} predecessors are no tree edges: {shown}")
    unreached = (labels < 0) & (predecessors != -1)
    if unreached.any():
        v = int(np.flatnonzero(unreached)[0])
        return Validation("fail", "scipy", f"unreached vertex {v} has predecessor {predecessors[v]}")
    return Validation("pass", "scipy")


def _edges_exist(
    graph: Graph, sources: np.ndarray[Any, Any], targets: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    """Whether each edge is in the graph: binary search in the sorted rows, all at once."""
    rows, columns = graph.csr.row_offsets, graph.csr.column_indices
    low, high = rows[sources].astype(np.int64), rows[sources + 1].astype(np.int64)
    end = high.copy()
    while (low < high).any():
        middle = (low + high) // 2
        below = (low < high) & (columns[np.minimum(middle, graph.m - 1)] < targets)
        low, high = np.where(below, middle + 1, low), np.where(below | (low >= high), high, middle)
    return (low < end) & (columns[np.minimum(low, graph.m - 1)] == targets)


PRIMITIVE = Bfs()
