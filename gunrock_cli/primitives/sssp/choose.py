"""Resolves the options of shortest paths: ``auto`` is chosen, contradictions are refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.operators.advance_ahead import AS_SEEN, has_lists_for_blocks
from gunrock_cli.operators.lists import has_no_hubs, is_around_hub
from gunrock_cli.primitives.edge_weights import check_weights
from gunrock_cli.primitives.sssp.options import RunAhead, SsspChosen, SsspOptions
from gunrock_cli.primitives.sssp.widths import (
    BOUNDED_EDGES,
    PUSHED_EDGES,
    auto_bound,
    auto_delta,
    in_range,
)

Direction = Literal["push", "optimized"]

TREE = 2
"""Entries for each vertex up to which a graph is taken for a tree or little more."""


def choose(graph: Graph, asked: SsspOptions, alone: bool) -> SsspChosen:
    """The options of a run on this graph; ``alone`` is False on one of several devices, where no second
    kernel can take over."""
    if not alone:
        asked = _for_several(asked)
    check_weights(graph, "shortest paths need weights that are not negative")
    run_ahead = _run_ahead(graph, asked, alone)
    sliced = asked.priority_queue
    if sliced is None:
        sliced = _asks_for_slices(asked, run_ahead) or not _all_at_once_pays(graph, run_ahead)
    direction = _direction(graph, asked, run_ahead, sliced)
    return SsspChosen.resolved(
        asked,
        run_ahead=run_ahead,
        priority_queue=sliced,
        direction=direction,
        delta=_delta(graph, asked, run_ahead, direction, sliced),
        bound=_bound(graph, asked, direction),
    )


def choose_updating(graph: Graph, asked: SsspOptions) -> SsspChosen:
    """The options of a run that goes on from an earlier answer."""
    check_weights(graph, "shortest paths need weights that are not negative")
    return SsspChosen.resolved(
        asked,
        run_ahead="off",
        priority_queue=True,
        direction="push",
        delta=in_range(graph, auto_delta(graph)),
        bound=None,
    )


def _for_several(asked: SsspOptions) -> SsspOptions:
    """The options on several devices; refuse what only one can do."""
    if asked.redundancy != "queue-id":
        raise UsageError(f"--redundancy {asked.redundancy} is for one device; several use queue-id")
    if asked.fusion != "on":
        raise UsageError(f"--fusion {asked.fusion} is for one device; several use on")
    if not asked.mark_pred:
        return asked
    if asked.bounded:
        raise UsageError("--direction optimized with --mark-pred is for one device; several use push")
    return replace(asked, direction="push")


def _run_ahead(graph: Graph, asked: SsspOptions, alone: bool) -> RunAhead:
    exact = asked.exact and not asked.mark_pred
    able = exact and asked.priority_queue is not False
    if asked.runs_ahead and not able:
        raise UsageError(
            "--run-ahead on needs --priority-queue, --redundancy queue-id, --fusion on and --no-mark-pred"
        )
    if asked.run_ahead != "auto":
        return asked.run_ahead
    if exact and alone and has_lists_for_blocks(graph) and _is_left_open(graph, asked):
        return "auto"
    return "on" if able and not asked.bounded and has_no_hubs(graph) else "off"


def _is_left_open(graph: Graph, asked: SsspOptions) -> bool:
    """True if the options of slices are those that ``auto`` gives a search that may run ahead; a record
    holds them as numbers."""
    sliced = not _all_at_once_pays(graph, AS_SEEN)
    usual = _direction(graph, replace(asked, direction="auto"), AS_SEEN, sliced)
    direction = usual if asked.direction == "auto" else asked.direction
    width = in_range(graph, auto_delta(graph, AS_SEEN, direction == "optimized"))
    return (
        direction in ("push", usual)
        and not (sliced and asked.priority_queue is False)
        and asked.delta in ("auto", width)
        and asked.delta_factor == 1
    )


def _asks_for_slices(asked: SsspOptions, run_ahead: RunAhead) -> bool:
    """True if another option asks for slices, as it has no effect without them."""
    return run_ahead == "on" or asked.bounded or asked.delta != "auto" or asked.delta_factor != 1


def _all_at_once_pays(graph: Graph, run_ahead: str) -> bool:
    """True if slices would cost a GPU more than they save [D-delta-5]: where hardly any vertex can be
    reached in two ways, or, with hubs, where edges are so few that the number of steps is the cost."""
    if graph.xp is np:
        return False
    if run_ahead == AS_SEEN:
        return graph.m <= TREE * graph.n
    return not has_no_hubs(graph) and graph.m < PUSHED_EDGES and not _bound_pays(graph)


def _bound_pays(graph: Graph) -> bool:
    """True if a bound around the first hub leaves out most edges, and these take a GPU longer than the
    bound's own steps [D-bound-4]."""
    return graph.m >= BOUNDED_EDGES and is_around_hub(graph)


def _direction(graph: Graph, asked: SsspOptions, run_ahead: str, sliced: bool) -> Direction:
    able = sliced and asked.fusion == "on" and run_ahead != "on"
    if asked.bounded and not able:
        raise UsageError("--direction optimized needs --priority-queue, --fusion on and --run-ahead off")
    if asked.direction != "auto":
        return asked.direction
    if not able or not graph.undirected or run_ahead == AS_SEEN:
        return "push"
    pays = not has_no_hubs(graph) if graph.xp is np else _bound_pays(graph)
    return "optimized" if pays else "push"


def _delta(
    graph: Graph, asked: SsspOptions, run_ahead: RunAhead, direction: Direction, sliced: bool
) -> float:
    """The width of a slice; refuse one that would have no effect. (The automatic width may be given by
    its number, as records hold it.)"""
    factor = asked.delta_factor
    automatic = in_range(graph, factor * auto_delta(graph, run_ahead, direction == "optimized"))
    delta = automatic if isinstance(asked.delta, str) else in_range(graph, asked.delta)
    if not sliced and delta != automatic:
        raise UsageError(_without_slices(f"--delta {asked.delta}"))
    if not sliced and factor != 1:
        raise UsageError(_without_slices(f"--delta-factor {factor}"))
    if factor != 1 and delta != automatic:
        raise UsageError(
            f"--delta-factor {factor} multiplies the automatic delta; leave it out, or "
            f"--delta {asked.delta}"
        )
    return delta


def _without_slices(given: str) -> str:
    return f"{given} needs --priority-queue: without, there is no near slice"


def _bound(graph: Graph, asked: SsspOptions, direction: Direction) -> float | None:
    given = None if isinstance(asked.bound, str) else asked.bound
    if direction == "push":
        if given is not None:
            raise UsageError(f"--bound {given} needs --direction optimized")
        return None
    return in_range(graph, auto_bound(graph) if given is None else given)
