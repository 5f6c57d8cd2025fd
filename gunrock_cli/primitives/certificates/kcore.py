"""The proof of core numbers."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates.base import PROVED, Answer, Certificate
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs


class KCoreCertificate(Certificate):
    name = "kcore"
    needs = Needs(undirected=True)
    conditions = MappingProxyType(
        {
            "ORDER": "a place in the order of vertices is taken twice, or by none",
            "FALL": "a core number is smaller than that of a vertex removed before",
            "FEW": "too few edges to vertices of no smaller core numbers",
            "MANY": "too many edges to vertices that were removed later",
        }
    )

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        if "places" not in outputs:  # a peer's answer
            return None
        xp, n = graph.xp, graph.n
        return {
            "cores": outputs["cores"],
            "places": outputs["places"],
            "order": xp.full(n, -1, np.int32),
            "inner": xp.zeros(n, np.uint32),
            "later": xp.zeros(n, np.uint32),
        }

    def agrees(self, options: Any, outputs: Outputs, proved: Outputs) -> Validation:
        """There is one right answer."""
        return Validation.of_vertices(PROVED, "cores", outputs["cores"], proved["cores"])


CERTIFICATE = KCoreCertificate()
