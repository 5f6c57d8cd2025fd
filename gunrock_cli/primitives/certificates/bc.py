"""The proof of dependencies."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.bc.options import BcOptions
from gunrock_cli.primitives.bc.reference import compare
from gunrock_cli.primitives.certificates.base import PROVED, Answer, Certificate
from gunrock_cli.primitives.certificates.bfs import LEVELS
from gunrock_cli.primitives.shown import Outputs

PATH_TOLERANCE = 1e-9
"""The relative tolerance of each vertex's equation of paths, whose words have 34 bits of mantissa."""
SCORE_TOLERANCE = 4e-7
"""The tolerance of each equation of scores, which are rounded to 24 bits."""
NEGLIGIBLE = 1e-6
"""Scores below this share of the largest are held to its absolute error."""


class BcCertificate(Certificate):
    name = "bc"
    conditions = MappingProxyType(
        {
            **LEVELS,
            "LABEL": "a depth or distance that no vertex can have",
            "SOURCE": "depth or distance 0 and the source are not the same",
            "SKIPPED": "an edge from a reached vertex leads there sooner",
            "UNEXPLAINED": "no edge of a shortest path leads there",
            "PATHS": "paths are not the sum of those to the vertices before",
            "SCORE": "the score is not the sum of the shares of the vertices behind",
        }
    )

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        xp, scores = graph.xp, outputs["scores"]
        lengths = "distances" if options.weighted else "labels"
        if "counts" not in problem or lengths not in outputs or scores.dtype != np.float32:
            return None
        largest = float(scores.max()) if graph.n else 0.0
        if not np.isfinite(largest):
            largest = 0.0  # no score is small compared with it
        return {
            "labels": outputs.get("labels"),
            "distances": outputs.get("distances"),
            "paths": problem["counts"],
            "scores": scores,
            "explained": xp.zeros((graph.n + 31) // 32, np.uint32),
            "shares": xp.zeros(graph.n),
            "sums": xp.zeros(graph.n),
            "source": source,
            "path_tolerance": PATH_TOLERANCE,
            "score_tolerance": SCORE_TOLERANCE,
            "negligible": NEGLIGIBLE * largest,
        }

    def agrees(self, options: BcOptions, outputs: Outputs, proved: Outputs) -> Validation | None:
        return compare(
            np.asarray(outputs["scores"], np.float64), np.asarray(proved["scores"], np.float64), PROVED
        )


CERTIFICATE = BcCertificate()
