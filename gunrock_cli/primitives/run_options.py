"""The options of every run besides its primitive's own, each declared once: here.

The command line, records, sweeps and ``compare-modes`` read these declarations; ``compile`` hands the
values to the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from gunrock_cli.engine.program import LOOPS, RunSettings
from gunrock_cli.graph.parts.kinds import KINDS
from gunrock_cli.jsontypes import Scalar
from gunrock_cli.operators.advance import (
    ADVANCE_MODES,
    AUTO,
    BY_THRESHOLD,
    LB_THRESHOLD,
    SYNONYMS,
    Advance,
    mode_constant,
)
from gunrock_cli.primitives.option import Option


def _declared(option: Option) -> Any:
    return field(default=option.default, metadata={"option": option})


@dataclass(frozen=True)
class RunOptions:
    """The values of these options. ``max_steps`` and ``trace`` limit and watch a run, and ``settles``
    (see RunSettings) says how exact its time must be: no record holds these."""

    advance_mode: str | None = _declared(
        Option(
            "advance-mode",
            None,
            unset=AUTO,
            choices=ADVANCE_MODES,
            define="GR_ADVANCE_MODE",
            constants=tuple(map(mode_constant, ADVANCE_MODES)),
            panel="Workload mapping",
            compares=tuple(mode for mode in ADVANCE_MODES if mode not in SYNONYMS),
            help="Load balancing of advance: one thread per vertex (TM, or SERIAL), one warp "
            "(WARP), edge by "
            "edge of a block's vertices (SCAN), these and the block by the list's length (TWC: Merrill's "
            "scan+warp+CTA), equal chunks of edges (LB) or of vertices (LB_NODES), LB_NODES or LB by "
            "frontier size (AUTO), or TWC, LB_NODES or LB by the papers' rule (HYBRID). Given, all "
            "blocks keep step, as none that runs ahead advances.",
            expert=True,
        )
    )
    loop: str = _declared(
        Option(
            "loop",
            "device",
            choices=LOOPS,
            help="One persistent kernel, or one launch per operator.",
            expert=True,
        )
    )
    lb_threshold: int | None = _declared(
        Option(
            "lb-threshold",
            None,
            unset=LB_THRESHOLD,
            kind=int,
            minimum=0,
            help="AUTO, HYBRID: frontiers of fewer edges are balanced by vertices (the papers').",
            expert=True,
        )
    )
    queue_sizing: float | None = _declared(
        Option(
            "queue-sizing",
            None,
            kind=float,
            minimum=0.0,
            maximum=1024.0,
            help="The queues' first capacity, as a share of the vertices (of the edges where they hold "
            "edges). One that proves too small is grown and the run repeated; the record says how often. "
            "Default: the primitive's own, mostly 1.",
            expert=True,
        )
    )
    devices: str = _declared(
        Option(
            "devices",
            "auto",
            takes_list=True,
            help="GPUs that share a run: a count, numbers with commas (0,2), or all. Each has a part of "
            "the graph; on the cpu backend they are teams of threads, by a count. auto: one, or as many "
            "as it takes to hold the graph.",
        )
    )
    partition: str = _declared(
        Option(
            "partition",
            "auto",
            choices=KINDS,
            changes_answer=True,
            help="Which vertices each of several devices owns: ranges with equally many edges "
            "(contiguous), "
            "such ranges in the order of a search from one end of the graph (layered), every D-th "
            "vertex of "
            "D devices (striped), or random ones (random). auto: contiguous; on mesh-like degrees "
            "(longest "
            "< 8 x mean) of mean up to 24, where that cuts more than 1% of the edges, layered if it "
            "cuts at "
            "most a fourth of those.",
            expert=True,
        )
    )
    max_steps: int | None = None
    trace: bool = False
    settles: bool = True

    @property
    def settings(self) -> RunSettings:
        """The settings that the engine takes from them."""
        limit: dict[str, Any] = {} if self.max_steps is None else {"max_steps": self.max_steps}
        below = LB_THRESHOLD if self.lb_threshold is None else self.lb_threshold
        return RunSettings(
            loop=self.loop, lb_threshold=below, trace=self.trace, settles=self.settles, **limit
        )

    @property
    def several(self) -> bool:
        """True if more than one device is asked for (with ``all``: if there are more)."""
        return self.devices.strip().lower() not in ("auto", "1")

    def values(self, advance: Advance = Advance.BALANCED) -> dict[str, Scalar]:
        """The declared values by key, as a record stores them: options of several devices only if they
        apply, and null for options without effect on a run with this advance."""
        found = {option.key: self._value(option) for option in RUN_OPTIONS}
        if self.devices == "auto":
            del found["devices"], found["partition"]
        if advance is Advance.NONE:
            found["advance_mode"] = None
        if advance is not Advance.BALANCED or found["advance_mode"] not in BY_THRESHOLD:
            found["lb_threshold"] = None
        return found

    def _value(self, option: Option) -> Any:
        value = getattr(self, option.key)
        return option.unset if value is None else value

    @property
    def of_advance(self) -> dict[str, Scalar]:
        """Advance's own options that are given, by key."""
        given = {key: getattr(self, key) for key in ("advance_mode", "lb_threshold")}
        return {key: value for key, value in given.items() if value is not None}


RUN_OPTIONS: tuple[Option, ...] = tuple(
    each.metadata["option"] for each in fields(RunOptions) if "option" in each.metadata
)


def of_every_run(values: Mapping[str, Any]) -> dict[str, Any]:
    """The declared options among a command's values; a command offers those that have an effect."""
    return {option.key: values.get(option.key, option.default) for option in RUN_OPTIONS}
