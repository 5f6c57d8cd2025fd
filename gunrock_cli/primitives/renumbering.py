"""A graph whose vertices are renumbered while a kernel reads it: the sources of most edges come first, so
that values gathered often are close together."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from gunrock_cli.engine.backend import Backend, cache_bytes, choose_backend
from gunrock_cli.engine.program import Program
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Csr, Graph, array_module
from gunrock_cli.graph.model.memory import available_device_bytes, require_memory
from gunrock_cli.graph.parts.partition import Part, Parted, dealt
from gunrock_cli.operators.gather_all import Lists, kind_of
from gunrock_cli.operators.launch_shapes import WHOLE_GRAPH
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.compile import compile_primitive
from gunrock_cli.primitives.frontier import NO_FRONTIER
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.primitives.variant import Variant

ChosenOrder = Literal["graph", "degree"]
Order = Literal["auto", "graph", "degree"]
_EDGE_BYTES, _VERTEX_BYTES = 4, 64
"""Bytes needed to sort, for each edge and, at most, for each vertex."""
_REHEARSED = 1 << 16


def order_option(gathered: str, degrees: str, only: str = "") -> Any:
    """A primitive's ``--order``: what it gathers, by which degrees it is then numbered, and for which
    runs ``auto`` checks whether it pays."""
    return option(
        "auto",
        f"Numbers of the vertices while {gathered} are gathered: the graph's, or by falling "
        f"{degrees}, so that what is gathered most lies together. The graph is laid out anew for that, "
        f"once, which is a phase of its own and takes as much memory as the edges. auto: by degree{only} "
        "on a GPU where neighbours lie scattered and as many iterations as --tolerance and "
        "--max-iterations let expect make up for it.",
        expert=True,
    )


def order_of(given: Order, pays: Callable[[], bool], scatters_by: str = "") -> ChosenOrder:
    """The resolved ``--order``; ``scatters_by``: the options that make the run scatter instead of
    gather."""
    if scatters_by:
        if given == "degree":
            raise UsageError(f"--order degree is for gathering; leave out {scatters_by}")
        return "graph"
    if given != "auto":
        return given
    return "degree" if pays() else "graph"


class Ordered:
    """Mixed into options that have an ``order``."""

    order: Order

    @property
    def by_degree(self) -> bool:
        """True if vertices are numbered by degree; of resolved options."""
        return self.order == "degree"


def hot_macro(graph: Graph, by_degree: bool) -> dict[str, str | int]:
    """The macro that makes each block cache the values that most entries name. (A core has its own cache,
    so one program reads either order there.)"""
    return {"GR_SHARED_CACHE": int(by_degree and graph.xp is not np)}


@dataclass(frozen=True)
class Renumbered(Graph):
    """``order[number]`` is the vertex with that number, ``numbers`` is the inverse. ``reverse`` has the
    in-edges. Of a directed graph's ``csr`` only the lengths of the lists are right, unless sides are
    apart: then vertices are numbered separately as ends of edges (rows of ``reverse``, entries of
    ``csr``), by ``end_order``. ``took_ms`` is the time to make it, without compiling and loading code."""

    order: Array = None
    numbers: Array = None
    end_order: Array = None
    took_ms: float = 0.0


class Moving(Variant[Options]):
    """The kernel that moves the lists. Its members are those of one call."""

    kernel = "renumber"

    @property
    def launch(self) -> Tuning:
        return WHOLE_GRAPH


class MoveLists(Primitive):
    """The primitive that lays a graph out again."""

    name = "renumber"
    takes = Options
    variant = Moving
    source = None
    needs = Needs(reverse=True)
    frontier = NO_FRONTIER


@dataclass(frozen=True)
class Numbers:
    """``order[number]`` is the vertex with that number, ``of[vertex]`` its number."""

    order: Array
    of: Array

    @classmethod
    def by_degree(cls, lists: Csr) -> Numbers:
        """Number by falling length of the lists; vertices of equal degree keep their order."""
        xp = array_module(lists.row_offsets)
        order = xp.argsort(-lists.degrees(), kind="stable").astype(np.int32)
        numbers = xp.empty(lists.n, np.int32)
        numbers[order] = xp.arange(lists.n, dtype=np.int32)
        return cls(order, numbers)


class Renumbering:
    """Makes one graph's layout by falling out-degree; ``sides_apart``: vertices are numbered by falling
    in-degree as ends of edges, and there are lists of both kinds."""

    def __init__(self, graph: Graph, backend: Backend, sides_apart: bool = False) -> None:
        self._graph = graph
        self._backend = backend if graph.xp is backend.xp else choose_backend("cpu")  # is on no device
        self._sides_differ = sides_apart and not graph.undirected

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        """The compiled programs that move in-lists and, if needed, out-lists. The code that sorts
        vertices is loaded as well: a GPU loads code when it is first called, and those 2 ms are not the
        layout's."""
        if _is_on_gpu(self._graph):
            _rehearse(self._graph.csr)
        graphs = [self._graph]
        if self._sides_differ:
            assert self._graph.reverse is not None
            graphs.append(replace(self._graph, csr=self._graph.reverse, reverse=self._graph.csr))
        return tuple(
            compile_primitive(MoveLists(), graph, {}, self._backend, RunOptions()) for graph in graphs
        )

    @cached_property
    def graph(self) -> Renumbered:
        """The new graph in its own memory, next to the original."""
        graph = self._graph
        assert graph.reverse is not None
        require_memory(
            graph.xp, memory_for(graph, self._sides_differ), f"another order of {graph.name}'s vertices"
        )
        programs, begin = self.programs, time.perf_counter()
        ends = starts = Numbers.by_degree(graph.csr)
        if self._sides_differ:
            ends = Numbers.by_degree(graph.reverse)
        csr = reverse = _moved(programs[0], graph.reverse, ends.order, starts)
        if self._sides_differ:
            csr = _moved(programs[1], graph.csr, starts.order, ends)
        elif not graph.undirected:
            csr = Csr(_offsets(graph.csr.degrees()[starts.order]), reverse.column_indices)
        return Renumbered(
            graph.name,
            csr,
            reverse,
            graph.undirected,
            graph.hash,
            graph.origin,
            order=starts.order,
            numbers=starts.of,
            end_order=ends.order,
            took_ms=1e3 * (time.perf_counter() - begin),
        )

    def dealt(self, count: int) -> Parted:
        """The graph in this many parts, over which vertices are dealt out, in new memory next to the
        graph's own. Each part has only its own vertices' rows, by in-edges, in which other vertices are
        numbered by degree."""
        graph = self._graph
        assert graph.reverse is not None
        require_memory(graph.xp, memory_for(graph), f"another order of {graph.name}'s vertices")
        program, begin = self.programs[0], time.perf_counter()
        numbers, out_degrees = Numbers.by_degree(graph.csr), graph.csr.degrees()
        partition, parts = dealt(numbers.order, count), []
        assert partition.order is not None
        for place, (first, last) in enumerate(pairwise(partition.bounds)):
            rows = partition.order[first:last]
            lists = _moved(program, graph.reverse, rows, numbers)
            part = Part.of(graph, partition, place, lists, lists, out_degrees[rows])
            parts.append(replace(part, whole=False))
        return Parted(partition, parts, 1e3 * (time.perf_counter() - begin))


def numbers_of(graph: Graph, vertices: Array) -> Array:
    """The rows of these vertices in ``graph.csr``."""
    return graph.numbers[vertices] if isinstance(graph, Renumbered) else vertices


def memory_for(graph: Graph, sides_apart: bool = False) -> int:
    """Bytes that laying the graph out again takes, in addition to its own."""
    lists = 2 if sides_apart and not graph.undirected else 1
    return _EDGE_BYTES * lists * graph.m + _VERTEX_BYTES * graph.n


def _moved(program: Program, lists: Csr, rows: Array, entries: Numbers) -> Csr:
    """These vertices' lists, one after the other, in which other vertices are named by their numbers."""
    offsets, shifts = _moves(lists, rows)
    columns = array_module(offsets).empty(int(offsets[-1]), np.int32)
    program.run(
        {"order": rows, "count": len(rows), "numbers": entries.of, "shifts": shifts, "columns": columns},
        lambda: None,
    )
    return Csr(offsets, columns)


def _moves(lists: Csr, rows: Array) -> tuple[Array, Array]:
    """The offsets at which these vertices' lists begin, one after the other, and how far each list
    moves."""
    offsets = _offsets(lists.degrees()[rows])
    shifts = array_module(offsets).empty(lists.n, offsets.dtype)
    shifts[rows] = offsets[:-1] - lists.row_offsets[:-1][rows]
    return offsets, shifts


def _offsets(lengths: Array) -> Array:
    """The offsets at which lists of these lengths begin, one after the other, and the end of the last
    one."""
    xp = array_module(lengths)
    offsets = xp.zeros(len(lengths) + 1, lengths.dtype)
    offsets[1:] = xp.cumsum(lengths, dtype=lengths.dtype)
    return offsets


def _rehearse(lists: Csr) -> None:
    """Sort and move just enough lists to need all of the code that large graphs need."""
    xp = array_module(lists.row_offsets)
    small = Csr(xp.arange(_REHEARSED + 1, dtype=lists.row_offsets.dtype), xp.zeros(_REHEARSED, np.int32))
    _moves(small, Numbers.by_degree(small).order)


# --- whether it pays ------------------------------------------------------------------------------
SAVED = (0.5, 0.7)
"""The least extra time of an iteration of PageRank in the graph's order, as a share of its time by
degree: first if the table gathered from fits the cache, then if it does not [D-renumber-1]."""
PAYS_AFTER = 8
"""Passes after which the layout of one kind of lists has paid, with a margin, if the table gathered from
exceeds the cache. If it fits:"""
LAYOUT_MS, LAYOUT_NS, SAVED_NS, SAVED_NS_OF_PAIRS = 1.2, 0.013, 0.0024, 0.0011
"""The layout's fixed time and its time per entry; and the time per entry that a pass by degree saves when
it gathers numbers, or pairs of them [D-renumber-1] [D-renumber-2]."""
FASTEST = 0.345
"""The smallest ratio of an iteration's change to the one before in PageRank, if neighbors are scattered:
on R-MAT 13 iterations come down to 1e-6."""
_TILES, _TILE = 256, 4096
_SECTOR = 8
"""Words that a GPU fetches together."""
_SCATTERED = 0.5


def renumbering_pays(
    graph: Graph, table_bytes: int, passes: int, sides_apart: bool = False, saved_ns: float = SAVED_NS
) -> bool:
    """True if it pays to reorder the vertices for gathers from a table of this many bytes, this many
    times over all edges: on a GPU, if lists are uneven and neighbors scattered, and if there is room. A
    pass saves ``saved_ns`` per entry if the table fits the cache [D-renumber-1] [D-renumber-2]."""
    if not _is_on_gpu(graph) or graph.reverse is None:
        return False
    moved = [graph.reverse, graph.csr] if sides_apart and not graph.undirected else [graph.reverse]
    if table_bytes > cache_bytes():
        pays = passes >= PAYS_AFTER * len(moved)
    else:
        pays = 1e-6 * graph.m * (passes * saved_ns - len(moved) * LAYOUT_NS) > LAYOUT_MS
    return (
        pays
        and any(kind_of(lists) is Lists.UNEVEN for lists in moved)
        and memory_for(graph, sides_apart) < available_device_bytes()
        and all(scatter(lists) > _SCATTERED for lists in moved)
    )


def expected_iterations(most: int, tolerance: float, fastest: float = FASTEST) -> int:
    """The least number of iterations if neighbors are scattered, given ``--max-iterations`` and
    ``--tolerance``; ``fastest``: the smallest ratio of an iteration's change to the one before."""
    if not 0 < tolerance < 1:
        return most if tolerance == 0 else min(most, 1)
    return min(most, math.ceil(math.log(tolerance) / math.log(fastest)))


def pays_after(graph: Renumbered, iteration_ms: float, saved: tuple[float, float] = SAVED) -> int | None:
    """An upper bound on the number of iterations of this length that make up for the layout, predicted
    from savings measured elsewhere (``Variant.layout_saves``). None if not known, as on a CPU."""
    if not _is_on_gpu(graph) or iteration_ms <= 0:
        return None
    in_cache, beyond = saved
    share = beyond if 4 * graph.n > cache_bytes() else in_cache
    return math.ceil(graph.took_ms / (share * iteration_ms))


def _is_on_gpu(graph: Graph) -> bool:
    return graph.xp.__name__ == "cupy"


def scatter(lists: Csr) -> float:
    """The share of consecutive neighbors, out of some thousands, that are in separate places of memory.
    Near 1 if vertices are numbered at random, small if the neighbors in a list have close numbers; 0
    without neighbors."""
    xp, m = array_module(lists.column_indices), lists.m
    tile = min(_TILE, m)
    if tile == 0:
        return 0.0
    tiles = max(1, min(_TILES, m // tile))
    starts = (xp.arange(tiles, dtype=np.int64) * (m - tile)) // max(1, tiles - 1)
    places = lists.column_indices[starts[:, None] + xp.arange(tile)] // _SECTOR
    places.sort(axis=1)
    return float(((places[:, 1:] != places[:, :-1]).sum() + tiles) / (tiles * tile))
