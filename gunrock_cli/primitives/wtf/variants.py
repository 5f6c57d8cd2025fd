"""The ways to recommend: each is a kernel of ``kernels/primitives/wtf``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.gather_all import kinds_of_lists
from gunrock_cli.operators.gather_rows import ROW
from gunrock_cli.operators.launch_shapes import GATHER
from gunrock_cli.operators.select import HISTOGRAM_WORDS, ROW_HISTOGRAM_WORDS, ROW_STATE_WORDS
from gunrock_cli.primitives.seeds import begin_at, bitmap_words
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant
from gunrock_cli.primitives.wtf.options import WtfOptions
from gunrock_cli.primitives.wtf.rows import batch_outputs

PHASES = ("ppr", "circle", "salsa", "recommend")
"""The phases of a run, in order."""


class Recommending(Variant[WtfOptions]):
    """The base of both variants: settings, and a clock of the phases."""

    @property
    def launch(self) -> Tuning | None:
        return GATHER

    def members(self) -> Mapping[str, Member]:
        return {
            "damping": self.options.damping,
            "tolerance": self.options.tolerance,
            "max_iterations": self.options.max_iterations,
            "circle_size": self.options.circle,
            "salsa_iterations": self.options.salsa_iterations,
            "wanted": self.options.recommendations,
        }

    def phases(self, problem: Problem) -> dict[str, Array]:
        """The time of each phase."""
        clock = problem["clock"].astype(np.int64).reshape(-1, len(PHASES) + 1)
        return {"phases_ms": (clock[:, 1:] - clock[:, :-1]).sum(axis=0) / 1e6}


class Pipeline(Recommending):
    """Recommendations for one user."""

    kernel = "wtf/pipeline"

    @property
    def defines(self) -> Macros:
        return {"GR_LISTS": kinds_of_lists(self.graph).value}

    @property
    def constants(self) -> Mapping[str, int]:
        return {"HISTOGRAM_WORDS": HISTOGRAM_WORDS}

    def members(self) -> Mapping[str, Member]:
        n, chosen = self.graph.n, self.options
        return {
            **super().members(),
            "scores": Room(n, np.float32, filled=0),
            "recommendations": Room(chosen.recommendations, np.int32, filled=-1),
            "circle": Room(chosen.circle, np.int32, filled=-1),
            "clock": Room(len(PHASES) + 1, np.uint64),
            "ranks": Room(n, np.float32),
            "shares": Room(2 * n, np.float32, filled=0),
            "totals": Room(6, np.float64, filled=0),
            "seed_bits": Room(bitmap_words(n), np.uint32),
            "seed_weight": 1.0,
            "long_lists": Room(n, np.int32),
            "long_counts": Room(2, np.int32, filled=0),
            "followers": Room(n, np.int32, filled=0),
            "authorities": Room(n, np.int32),
            "sums": Room(2 * n, np.uint64, filled=0),
            "passed": Room(n, np.float64),
            "counts": Room(5, np.int64, filled=0),
            "histograms": Room(2 * HISTOGRAM_WORDS, np.uint32, filled=0),
            "user": 0,
        }

    def start(self, problem: Problem, source: int) -> None:
        problem["user"] = source
        begin_at(problem, self.graph, self.graph.xp.asarray([source], np.int32), self.graph.csr.degrees())

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {
            "scores": problem["scores"],
            "recommendations": problem["recommendations"],
            "circle": problem["circle"],
            **self.phases(problem),
        }


class Batch(Recommending):
    """Recommendations for many users at once, in groups of ``ROW``; the kernel clears each group's arrays
    for the next."""

    kernel = "wtf/batch"

    @property
    def advance(self) -> Advance:
        return Advance.NONE

    @property
    def constants(self) -> Mapping[str, int]:
        return {
            "ROW": ROW,
            "ROW_HISTOGRAM_WORDS": ROW_HISTOGRAM_WORDS,
            "ROW_STATE_WORDS": ROW_STATE_WORDS,
        }

    @property
    def groups(self) -> int:
        """The number of groups, of which the last may not be full."""
        return -(-len(self.options.users_of_batch) // ROW)

    def members(self) -> Mapping[str, Member]:
        return {**super().members(), **self._answer(), **self._ranks(), **self._salsa(), **self._best()}

    def _answer(self) -> Mapping[str, Member]:
        wanted, users = self.options.recommendations, self.groups * ROW
        return {
            "recommendations": Room(users * wanted, np.int32, filled=-1),
            "scores": Room(users * wanted, np.float32),
            "circle": Room(users * self.options.circle, np.int32, filled=-1),
            "clock": Room(self.groups * (len(PHASES) + 1), np.uint64),
            "users": Room(users, np.int32),
            "groups": self.groups,
        }

    def _ranks(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {
            "shares": Room(2 * (n + 1) * ROW, np.float32),
            "totals": Room(6 * ROW, np.float64),
            "long_in_lists": Room(n, np.int32),
            "long_in_count": Room(1, np.int32, filled=0),
            "long_out_lists": Room(n, np.int32),
            "long_out_count": Room(1, np.int32, filled=0),
        }

    def _salsa(self) -> Mapping[str, Member]:
        n, rows = self.graph.n, self.graph.n * ROW
        return {
            "marks": Room(n, np.uint64),
            "reached": Room(n, np.uint32),
            "followers": Room(rows, np.uint32),
            "passed": Room(rows, np.uint64),
            "returned": Room(rows, np.float64),
            "authority_scores": Room(rows, np.float32),
            "hubs": Room(ROW, np.int32),
        }

    def _best(self) -> Mapping[str, Member]:
        room = max(self.options.circle, self.options.recommendations)
        return {
            "histograms": Room(2 * ROW_HISTOGRAM_WORDS, np.uint32),
            "prefixes": Room(ROW_STATE_WORDS, np.uint64),
            "left": Room(ROW_STATE_WORDS, np.int64),
            "picks": Room(ROW * room, np.int32),
            "pick_values": Room(ROW * room, np.float32),
            "pick_counts": Room(2 * ROW, np.int32),
            "room": room,
        }

    def allocate(self, shared: Mapping[str, Any] | None = None) -> Problem:
        users = self.options.users_of_batch
        padded = np.full(self.groups * ROW, -1, np.int32)
        padded[: len(users)] = users
        return super().allocate({**(shared or {}), "users": self.graph.xp.asarray(padded)})

    def outputs(self, problem: Problem) -> dict[str, Array]:
        rows, users = len(problem["users"]), problem["users"][: self.options.batch]
        wanted = self.options.recommendations
        chosen, scores, circles = (
            problem[name].reshape(rows, size)[: len(users)]
            for name, size in (
                ("recommendations", wanted),
                ("scores", wanted),
                ("circle", self.options.circle),
            )
        )
        return {**batch_outputs(users, chosen, scores, circles), **self.phases(problem)}
