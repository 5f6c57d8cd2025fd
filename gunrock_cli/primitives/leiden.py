"""Communities of high modularity that are connected: Leiden's levels of parts that only grow (Traag,
Waltman and van Eck, 2019), on Louvain's kernel."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.edge_weights import check_weights
from gunrock_cli.primitives.louvain import Louvain, LouvainOptions, Moving
from gunrock_cli.primitives.options import option
from gunrock_cli.primitives.qualities import Scale
from gunrock_cli.primitives.shown import Outputs
from gunrock_cli.primitives.variant import Macros


@dataclass(frozen=True)
class LeidenOptions(LouvainOptions):
    """The options of a search for connected communities."""

    refine: int = option(
        0,
        "Go through the levels again, so many times at most, as long as quality rises.",
        minimum=0,
        maximum=100,
        limit=2,
    )


class GrowingParts(Moving):
    """Communities are split into connected parts, which are the next level's vertices."""

    @property
    def defines(self) -> Macros:
        return {**super().defines, "GR_REFINES": 1, "GR_LEIDEN": 1}


class Leiden(Louvain):
    name = "leiden"
    summary = "Connected communities of high modularity: Leiden's levels of growing parts."
    takes = LeidenOptions

    def plan(self, graph: Graph, asked: LouvainOptions) -> GrowingParts:
        if graph.weighted:
            check_weights(graph, "communities need weights that are not negative")
        scale = Scale.of(graph, asked.resolution, asked.quality)
        return GrowingParts(graph, replace(asked, resolution=scale.ratio / 2**scale.shift))

    def validate(
        self, graph: Graph, options: LouvainOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        """Check what is checked of Louvain's communities, and that each is connected."""
        found = super().validate(graph, options, source, outputs)
        apart = disconnected(graph, outputs["communities"]) if found.verdict == "pass" else -1
        if apart < 0:
            return found
        return Validation("fail", "scipy", f"community {apart} is not connected")


def disconnected(graph: Graph, labels: np.ndarray[tuple[int], np.dtype[np.int32]]) -> int:
    """The first community that edges within it do not connect, by SciPy; -1 if there is none."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    tails, heads = graph.csr.sources(), graph.csr.column_indices
    within = labels[tails] == labels[heads]
    ones = np.ones(int(within.sum()), np.int8)
    inner = csr_array((ones, (tails[within], heads[within])), shape=(graph.n, graph.n))
    _, parts = connected_components(inner, directed=False)
    pairs = np.unique(np.column_stack((labels, parts)), axis=0)
    again = np.flatnonzero(np.diff(pairs[:, 0]) == 0)
    return int(pairs[again[0], 0]) if len(again) else -1


PRIMITIVE = Leiden()
