"""The proof of distances, of some sources."""

from __future__ import annotations

from typing import Any

from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.primitives.certificates.base import Answer
from gunrock_cli.primitives.certificates.hops import HopsCertificate
from gunrock_cli.primitives.distances import DistancesOptions, searched_from, within, wrong_at


class DistancesCertificate(HopsCertificate):
    name = "distances"

    def vertices(self, graph: Graph, options: DistancesOptions) -> Any:
        return searched_from(graph, options)

    def by_weight(self, options: DistancesOptions) -> bool:
        return options.weighted

    def wrong_at(
        self,
        graph: Graph,
        options: DistancesOptions,
        outputs: Answer,
        place: int,
        vertex: int,
        found: Array,
    ) -> str:
        return wrong_at(outputs, place, vertex, within(found, options.within))


CERTIFICATE = DistancesCertificate()
