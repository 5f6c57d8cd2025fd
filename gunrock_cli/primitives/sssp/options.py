"""The options of shortest paths: as asked, and as a run takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gunrock_cli.operators.advance_ahead import AS_SEEN
from gunrock_cli.primitives.options import Options, option

IN_STEP = {"run_ahead": "off", "direction": "push"}
"""The baseline of the papers' options: a barrier per step, and all edges of a vertex at once."""

RunAhead = Literal["auto", "on", "off"]


@dataclass(frozen=True)
class SsspOptions(Options):
    """The options as asked."""

    priority_queue: bool | None = option(
        None,
        "Near and far slices by distance (delta-stepping), instead of all at once "
        "(Bellman-Ford). Unless given: slices, but all at once on a GPU if the mean degree is up to "
        "2, or with hubs (longest >= 8 x mean) and below 2^23 edges where --direction is not optimized, "
        "and no --delta, --delta-factor or --run-ahead on asks for slices.",
        define="GR_PRIORITY_QUEUE",
        compares=(False, True),
        under=IN_STEP,
        expert=True,
    )
    delta: float | Literal["auto"] = option(
        "auto",
        "Width of the near slice, a distance. auto: mean weight / mean degree "
        "(Davidson) x 8 where degrees differ much or --run-ahead is auto, on a GPU x 64 there "
        "after a --bound; x 32 where blocks run ahead (x 16 where the mean exceeds 8, x 8 on a "
        "CPU), else on mesh-like degrees x 16 on a CPU, and x 1024 / mean degree on a GPU.",
        minimum=0.0,
        min_open=True,
    )
    delta_factor: float = option(
        1.0, "Multiplies the automatic delta.", minimum=0.0, min_open=True, expert=True
    )
    direction: Literal["auto", "push", "optimized"] = option(
        "auto",
        "push: settled vertices relax all their edges. optimized: what is within --bound of "
        "the first hub is settled first, and no longer edges are followed; then the vertices left "
        "over look back over their in-edges, where those are fewer (Chakaravarthy et al.). Needs "
        "the priority queue and fusion. auto: optimized on undirected graphs with hubs (longest "
        ">= 8 x mean), on a GPU if they have 2^20 edges, a mean degree above 8, and most vertices are "
        "next to a neighbour of the longest list's.",
        under={"run_ahead": "off"},
        expert=True,
    )
    bound: float | Literal["auto"] | None = option(
        "auto",
        "With --direction optimized: the distance from the first hub within which vertices "
        "are settled first, and half as far again each time that more edges are left over. auto: "
        "mean weight / mean degree x 6 (x 3 on a CPU) or, if that is more, 2 to 5 times the least "
        "weight: 2 where weights are nearly equal.",
        minimum=0.0,
        min_open=True,
        expert=True,
    )
    mark_pred: bool = option(
        False,
        "Also find each vertex's predecessor on a shortest path.",
        define="GR_MARK_PRED",
        changes_answer=True,
    )
    redundancy: Literal["queue-id", "bitmap", "none"] = option(
        "queue-id",
        "How to queue a vertex once a step: by the number of the step that queued it, "
        "by a bitmap, or not at all.",
        define="GR_REDUNDANCY",
        constants=("QUEUE_ID", "BITMAP", "ALLOW"),
        under=IN_STEP,
        expert=True,
    )
    fusion: Literal["on", "off"] = option(
        "on",
        "Whether the filter is in the advance (on), or a step of its own after it (off).",
        define="GR_FUSION",
        constants=("1", "0"),
        under=IN_STEP,
        expert=True,
    )
    run_ahead: RunAhead = option(
        "auto",
        "Whether a block runs ahead by itself below the threshold instead of waiting for a "
        "barrier per level. Needs the priority queue, queue-id, fusion and no predecessors. auto: "
        "begin in step, and run ahead once frontiers stay small; on several devices, or where "
        "slices are asked for, from the beginning on mesh-like degrees (longest < 8 x mean).",
        expert=True,
    )

    @property
    def exact(self) -> bool:
        """True if a vertex is queued once per step, in the step of the advance."""
        return self.redundancy == "queue-id" and self.fusion == "on"

    @property
    def runs_ahead(self) -> bool:
        """True if blocks run ahead from the beginning."""
        return self.run_ahead == "on"

    @property
    def bounded(self) -> bool:
        """True if vertices within a bound are settled first."""
        return self.direction == "optimized"


@dataclass(frozen=True, kw_only=True)
class SsspChosen(SsspOptions):
    """The options that a run takes. ``run_ahead`` is "auto" if the search begins in step and may be left
    to blocks that run ahead; ``bound`` may be None."""

    priority_queue: bool
    delta: float
    direction: Literal["push", "optimized"]
    bound: float | None

    @property
    def may_leave(self) -> bool:
        """True if the search begins in step, and may be left to blocks that run ahead."""
        return self.run_ahead == AS_SEEN
