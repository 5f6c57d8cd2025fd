"""The proof of topological levels."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates.base import METHOD, PROVED, Answer, Certificate
from gunrock_cli.primitives.parts.base import bitmap_words
from gunrock_cli.primitives.shown import Outputs
from gunrock_cli.primitives.toposort import wrong_cycle


class ToposortCertificate(Certificate):
    name = "toposort"
    conditions = MappingProxyType(
        {
            "LEVEL": "a level is no number from -1",
            "FALL": "an edge leads to a level that is no greater",
            "UNEXPLAINED": "no edge explains the level",
        }
    )

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        words = graph.xp.zeros(bitmap_words(graph.n), np.uint32)
        return {"levels": outputs["levels"], "explained": words}

    def judge(self, arrays: Answer, outputs: Answer, graph: Graph, options: Any) -> Validation | None:
        wrong = wrong_cycle(graph, outputs)
        return Validation("fail" if wrong else "pass", METHOD, wrong, method=METHOD)

    def agrees(self, options: Any, outputs: Outputs, proved: Outputs) -> Validation:
        """There is one right answer."""
        return Validation.of_vertices(PROVED, "levels", outputs["levels"], proved["levels"])


CERTIFICATE = ToposortCertificate()
