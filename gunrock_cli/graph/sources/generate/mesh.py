"""The 5-point lattice in which some vertices lost their edges, and hubs, numbered last, that know many of
its vertices."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.sources.generate.lattice import lattice_edges
from gunrock_cli.graph.sources.generate.spokes import spokes


def edges(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    lattice = lattice_edges(xp, (params["height"], params["width"]))
    n = lattice.n + params["hubs"]
    hubs = xp.arange(lattice.n, n, dtype=xp.int32)
    more = spokes(xp, hubs, params["hub_degree"], lattice.n, params["seed"])
    src, dst = xp.concatenate((lattice.src, more[0])), xp.concatenate((lattice.dst, more[1]))
    if params["holes"] > 0:
        word = rng.words(xp, 0, n, params["seed"], 1)
        hole = rng.bernoulli(xp, word, params["holes"])
        hole[lattice.n :] = False
        kept = ~(hole[src] | hole[dst])
        src, dst = src[kept], dst[kept]
    return EdgeList(n, src, dst, symmetric=True)
