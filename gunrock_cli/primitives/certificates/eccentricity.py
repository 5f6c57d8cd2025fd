"""The proof of eccentricities, of some vertices."""

from __future__ import annotations

from typing import Any

from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.primitives.certificates.base import Answer
from gunrock_cli.primitives.certificates.hops import HopsCertificate
from gunrock_cli.primitives.eccentricity import wrong_at


class EccentricityCertificate(HopsCertificate):
    name = "eccentricity"

    def wrong_at(
        self, graph: Graph, options: Any, outputs: Answer, place: int, vertex: int, found: Array
    ) -> str:
        return wrong_at(outputs, place, found)


CERTIFICATE = EccentricityCertificate()
