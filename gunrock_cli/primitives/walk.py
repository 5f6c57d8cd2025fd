"""Random walks along out-edges: uniform, by weight, or node2vec's, with or without restarts.

``paths[w]`` is walk w: its start and the vertices that follow, -1 after its end; int32, shape
(walks, length + 1). With ``--visits`` instead ``visits[v]``, how often all walks were at v, starts
included: int64, shape (n,). The same seed gives the same walks on every backend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.graph.model.memory import require_memory
from gunrock_cli.graph.vertex_list import listed_vertices
from gunrock_cli.operators.launch_shapes import WHOLE_GRAPH
from gunrock_cli.operators.pick import alias_table, picked
from gunrock_cli.primitives.base import Accesses, Primitive, Validation, Work
from gunrock_cli.primitives.edge_weights import check_weights
from gunrock_cli.primitives.frontier import NO_FRONTIER
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant

PICKS, RESTARTS = 0, 1
"""Streams of random words."""
ALWAYS = 2**32


@dataclass(frozen=True)
class WalkOptions(Options):
    """The options of walks."""

    src: str | None = option(
        None,
        "Walks begin at these: a vertex, several with commas, or @FILE that lists them, also more than "
        "once. Default: at every vertex.",
        lists_vertices=True,
        changes_answer=True,
        python="source",
    )
    walk_length: int = option(
        80, "Steps of a walk.", minimum=0, maximum=10**6, changes_answer=True, python="length"
    )
    walks: int = option(1, "Walks from each of them.", minimum=1, changes_answer=True)
    walk_seed: int = option(
        0,
        "Of the random numbers: another seed, other walks.",
        minimum=0,
        maximum=2**63 - 1,
        changes_answer=True,
        python="seed",
    )
    weighted: bool = option(
        False,
        "Take an edge in proportion to its weight. No weight may be negative, and those below "
        "2^-29 of their vertex's mean count as 0.",
        changes_answer=True,
    )
    p: float = option(
        1.0,
        "node2vec: an edge back to the vertex before weighs 1/p.",
        minimum=0.01,
        maximum=100.0,
        changes_answer=True,
    )
    q: float = option(
        1.0,
        "node2vec: an edge to no out-neighbor of that vertex weighs 1/q.",
        minimum=0.01,
        maximum=100.0,
        changes_answer=True,
    )
    restart: float = option(
        0.0,
        "The chance to go back to the start. If above 0, a walk also goes back where no edge leads on, "
        "and otherwise ends there.",
        minimum=0.0,
        maximum=0.999,
        changes_answer=True,
    )
    visits: bool = option(
        False, "Count how often each vertex is visited, and keep no paths.", changes_answer=True
    )


@dataclass(frozen=True)
class Chances:
    """Chances to accept an edge, of 2^32, by where it leads: to the vertex before (``back``), to an
    out-neighbor of it, or elsewhere. The largest is 2^32."""

    back: int
    near: int
    far: int

    @classmethod
    def of(cls, p: float, q: float) -> Chances:
        most = max(1 / p, 1.0, 1 / q)
        return cls(*(rng.threshold(weight / most) for weight in (1 / p, 1.0, 1 / q)))


class Walking(Variant[WalkOptions]):
    """One thread for each walk."""

    kernel = "walk"

    @property
    def launch(self) -> Tuning:
        return WHOLE_GRAPH

    @property
    def defines(self) -> Macros:
        return {
            "GR_WEIGHTED": int(self.options.weighted),
            "GR_SECOND_ORDER": int(is_second_order(self.options)),
            "GR_VISITS": int(self.options.visits),
        }

    @cached_property
    def _starts(self) -> Array | None:
        found = starts_of(self.options)
        return None if found is None else self.xp.asarray(found)

    def members(self) -> Mapping[str, Member]:
        asked, n = self.options, self.graph.n
        count = walks_of(self.graph, asked)
        chances = Chances.of(asked.p, asked.q)
        return {
            "starts": self._starts,
            "walks": count,
            "each": asked.walks,
            "length": asked.walk_length,
            "key": np.uint64(rng.stream_key(asked.walk_seed, PICKS)),
            "restart_key": np.uint64(rng.stream_key(asked.walk_seed, RESTARTS)),
            "restart": rng.threshold(asked.restart),
            "back": chances.back,
            "near": chances.near,
            "far": chances.far,
            "table": alias_table(self.graph) if asked.weighted else None,
            "paths": None if asked.visits else Room((count, asked.walk_length + 1), np.int32, filled=-1),
            "visits": Room(n, np.uint64, filled=0) if asked.visits else None,
        }

    def outputs(self, problem: Problem) -> dict[str, Array]:
        if self.options.visits:
            return {"visits": problem["visits"].astype(np.int64)}
        return {"paths": problem["paths"]}


class WalkShown(Shown):
    """A row per walk, or a value per vertex."""

    def row_columns(self, options: WalkOptions) -> Mapping[str, str]:
        return {} if options.visits else {"step": "paths"}


class Walk(Primitive):
    name = "walk"
    summary = "Random walks: uniform, by weight, or node2vec's, with or without restarts."
    takes = WalkOptions
    source = None
    needs = Needs(directed=True)
    shows = WalkShown(vertices=("paths",))
    frontier = NO_FRONTIER

    def reads_weights(self, options: WalkOptions) -> bool:
        return options.weighted

    def entries_looked_at(self, graph: Graph) -> int:
        return graph.n * 80

    def plan(self, graph: Graph, asked: WalkOptions) -> Walking:
        if asked.src is not None:
            found = listed_vertices(graph, asked.src, "--src", repeated=True)
            asked = WalkOptions.resolved(asked, src=",".join(map(str, found)))
        if asked.weighted:
            check_weights(graph, "walks need weights of 0 or more")
        count = walks_of(graph, asked)
        if count * max(asked.walk_length, 1) >= 2**62:
            raise UsageError(f"--walks {asked.walks}: {count} walks in all are too many; walk fewer")
        if not asked.visits:
            what = f"paths of --walks {asked.walks} and --walk-length {asked.walk_length}"
            require_memory(graph.xp, 4 * count * (asked.walk_length + 1), what)
        return Walking(graph, asked)

    def work(self, graph: Graph, options: WalkOptions, outputs: dict[str, Array]) -> Work:
        walks = walks_of(graph, options)
        if "visits" in outputs:
            there = int(outputs["visits"].sum())
        else:
            there = int((outputs["paths"] >= 0).sum())
        steps = there - walks
        return Work(edges_visited=steps, edges_for_mteps=steps, metrics={"walks": walks, "steps": steps})

    def accesses(self, graph: Graph, options: WalkOptions, work: Work) -> Accesses:
        """A step gathers a list's place and one of its entries; a path is written."""
        steps = int(work.metrics["steps"])
        row = graph.csr.row_offsets.dtype.itemsize
        written = 8 * graph.n if options.visits else 4 * (steps + int(work.metrics["walks"]))
        return Accesses(written, 2 * steps, 4 * graph.m + row * graph.n)

    def validate(
        self, graph: Graph, options: WalkOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        """Walk again by arrays, all walks a step at a time."""
        paths = paths_of(graph, options)
        if "visits" in outputs:
            expected = np.bincount(paths[paths >= 0], minlength=graph.n)
            return Validation.of_vertices("numpy", "visits", outputs["visits"], expected)
        found = np.asarray(outputs["paths"])
        if found.shape != paths.shape:
            return Validation("fail", "numpy", f"paths: shape {found.shape}, expected {paths.shape}")
        wrong = (found != paths).any(axis=1)
        if not wrong.any():
            return Validation("pass", "numpy")
        walk = int(wrong.argmax())
        step = int((found[walk] != paths[walk]).argmax())
        return Validation(
            "fail",
            "numpy",
            f"{int(wrong.sum())} walks differ: walk {walk} is at {found[walk, step]} after {step} steps, "
            f"expected {paths[walk, step]}",
        )


def is_second_order(options: WalkOptions) -> bool:
    """True if the vertex before matters."""
    return (options.p, options.q) != (1.0, 1.0)


def starts_of(options: WalkOptions) -> np.ndarray[Any, Any] | None:
    """The listed starts, int32; None if walks begin at every vertex. ``options`` are resolved."""
    return None if options.src is None else np.array(options.src.split(","), np.int32)


def walks_of(graph: Graph, options: WalkOptions) -> int:
    """The number of walks; ``options`` are resolved."""
    listed = starts_of(options)
    return options.walks * (graph.n if listed is None else len(listed))


def paths_of(graph: Graph, options: WalkOptions) -> np.ndarray[Any, Any]:
    """All paths, from the same random words as the kernel's: int32, shape (walks, length + 1)."""
    listed = starts_of(options)
    starts = np.repeat(np.arange(graph.n) if listed is None else listed, options.walks).astype(np.int64)
    paths = np.full((len(starts), options.walk_length + 1), -1, np.int32)
    paths[:, 0] = starts
    step = _Step(graph, options)
    here, before = starts, np.full(len(starts), -1)
    for t in range(options.walk_length):
        numbers = np.arange(len(starts), dtype=np.uint64) * np.uint64(options.walk_length) + np.uint64(t)
        after = step.taken(here, before, rng.hash_counters(np, numbers, options.walk_seed, PICKS))
        if options.restart > 0:
            words = rng.hash_counters(np, numbers, options.walk_seed, RESTARTS)
            back = rng.bernoulli(np, words, options.restart) | (after < 0)
            after, before = np.where(back, starts, after), np.where(back, -1, here)
        else:
            before = here
        here = paths[:, t + 1] = after
    return paths


class _Step:
    """One step of many walks."""

    def __init__(self, graph: Graph, options: WalkOptions) -> None:
        csr = graph.csr
        self._offsets = to_numpy(csr.row_offsets).astype(np.int64)
        self._columns = to_numpy(csr.column_indices)
        self._table = to_numpy(alias_table(graph)) if options.weighted else None
        self._chances = Chances.of(options.p, options.q) if is_second_order(options) else None
        self._pairs = csr.sources().astype(np.int64) * graph.n + self._columns  # of edges, rising

    def taken(self, here: Any, before: Any, words: Any) -> Any:
        """The vertices after ``here``, -1 if no edge leads on."""
        after = np.full(len(here), -1, np.int64)
        open_ = np.flatnonzero(here >= 0)
        turn = 0
        while len(open_):
            entries = self._picked(here[open_], rng.word_after(np, words[open_], turn))
            led, entries = open_[entries >= 0], entries[entries >= 0]
            to = self._columns[entries].astype(np.int64)
            kept = self._accepted(here[led], before[led], to, rng.word_after(np, words[led], turn + 1))
            after[led[kept]] = to[kept]
            open_ = led[~kept]
            turn += 2
        return after

    def _picked(self, here: Any, words: Any) -> Any:
        begin = self._offsets[here]
        return picked(np, begin, self._offsets[here + 1] - begin, words, self._table)

    def _accepted(self, here: Any, before: Any, to: Any, words: Any) -> Any:
        if self._chances is None:
            return np.ones(len(to), bool)
        pairs = before * (len(self._offsets) - 1) + to
        place = np.minimum(np.searchsorted(self._pairs, pairs), max(len(self._pairs) - 1, 0))
        near = self._pairs[place] == pairs if len(self._pairs) else np.zeros(len(to), bool)
        back, close, far = (
            np.uint64(c) for c in (self._chances.back, self._chances.near, self._chances.far)
        )
        chance = np.where(to == before, back, np.where(near, close, far))
        only = self._offsets[here + 1] - self._offsets[here] == 1
        return only | (before < 0) | ((words >> np.uint64(32)) < chance)


PRIMITIVE = Walk()
