"""The proof of strongly connected components."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates.base import PROVED, Answer, Certificate
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs


class SccCertificate(Certificate):
    name = "scc"
    needs = Needs(reverse=True)
    conditions = MappingProxyType(
        {
            "NAME": "not named by the smallest vertex of a component",
            "UNREACHED": "not reached from the rest of its component",
            "UNREACHING": "does not reach the rest of its component",
            "CYCLE": "edges lead to other components and back",
        }
    )

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        if "sources" in outputs:  # it proves components alone
            return None
        xp, n = graph.xp, graph.n
        return {
            "components": outputs["components"],
            "parents": xp.full(n, -1, np.int32),
            "marks": xp.zeros(n, np.uint32),
            "entering": xp.zeros(n, np.uint64),
            "queue": xp.empty(n, np.int32),
            "found": xp.zeros(3, np.uint64),
        }

    def agrees(self, options: Any, outputs: Outputs, proved: Outputs) -> Validation | None:
        return Validation.of_vertices(PROVED, "components", outputs["components"], proved["components"])


CERTIFICATE = SccCertificate()
