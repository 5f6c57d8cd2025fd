"""The proof of depths and predecessors."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.bfs.options import BfsOptions
from gunrock_cli.primitives.certificates.base import PROVED, Answer, Certificate
from gunrock_cli.primitives.shown import Outputs

LEVELS = {
    "LABEL": "a depth that no vertex can have",
    "SOURCE": "depth 0 and the source are not the same",
    "SKIPPED": "an edge from a reached vertex leads more than a level on, or to an unreached vertex",
    "UNEXPLAINED": "no edge comes from the level above",
}
"""Conditions on levels, for both BFS and BC."""


class BfsCertificate(Certificate):
    name = "bfs"
    of_parts = True
    conditions = MappingProxyType(
        {**LEVELS, "PREDECESSOR": "the predecessor is no in-neighbour on the level above"}
    )

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        return {
            "labels": outputs["labels"],
            "predecessors": outputs.get("predecessors"),
            "explained": graph.xp.zeros((graph.n + 31) // 32, np.uint32),
            "source": source,
        }

    def agrees(self, options: BfsOptions, outputs: Outputs, proved: Outputs) -> Validation | None:
        return Validation.of_vertices(PROVED, "labels", outputs["labels"], proved["labels"])


CERTIFICATE = BfsCertificate()
