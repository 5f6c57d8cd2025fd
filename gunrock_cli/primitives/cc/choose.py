"""Resolves the options of connected components: ``auto`` is chosen, contradictions are refused."""

from __future__ import annotations

import numpy as np

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.change import Updated
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.operators.lists import has_many_levels, has_no_hubs, has_short_lists, is_around_hub
from gunrock_cli.primitives.cc.options import CcChosen, CcOptions
from gunrock_cli.primitives.going_on import gains_on

FEW_MINIMA = 0.05
"""If a smaller share of vertices has no smaller neighbor, grafting by ids leaves little to do, as on
lattices and on graphs whose ids follow a curve through space."""
FEW_EDGES = 1 << 22
"""One pass through this many entries, even of long lists, is as fast as sampling a mesh [D-cc-10]."""
HOOK_JUMP_EDGES = 2**31 - 1
"""Items that a frontier can hold."""


def choose(graph: Graph, asked: CcOptions, alone: bool) -> CcChosen:
    """The options of a run on this graph; ``alone`` is False on one of several devices."""
    if not alone and asked.hooks:
        raise UsageError(f"--variant {asked.variant} is for one device; use afforest")
    if asked.hooks:
        return _hook_jump(graph, asked)
    # Cores are too few to make long paths of a mesh, and they need samples [D-cc-5].
    mesh = graph.xp is not np and makes_paths(graph)
    linking, sampling = asked.linking, asked.sampling
    if linking is None or linking == "auto":
        linking = "random" if mesh else "id"
    if sampling is None or sampling == "auto":
        sampling = "off" if mesh else "hub" if linking == "id" and is_around_hub(graph) else "on"
    if sampling == "hub" and (linking == "random" or not graph.undirected):
        raise UsageError("--sampling hub needs links by id and an undirected graph; use --sampling on")
    return CcChosen.resolved(asked, linking=linking, sampling=sampling)


def choose_updating(asked: CcOptions) -> CcChosen:
    """The options of a run that goes on from an earlier answer."""
    return CcChosen.resolved(asked, linking="id", sampling="off")


def pays(graph: Updated) -> bool:
    """True unless a GPU's graph lost edges, or components that hold half of the vertices or more did, and
    no hub tells where they may be cut."""
    removed = graph.change.removed()
    if not gains_on(graph, removed):
        return False
    if not len(removed.src) or (graph.undirected and not has_no_hubs(graph)):
        return True
    xp, names = graph.xp, graph.before["components"]
    lost = xp.zeros(len(names), bool)
    lost[names[removed.src]] = True
    return 2 * int(lost[names].sum()) < graph.n


def _hook_jump(graph: Graph, asked: CcOptions) -> CcChosen:
    if graph.m > HOOK_JUMP_EDGES:
        raise UsageError(
            f"--variant hook-jump: {graph.m} edges do not fit a frontier of edges; use --variant afforest"
        )
    if asked.linking not in ("auto", None):
        raise UsageError(f"--linking {asked.linking} needs --variant afforest")
    if asked.sampling not in ("auto", None):
        raise UsageError(f"--sampling {asked.sampling} needs --variant afforest")
    return CcChosen.resolved(asked, linking=None, sampling=None)


def makes_paths(graph: Graph) -> bool:
    """True if linking by vertex number would make long paths of a mesh, and a pass through all edges
    takes no longer than walking those paths."""
    few = has_short_lists(graph) or (has_many_levels(graph) and graph.m <= FEW_EDGES)
    return few and has_no_hubs(graph) and share_of_minima(graph) > FEW_MINIMA


def share_of_minima(graph: Graph) -> float:
    """The share of vertices without a smaller neighbor, among those with neighbors. Grafting leaves them
    as roots."""
    csr = graph.csr.sample()
    if csr.m == 0:
        return 0.0
    rows, columns = csr.row_offsets, csr.column_indices
    some = rows[1:] > rows[:-1]
    first = columns[graph.xp.minimum(rows[:-1], csr.m - 1)]  # the smallest: lists are sorted
    minima = some & (first >= graph.xp.arange(csr.first, csr.first + csr.n))
    return float(minima.sum() / some.sum())
