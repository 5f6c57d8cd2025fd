"""Neighborhood sampling: some edges out of each seed, then of each vertex that they newly reach.

The sample is a graph of its own. ``vertices[i]`` is its vertex i, in the order in which they are first
reached, seeds first; those first reached by hop h are i from ``vertex_offsets[h + 1]`` on. Its edges lead
from ``sources`` to ``targets``, both by that number, and are entries ``edges`` of the graph's rows; those
of hop h begin at ``edge_offsets[h]``. All int32, but ``edges`` and the offsets int64. The same seed gives
the same sample on every backend."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.graph.model.memory import require_memory
from gunrock_cli.graph.model.ranges import ranges
from gunrock_cli.graph.vertex_list import listed_vertices
from gunrock_cli.operators.launch_shapes import WHOLE_GRAPH
from gunrock_cli.operators.pick import NOTHING, alias_table, picked
from gunrock_cli.operators.scan import SCAN_CHUNKS
from gunrock_cli.primitives.base import Accesses, Primitive, Validation, Work
from gunrock_cli.primitives.edge_weights import check_weights
from gunrock_cli.primitives.frontier import NO_FRONTIER
from gunrock_cli.primitives.many_sources import drawn
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant

SEEDS = 1024
DRAWS = 0
"""The stream of random words that draw edges."""
NOWHERE = 2**32 - 1
"""The kernel's slot of vertices that are not reached."""
ALL = 2**31 - 1
"""A fan-out that no vertex reaches."""
MOST = 4096
"""The largest fan-out but all: without replacement, a thread looks for each draw among those before."""
MOST_HOPS = 64
MOST_EDGES = 2**31
_Numbers = np.ndarray[Any, Any]


@dataclass(frozen=True)
class SampleOptions(Options):
    """The options of samples."""

    src: str | None = option(
        None,
        "Begin at these, each once: a vertex, several with commas, or @FILE that lists them.",
        lists_vertices=True,
        changes_answer=True,
        python="source",
    )
    sample: int | None = option(
        None,
        "Begin at this many vertices, drawn at random by --sample-seed.",
        minimum=1,
        unset=f"{SEEDS}, or all if there are fewer",
        changes_answer=True,
    )
    fanout: str = option(
        "15,10,5",
        "How many edges are drawn of each vertex, in each hop; -1: all.",
        takes_list=True,
        changes_answer=True,
    )
    replace: bool = option(
        False,
        "An edge may be drawn again. Then each vertex with edges has as many drawn as the hop says, "
        "otherwise at most as many as it has.",
        changes_answer=True,
    )
    weighted: bool = option(
        False,
        "Draw edges in proportion to their weights, with --replace. No weight may be negative, and "
        "those below 2^-29 of their vertex's mean count as 0.",
        changes_answer=True,
    )
    sample_seed: int = option(
        0,
        "Of the random numbers: another seed, another sample.",
        minimum=0,
        maximum=2**63 - 1,
        changes_answer=True,
        python="seed",
    )


def fanouts_of(options: SampleOptions) -> list[int]:
    """The fan-outs, by hop, ALL for -1; UsageError if they are not numbers within bounds."""
    words = [word.strip() for word in options.fanout.split(",")]
    shown = options.fanout[:60]
    if not all(re.fullmatch("-1|[0-9]{1,9}", word) and -1 <= int(word) <= MOST for word in words):
        raise UsageError(
            f"--fanout {shown}: give a number from 0 to {MOST} for each hop, or -1 for all edges, with "
            "commas between them"
        )
    if len(words) > MOST_HOPS:
        raise UsageError(f"--fanout {shown}: {len(words)} hops are too many; give at most {MOST_HOPS}")
    return [ALL if int(word) < 0 else int(word) for word in words]


def seeds_of(graph: Graph, options: SampleOptions) -> _Numbers:
    """The seeds, each once; ``options`` are resolved."""
    if options.src is not None:
        return np.array(options.src.split(","), np.int32)
    return drawn(graph, SEEDS if options.sample is None else options.sample, options.sample_seed)


@dataclass(frozen=True)
class Sizes:
    """The most that a sample can hold."""

    vertices: int
    edges: int

    @classmethod
    def of(cls, graph: Graph, options: SampleOptions) -> Sizes:
        """By hop: no more vertices are new than edges were drawn before. Edges are drawn of each vertex
        once, so without replacement no edge twice."""
        degrees, xp = graph.csr.degrees(), graph.xp
        reached = new = len(seeds_of(graph, options))
        edges = 0
        for fanout in fanouts_of(options):
            if options.replace:
                more = min(new, int(xp.count_nonzero(degrees))) * fanout
            else:
                of_all = int(xp.minimum(degrees, fanout).sum(dtype=np.int64))
                more = min(new * fanout, of_all, graph.m - edges)
            edges += more
            new = min(more, graph.n - reached)
            reached += new
        return cls(reached, edges)


class Hops(Variant[SampleOptions]):
    """Hop by hop; a thread draws the edges of one vertex."""

    kernel = "sample"

    @property
    def launch(self) -> Tuning:
        return WHOLE_GRAPH

    @property
    def defines(self) -> Macros:
        return {"GR_REPLACE": int(self.options.replace), "GR_WEIGHTED": int(self.options.weighted)}

    @property
    def constants(self) -> Mapping[str, int]:
        return {"NOWHERE": NOWHERE}

    @cached_property
    def seeds(self) -> Array:
        """The seeds, in the graph's memory."""
        return self.xp.asarray(seeds_of(self.graph, self.options))

    def members(self) -> Mapping[str, Member]:
        graph, asked = self.graph, self.options
        sizes, fanouts, seeds = Sizes.of(graph, asked), fanouts_of(asked), len(self.seeds)
        return {
            "reached": Room(seeds + sizes.edges, np.int32),
            "firsts": Room(graph.n, np.uint32, filled=NOWHERE),
            "numbers": Room(graph.n, np.int32),
            "vertices": Room(sizes.vertices, np.int32),
            "sources": Room(sizes.edges, np.int32),
            "edges": Room(sizes.edges, graph.csr.row_offsets.dtype),
            "vertex_offsets": Room(len(fanouts) + 2, np.int64, filled=0),
            "edge_offsets": Room(len(fanouts) + 1, np.int64, filled=0),
            "fanouts": Room(len(fanouts), np.int64),
            "hops": len(fanouts),
            "seeds": seeds,
            "key": np.uint64(rng.stream_key(asked.sample_seed, DRAWS)),
            "table": alias_table(graph) if asked.weighted else None,
            "sums": Room(SCAN_CHUNKS, np.uint64),
        }

    def start(self, problem: Problem, source: int) -> None:
        problem["fanouts"][...] = self.xp.asarray(fanouts_of(self.options), np.int64)
        problem["reached"][: len(self.seeds)] = self.seeds
        problem["firsts"][self.seeds] = self.xp.arange(len(self.seeds), dtype=np.uint32)

    def outputs(self, problem: Problem) -> dict[str, Array]:
        offsets = {name: problem[name].copy() for name in ("vertex_offsets", "edge_offsets")}
        vertices, edges = (int(each[-1]) for each in offsets.values())
        seeds = len(self.seeds)
        return {
            "vertices": problem["vertices"][:vertices].copy(),
            "sources": problem["sources"][:edges].copy(),
            "targets": problem["reached"][seeds : seeds + edges].copy(),
            "edges": problem["edges"][:edges].astype(np.int64),
            **offsets,
        }


class Sample(Primitive):
    name = "sample"
    summary = "Neighborhood sampling, as graph learning has it: hop by hop, with a fan-out for each."
    takes = SampleOptions
    source = None
    needs = Needs(directed=True)
    shows = Shown(
        vertices=("vertices",),
        rows=MappingProxyType({"source": "sources", "target": "targets", "edge": "edges"}),
        places=MappingProxyType({"sources": "vertices", "targets": "vertices"}),
    )
    frontier = NO_FRONTIER

    def reads_weights(self, options: SampleOptions) -> bool:
        return options.weighted

    def entries_looked_at(self, graph: Graph) -> int:
        return min(graph.n + graph.m, SEEDS * 15 * 10 * 5)

    def plan(self, graph: Graph, asked: SampleOptions) -> Hops:
        _refuse(asked)
        if asked.src is not None:
            found = dict.fromkeys(listed_vertices(graph, asked.src, "--src", repeated=True))
            asked = SampleOptions.resolved(asked, src=",".join(map(str, found)))
        if asked.weighted:
            check_weights(graph, "samples need weights of 0 or more")
        sizes = Sizes.of(graph, asked)
        what = f"a sample of --fanout {asked.fanout[:60]}"
        if sizes.vertices + sizes.edges >= MOST_EDGES:
            raise UsageError(f"{what} may have {sizes.edges} edges; draw fewer, below 2^31")
        require_memory(graph.xp, 8 * (sizes.vertices + graph.n) + 32 * sizes.edges, what)
        return Hops(graph, asked)

    def work(self, graph: Graph, options: SampleOptions, outputs: dict[str, Array]) -> Work:
        vertices, edges = len(outputs["vertices"]), len(outputs["edges"])
        return Work(
            vertices_visited=vertices,
            edges_visited=edges,
            edges_for_mteps=edges,
            depth=len(outputs["edge_offsets"]) - 1,
            metrics={"seeds": int(outputs["vertex_offsets"][1]), "vertices": vertices, "edges": edges},
        )

    def accesses(self, graph: Graph, options: SampleOptions, work: Work) -> Accesses:
        """An edge gathers an entry, its end's slot twice and number, and each vertex its row twice; an
        edge's three words are written, and its end's is read three times and written once more."""
        vertices, edges = int(work.metrics["vertices"]), int(work.metrics["edges"])
        row = graph.csr.row_offsets.dtype.itemsize
        return Accesses(
            (24 + row) * edges + 4 * vertices, 4 * edges + 3 * vertices, 4 * (graph.m + 3 * graph.n)
        )

    def validate(
        self, graph: Graph, options: SampleOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        """Draw again by arrays, all vertices of a hop at a time."""
        for name, expected in drawn_again(graph, options).items():
            found = np.asarray(outputs[name])
            if found.shape != expected.shape:
                return Validation(
                    "fail", "numpy", f"{name}: shape {found.shape}, expected {expected.shape}"
                )
            wrong = np.flatnonzero(found != expected)
            if len(wrong):
                at = int(wrong[0])
                return Validation(
                    "fail",
                    "numpy",
                    f"{len(wrong)} {name} differ: {at} is {found[at]}, expected {expected[at]}",
                )
        return Validation("pass", "numpy")


def _refuse(asked: SampleOptions) -> None:
    """UsageError for contradictions."""
    fanouts = fanouts_of(asked)
    if asked.src is not None and asked.sample is not None:
        raise UsageError("--src says where to begin, and so does --sample: leave one of them out")
    if asked.weighted and not asked.replace:
        raise UsageError(
            "--weighted draws with replacement only: add --replace (else a draw would look at every "
            "edge of its vertex)"
        )
    if asked.replace and ALL in fanouts:
        raise UsageError("--fanout -1 takes every edge once: leave out --replace, or give a number")


def drawn_again(graph: Graph, options: SampleOptions) -> dict[str, _Numbers]:
    """The sample, from the same random words as the kernel's."""
    columns, draw = to_numpy(graph.csr.column_indices), _Draw(graph, options)
    vertices = seeds_of(graph, options).astype(np.int64)
    number = np.full(graph.n, -1)
    number[vertices] = np.arange(len(vertices))
    begun, vertex_offsets, edge_offsets = 0, [0, len(vertices)], [0]
    sources, edges = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for fanout in fanouts_of(options):
        entries, each = draw.of(vertices[begun:], fanout)
        sources.append(np.repeat(np.arange(begun, len(vertices)), each))
        edges.append(entries)
        ends, places = np.unique(columns[entries], return_index=True)
        new = ends[np.argsort(places)].astype(np.int64)
        new = new[number[new] < 0]
        number[new] = len(vertices) + np.arange(len(new))
        begun, vertices = len(vertices), np.concatenate((vertices, new))
        vertex_offsets.append(len(vertices))
        edge_offsets.append(edge_offsets[-1] + len(entries))
    entries = np.concatenate(edges)
    return {
        "vertices": vertices,
        "sources": np.concatenate(sources),
        "targets": number[columns[entries]],
        "edges": entries,
        "vertex_offsets": np.array(vertex_offsets),
        "edge_offsets": np.array(edge_offsets),
    }


class _Draw:
    """The edges of a hop."""

    def __init__(self, graph: Graph, options: SampleOptions) -> None:
        self._offsets = to_numpy(graph.csr.row_offsets).astype(np.int64)
        self._table = to_numpy(alias_table(graph)) if options.weighted else None
        self._seed, self._replace = options.sample_seed, options.replace

    def of(self, vertices: _Numbers, fanout: int) -> tuple[_Numbers, _Numbers]:
        """The entries drawn of these vertices, one vertex after the other, and how many of each."""
        begin = self._offsets[vertices]
        length = self._offsets[vertices + 1] - begin
        if self._replace:
            each = np.where(self._finds(begin, length), fanout, 0)
            owners = np.repeat(np.arange(len(vertices)), each)
            words = self._words(vertices[owners], ranges(np.zeros_like(each), each))
            return picked(np, begin[owners], length[owners], words, self._table), each
        each = np.minimum(length, fanout)
        some = length > fanout
        entries = ranges(begin, each)
        if some.any():
            fewer = self._different(vertices[some], begin[some], length[some], fanout)
            entries[np.repeat(some, each)] = fewer.ravel()
        return entries, each

    def _words(self, vertices: _Numbers, places: Any) -> Any:
        numbers = vertices.astype(np.uint64) << np.uint64(32) | np.asarray(places).astype(np.uint64)
        return rng.hash_counters(np, numbers, self._seed, DRAWS)

    def _different(self, vertices: _Numbers, begin: _Numbers, length: _Numbers, fanout: int) -> _Numbers:
        """Entries of vertices that have more than are drawn: a row for each."""
        found = np.full((len(vertices), fanout), -1)
        for place in range(fanout):
            last = begin + length - fanout + place
            words = self._words(vertices, place)
            other = begin + rng.scaled_wide_each(np, words, last - begin + 1)
            found[:, place] = np.where((found == other[:, None]).any(axis=1), last, other)
        return found

    def _finds(self, begin: _Numbers, length: _Numbers) -> Any:
        some = length > 0
        if self._table is not None and len(self._table):
            some &= self._table[np.minimum(begin, len(self._table) - 1)] != NOTHING
        return some


PRIMITIVE = Sample()
