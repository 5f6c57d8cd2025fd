"""Resolves the options of a search: ``auto`` is chosen, contradictions are refused."""

from __future__ import annotations

from typing import Literal

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.operators.advance_ahead import levels_ahead
from gunrock_cli.operators.culling import BY_GRID, chosen_heuristics
from gunrock_cli.operators.lists import has_many_levels
from gunrock_cli.primitives.bfs.options import (
    AUTO,
    BEAMER_ALPHA,
    BEAMER_BETA,
    COST,
    BfsChosen,
    BfsOptions,
)

Direction = Literal["push", "pull", "optimized"]
Switches = tuple[float | Literal["cost"], float | Literal["cost"]]


def choose(graph: Graph, asked: BfsOptions, alone: bool) -> BfsChosen:
    """The options of a run on this graph; ``alone`` is False on one of several devices, where no second
    kernel can take over."""
    if not alone:
        _check_several(asked)
    direction = _direction(asked)
    cull = _culling(asked)
    able = not asked.idempotence and asked.fused and asked.filters_inside
    relay = (
        alone
        and able
        and asked.run_ahead == AUTO
        and (direction == "push" or (asked.alpha, asked.beta) in ((AUTO, AUTO), (COST, COST)))
    )
    alpha, beta = _switches(graph, asked, relay)
    if direction == "optimized" and alpha == 0:
        direction = "push"  # it would never switch, and this code is smaller
    either = direction == "push" or (direction == "optimized" and relay)
    never_switches = relay or alpha == 0 or (alpha, beta) == _parameters(graph, AUTO, AUTO, False)
    run_ahead = levels_ahead(
        asked.run_ahead,
        graph,
        able and either and never_switches,
        "--direction push, --no-idempotence, --strategy fused, --fusion on, and no --alpha or --beta",
        relay,
    )
    return BfsChosen.resolved(
        asked, direction=direction, alpha=alpha, beta=beta, run_ahead=run_ahead, cull=cull
    )


def choose_updating(asked: BfsOptions) -> BfsChosen:
    """The options of a run that goes on from an earlier answer."""
    return BfsChosen.resolved(asked, direction="push", run_ahead=1, alpha=0.0, beta=BEAMER_BETA)


def _check_several(asked: BfsOptions) -> None:
    """Refuse what only one device can do."""
    if asked.idempotence:
        raise UsageError("--idempotence is for one device; on several each vertex is claimed once")
    if not (asked.fused and asked.filters_inside):
        raise UsageError("--strategy and --fusion off are for one device; several run the fused advance")


def _direction(asked: BfsOptions) -> Direction:
    """The direction; refuse one that the strategy does not have."""
    direction, strategy = _either_spelling(asked), asked.strategy
    if direction == "auto":
        direction = "optimized" if asked.fused else "push"
    if not asked.fused and direction != "push":
        raise UsageError(f"--strategy {strategy} pushes; leave out --direction {direction}")
    if not asked.fused and not asked.filters_inside:
        raise UsageError(
            f"--fusion off is for --strategy fused, not {strategy}; two-phase is "
            "Merrill's way to filter in a step of its own"
        )
    if strategy == "quadratic" and asked.idempotence:
        raise UsageError(
            "--idempotence is for searches with queues; --strategy quadratic has none, and "
            "visits by plain stores without it"
        )
    if asked.hybrid_threshold != AUTO and strategy != "hybrid":
        raise UsageError(
            f"--hybrid-threshold {asked.hybrid_threshold} is for --strategy hybrid, not {strategy}"
        )
    return direction


def _either_spelling(asked: BfsOptions) -> Direction | Literal["auto"]:
    flag = asked.direction_optimized
    if flag is None:
        return asked.direction
    wanted: Direction = "optimized" if flag else "push"
    if asked.direction not in ("auto", "optimized", wanted):
        raise UsageError(
            f"--direction {asked.direction} contradicts "
            f"--{'' if flag else 'no-'}direction-optimized; give one of them"
        )
    return wanted


def _culling(asked: BfsOptions) -> str:
    """The tests that drop duplicates. If there are none, auto's value is still accepted, as records hold
    it."""
    text = chosen_heuristics(asked.cull)
    if text != BY_GRID and not asked.idempotence:
        raise UsageError(
            f"--cull {asked.cull} needs --idempotence: an exact search queues no vertex twice"
        )
    return text


def _switches(graph: Graph, asked: BfsOptions, relay: bool) -> Switches:
    """When to pull, and when to push again. (The parameters are accepted with one direction, as all
    directions are compared under one alpha; Merrill's strategies never switch.)"""
    chosen = _parameters(graph, asked.alpha, asked.beta, relay)
    if not asked.fused and chosen != _parameters(graph, AUTO, AUTO, relay):
        both = {"alpha": asked.alpha, "beta": asked.beta}
        given = " and ".join(f"--{name} {value}" for name, value in both.items() if value != AUTO)
        raise UsageError(f"{given}: for --strategy fused, not {asked.strategy}, which never pulls")
    return chosen


def _parameters(graph: Graph, alpha: float | str, beta: float | str, relay: bool) -> Switches:
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
    return "cost", "cost"
