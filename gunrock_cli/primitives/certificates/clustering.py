"""The proof of clustering coefficients."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates.base import METHOD, PROVED, Answer, Certificate
from gunrock_cli.primitives.clustering import is_near, wrong_number
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs


class ClusteringCertificate(Certificate):
    name = "clustering"
    needs = Needs(reverse=True)
    conditions = MappingProxyType({"COEFFICIENT": "another share of the pairs of neighbors are edges"})

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        return {
            "coefficients": graph.xp.ascontiguousarray(outputs["coefficients"], np.float64),
            "links": graph.xp.zeros(graph.n, np.uint64),
            "neighbors": graph.xp.zeros(graph.n, np.uint64),
        }

    def judge(self, arrays: Answer, outputs: Answer, graph: Graph, options: Any) -> Validation | None:
        neighbors = arrays["neighbors"].astype(np.int64)
        links, pairs = int(arrays["links"].sum()), int((neighbors * (neighbors - 1)).sum())
        wrong = wrong_number(outputs, arrays["coefficients"], links, pairs)
        return Validation("fail" if wrong else "pass", METHOD, wrong, method=METHOD)

    def agrees(self, options: Any, outputs: Outputs, proved: Outputs) -> Validation | None:
        """There is one right answer, up to rounding."""
        name = "coefficients"
        if name not in outputs or name not in proved or outputs[name].shape != proved[name].shape:
            return None
        found = np.where(is_near(outputs[name], proved[name]), proved[name], outputs[name])
        return Validation.of_vertices(PROVED, name, found, proved[name])


CERTIFICATE = ClusteringCertificate()
