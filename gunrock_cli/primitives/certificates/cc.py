"""The proof of components."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.cc.options import CcOptions
from gunrock_cli.primitives.certificates.base import PROVED, Answer, Certificate
from gunrock_cli.primitives.shown import Outputs


class CcCertificate(Certificate):
    name = "cc"
    of_parts = True
    handed_on = ("roots",)
    conditions = MappingProxyType(
        {
            "SPLIT": "an edge joins two components",
            "NAME": "not named by the smallest vertex of its component",
        }
    )

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        xp = graph.xp
        return {
            "components": outputs["components"],
            "roots": xp.arange(graph.n, dtype=np.int32),
            "directed": int(not graph.undirected),
            "flags": xp.zeros(3, np.uint32),
        }

    def agrees(self, options: CcOptions, outputs: Outputs, proved: Outputs) -> Validation | None:
        return Validation.of_vertices(PROVED, "components", outputs["components"], proved["components"])


CERTIFICATE = CcCertificate()
