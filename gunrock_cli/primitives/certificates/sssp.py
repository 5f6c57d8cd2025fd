"""The proof of distances and predecessors."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates.base import PROVED, Answer, Certificate
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs
from gunrock_cli.primitives.sssp.distances import with_infinity
from gunrock_cli.primitives.sssp.options import SsspOptions

UNREACHED = 2**31 - 1
"""The kernel's distance of unreached vertices for integers (kernels/math/distance.cuh)."""
FLOAT_SLACK = 1e-5
"""The share of a path's length that rounding may lose, which depends on the order of its sums."""


class SsspCertificate(Certificate):
    name = "sssp"
    needs = Needs(weights=True)
    conditions = MappingProxyType(
        {
            "DISTANCE": "a distance that no vertex can have",
            "SOURCE": "the source's distance is not 0",
            "SOONER": "an edge makes it closer than it is said to be",
            "UNEXPLAINED": "no path has the length of the distance",
            "PREDECESSOR": "the edge from the predecessor does not make the distance",
            "CIRCLE": "predecessors do not lead to the source",
        }
    )

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        xp, distances, values = graph.xp, outputs["distances"], graph.csr.values
        if values is None or distances.dtype != values.dtype:
            return None
        whole = distances.dtype == np.int32
        if whole:
            wrong = xp.equal(distances, UNREACHED)  # inside kernels only: outputs say -1
            distances = xp.where(xp.equal(distances, -1), np.int32(UNREACHED), distances)
            distances[wrong] = -1
        predecessors = outputs.get("predecessors")
        return {
            "distances": distances,
            "predecessors": predecessors,
            "explained": xp.zeros(graph.n, np.uint32),
            "flags": xp.zeros(3, np.uint32),
            "ancestors": None if predecessors is None else xp.empty(graph.n, np.int32),
            "source": source,
            "slack": 0.0 if whole else FLOAT_SLACK,
        }

    def agrees(self, options: SsspOptions, outputs: Outputs, proved: Outputs) -> Validation | None:
        found, ours = (np.asarray(each["distances"]) for each in (outputs, proved))
        if ours.dtype.kind == "f":
            return None  # the last bits depend on which sum came first
        return Validation.of_vertices(PROVED, "distances", with_infinity(found), with_infinity(ours))


CERTIFICATE = SsspCertificate()
