"""The ways to rank: each is a kernel of ``kernels/primitives/ppr``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.gather_all import gather_shape, kinds_of_lists
from gunrock_cli.operators.gather_rows import ROW, suits_octets
from gunrock_cli.operators.launch_shapes import GATHER, ROWS, WHOLE_GRAPH
from gunrock_cli.operators.pick import alias_table
from gunrock_cli.primitives.passing import Passing, weighted_macro
from gunrock_cli.primitives.ppr.options import PprChosen, seeds_of
from gunrock_cli.primitives.ppr.walks import PICKS, STARTS, STOPS
from gunrock_cli.primitives.renumbering import SAVED, Renumbered, hot_macro, numbers_of
from gunrock_cli.primitives.seeds import begin_at, bitmap_words, seed_bitmap
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant


def ranking_of(graph: Graph, chosen: PprChosen) -> Ranking:
    """The variant that these options name."""
    if not chosen.gathers:
        return (Push if chosen.pushes else Walks)(graph, chosen)
    return (Batch if chosen.batch else Power)(graph, chosen)


class Ranking(Variant[PprChosen]):
    """The base of all variants: seeds, and where ranks are found."""

    def seed_rows(self, source: int) -> Array:
        """The rows of the graph at which a run begins."""
        graph = self.graph
        return numbers_of(graph, graph.xp.asarray(seeds_of(self.options, source), np.int32))

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {"ranks": problem["ranks"]}


class Iterated(Ranking):
    """Power iteration, gathered over in-edges."""

    @property
    def advance(self) -> Advance:
        return Advance.NONE

    @property
    def renumbers(self) -> bool:
        return self.options.by_degree

    def iterated(self, columns: int, rows: int) -> Mapping[str, Member]:
        """The members of either kernel, for this many ranks per vertex and rows of values passed on."""
        graph, chosen = self.graph, self.options
        return {
            "ranks": Room(graph.n * columns, chosen.precision),
            "shares": Room(2 * rows * columns, chosen.precision, filled=0),
            "totals": Room(6 * columns, np.float64, filled=0),
            "long_lists": Room(graph.n, np.int32),
            "long_counts": Room(2, np.int32, filled=0),
            "damping": chosen.damping,
            "tolerance": chosen.tolerance,
            "max_iterations": chosen.max_iterations,
            "order": graph.order if isinstance(graph, Renumbered) else None,
        }


class Power(Iterated):
    """Ranks of one set of seeds."""

    kernel = "ppr/power"

    @property
    def launch(self) -> Tuning:
        return gather_shape(self.graph)

    @property
    def layout_saves(self) -> tuple[float, float]:
        return SAVED

    @cached_property
    def passing(self) -> Passing:
        """How vertices pass their ranks on."""
        return Passing.of(self.graph, self.options.weighted, self.options.precision)

    @property
    def defines(self) -> Macros:
        return {
            "GR_LISTS": kinds_of_lists(self.graph).value,
            **hot_macro(self.graph, self.renumbers),
            **weighted_macro(self.options.weighted),
        }

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {
            **self.iterated(1, n),
            "seed_bits": Room(bitmap_words(n), np.uint32),
            "seed_weight": 1.0,
            "restarts": None,
            "stuck": None,
            **self.passing.members(),
        }

    def start(self, problem: Problem, source: int) -> None:
        begin_at(problem, self.graph, self.seed_rows(source), self.passing.shares)


class Batch(Iterated):
    """A row of ranks for each vertex, one rank per seed."""

    kernel = "ppr/batch"

    @property
    def launch(self) -> Tuning:
        return ROWS if suits_octets(self.graph) else GATHER

    @property
    def defines(self) -> Macros:
        return {"GR_ROWS_BY_OCTETS": int(suits_octets(self.graph))}

    @property
    def constants(self) -> Mapping[str, int]:
        return {"ROW": ROW}

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {
            **self.iterated(ROW, n + 1),
            "seeds": Room(ROW, np.int32, filled=-1),
            "reached": Room(bitmap_words(n), np.uint32),
        }

    def start(self, problem: Problem, source: int) -> None:
        """Put all rank on the seeds, each in its own column; equal seeds do no harm."""
        graph, seeds = self.graph, self.seed_rows(source)
        degrees, columns = graph.csr.degrees()[seeds], graph.xp.arange(len(seeds))
        problem["seeds"][: len(seeds)] = seeds
        problem["reached"][...] = seed_bitmap(seeds, graph)
        places = (seeds.astype(np.int64) + 1) * ROW + columns
        problem["shares"][places] = 1 / graph.xp.maximum(degrees, 1)
        problem["totals"][ROW + columns] = degrees == 0

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {"ranks": problem["ranks"].reshape(self.graph.n, ROW)[:, : self.options.batch]}


class Push(Ranking):
    """Unsettled rank moves along out-edges, from a frontier of vertices that have much of it."""

    kernel = "ppr/push"

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {
            "ranks": Room(n, np.float64, filled=0),
            "residuals": Room(n, np.float64, filled=0),
            "passed": Room(n, np.float64),
            "lost": Room(1, np.float64, filled=0),
            "seeds": Room(n, np.int32),
            "seed_count": 0,
            "damping": self.options.damping,
            "epsilon": self.options.epsilon,
        }

    def start(self, problem: Problem, source: int) -> None:
        """Put all rank on the seeds, which are different."""
        seeds = self.seed_rows(source)
        problem["residuals"][seeds] = 1 / len(seeds)
        problem["seeds"][: len(seeds)] = seeds
        problem["seed_count"] = len(seeds)

    def outputs(self, problem: Problem) -> dict[str, Array]:
        kept = 1 - float(problem["lost"][0])  # rank returned by dangling vertices began as the rest did
        return {"ranks": (problem["ranks"] / kept).astype(self.options.precision)}


class Walks(Ranking):
    """Where walks end, of which a thread takes one after the other."""

    kernel = "ppr/walks"

    @property
    def advance(self) -> Advance:
        return Advance.NONE

    @property
    def launch(self) -> Tuning:
        return WHOLE_GRAPH

    @property
    def defines(self) -> Macros:
        return weighted_macro(self.options.weighted)

    def members(self) -> Mapping[str, Member]:
        chosen, n = self.options, self.graph.n
        keys = {"start_key": STARTS, "pick_key": PICKS, "stop_key": STOPS}
        assert chosen.walk_seed is not None
        return {
            "seeds": Room(n, np.int32),
            "seed_count": 0,
            "walks": chosen.walks,
            **{key: np.uint64(rng.stream_key(chosen.walk_seed, stream)) for key, stream in keys.items()},
            "damping": rng.threshold(chosen.damping),
            "table": alias_table(self.graph) if chosen.weighted else None,
            "ends": Room(n, np.uint32, filled=0),
        }

    def start(self, problem: Problem, source: int) -> None:
        seeds = self.seed_rows(source)
        problem["seeds"][: len(seeds)] = seeds
        problem["seed_count"] = len(seeds)

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {
            "ranks": (problem["ends"] / float(self.options.walks or 1)).astype(self.options.precision)
        }
