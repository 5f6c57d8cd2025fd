"""The proof of independent sets."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.certificates.base import Answer, Certificate


class MisCertificate(Certificate):
    name = "mis"
    conditions = MappingProxyType(
        {
            "MEMBER": "neither 0 nor 1",
            "CLASH": "two neighbours are in the set",
            "ROOM": "neither in the set nor a neighbour of one that is",
        }
    )

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        return {"members": outputs["members"], "adjacent": graph.xp.zeros(graph.n, np.uint32)}


CERTIFICATE = MisCertificate()
