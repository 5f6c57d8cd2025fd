"""The proof of distances, of some sources."""

from __future__ import annotations

from typing import Any

from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.primitives.certificates.base import Answer
from gunrock_cli.primitives.certificates.hops import HopsCertificate
from gunrock_cli.primitives.distances import searched_from, wrong_at


class DistancesCertificate(HopsCertificate):
    name = "distances"

    def vertices(self, graph: Graph, options: Any) -> Any:
        return searched_from(graph, options)

    def wrong_at(self, graph: Graph, options: Any, outputs: Answer, place: int, hops: Array) -> str:
        if options.within is not None:
            hops[hops > options.within] = -1
        return wrong_at(outputs, place, hops)


CERTIFICATE = DistancesCertificate()
