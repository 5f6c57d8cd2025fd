"""Resolves the options of PageRank."""

from __future__ import annotations

import math

import numpy as np

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.pagerank.options import PageRankChosen, PageRankOptions
from gunrock_cli.primitives.passing import order_of_weighted
from gunrock_cli.primitives.renumbering import expected_iterations, order_of, renumbering_pays


def choose(graph: Graph, asked: PageRankOptions, alone: bool) -> PageRankChosen:
    """The options of a run on this graph; ``alone`` is False on one of several devices."""
    if asked.pushes and not alone:
        given = "--push" if asked.push else "--filter-converged"
        raise UsageError(f"{given} is for one device; several gather")
    if asked.weighted:
        return _weighted(graph, asked, alone)
    scatters_by = "--push and --filter-converged" if asked.pushes else ""
    order = order_of(asked.order, lambda: pays(graph, asked), scatters_by)
    return PageRankChosen.resolved(asked, push=asked.pushes, order=order)


def choose_updating(graph: Graph, asked: PageRankOptions) -> PageRankChosen:
    """The options of a run that goes on from earlier ranks. Unless another is given, the limit of
    iterations is as high as any start may need: of even ranks little is left to smooth out on many
    graphs, whereas a change may fade by no more than the damping."""
    if asked.weighted:
        order_of_weighted(graph, asked.order)
    limit = asked.max_iterations
    if limit == PageRankOptions.max_iterations and 0 < asked.tolerance < 2 and asked.damping > 0:
        limit = max(limit, math.ceil(math.log(asked.tolerance / 2, asked.damping)))
    return PageRankChosen.resolved(asked, push=False, order="graph", max_iterations=limit)


def _weighted(graph: Graph, asked: PageRankOptions, alone: bool) -> PageRankChosen:
    if not alone:
        raise UsageError("--weighted is for one device; leave it out, or --devices")
    if asked.pushes:
        given = "--push" if asked.push else "--filter-converged"
        raise UsageError(f"--weighted is for gathering; leave out {given}")
    return PageRankChosen.resolved(asked, order=order_of_weighted(graph, asked.order))


def pays(graph: Graph, asked: PageRankOptions) -> bool:
    """True if gathering by degree makes up for laying out the graph again."""
    table = graph.n * np.dtype(asked.precision).itemsize
    return renumbering_pays(graph, table, expected_iterations(asked.max_iterations, asked.tolerance))
