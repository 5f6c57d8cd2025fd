"""Resolves the options of betweenness centrality: ``auto`` is chosen, contradictions are refused."""

from __future__ import annotations

from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.operators.advance_ahead import AS_SEEN, levels_ahead
from gunrock_cli.primitives.bc.options import BcChosen, BcOptions
from gunrock_cli.primitives.edge_weights import check_weights


def choose(graph: Graph, asked: BcOptions, alone: bool) -> BcChosen:
    """The options of a run on this graph; ``alone`` is False on one of several devices, where no second
    kernel can take over."""
    if not alone:
        _check_several(asked)
    if asked.weighted:
        return _by_weight(graph, asked)
    if asked.by_edges:
        return _by_edges(graph, asked)
    if asked.switches_back and not asked.stored:
        raise UsageError("--backward optimized needs --frontiers stored")
    levels = levels_ahead(
        asked.run_ahead,
        graph,
        asked.stored and asked.backward in ("auto", "pull"),
        "--backward pull and --frontiers stored",
        alone and asked.backward == "auto",
    )
    backward = asked.backward
    if backward == "auto":
        backward = "optimized" if asked.stored and levels in (1, AS_SEEN) else "pull"
    return BcChosen.resolved(asked, run_ahead=levels, backward=backward)


def _check_several(asked: BcOptions) -> None:
    """Refuse what only one device can do."""
    if asked.weighted:
        raise UsageError("--weighted is for one device; leave it out, or --devices")
    if asked.by_edges:
        raise UsageError(f"--variant {asked.variant} is for one device; several use vertices")
    if not asked.stored:
        raise UsageError(f"--frontiers {asked.frontiers} is for one device; several use stored")
    if asked.pushes_back:
        raise UsageError("--backward push is for one device; several use pull or optimized")


def _by_weight(graph: Graph, asked: BcOptions) -> BcChosen:
    """Choose for paths by weight, which have one kernel."""
    others = {
        "variant": (asked.variant, "vertices"),
        "backward": (asked.backward, "pull"),
        "frontiers": (asked.frontiers, "stored"),
        "run-ahead": (asked.run_ahead, 1),
    }
    for name, (given, only) in others.items():
        if given not in ("auto", only):
            raise UsageError(f"--{name} {given} does not go with --weighted; leave one of them out")
    check_weights(graph, "shortest paths need weights that are not negative")
    values = graph.csr.values
    if graph.m and bool((values == 0).any()):  # type: ignore[union-attr]
        raise InputError(
            f"{graph.name}: some weights are 0, and the paths of bc --weighted need weights above 0"
        )
    return BcChosen.resolved(asked, run_ahead=1, backward="pull")


def _by_edges(graph: Graph, asked: BcOptions) -> BcChosen:
    """Choose for frontiers of edges, which go one way only."""
    if asked.backward not in ("auto", "pull"):
        raise UsageError(f"--backward {asked.backward} needs --variant vertices")
    if not asked.stored:
        raise UsageError(f"--frontiers {asked.frontiers} needs --variant vertices")
    levels = levels_ahead(asked.run_ahead, graph, False, "--variant vertices")
    return BcChosen.resolved(asked, run_ahead=levels, backward="pull")
