"""The proof of a number of cliques."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates.base import PROVED, Answer, Certificate
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs

MOST_PROVED, MOST_PROVED_ON_GPU = 1 << 26, 1 << 32
"""The most cliques that are searched for one by one: some ten seconds on two cores."""


class CliquesCertificate(Certificate):
    name = "cliques"
    needs = Needs(undirected=True)
    conditions = MappingProxyType({"COUNT": "another number of cliques"})

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        most = MOST_PROVED if graph.xp is np else MOST_PROVED_ON_GPU
        if int(outputs["total"][0]) > most:
            return None  # the reference takes over
        return {
            "size": options.size,
            "total": graph.xp.ascontiguousarray(outputs["total"], np.int64),
            "found": graph.xp.zeros(1, np.uint64),
        }

    def agrees(self, options: Any, outputs: Outputs, proved: Outputs) -> Validation:
        """There is one right answer."""
        return Validation.of_each(PROVED, "total", outputs["total"], proved["total"], "number")


CERTIFICATE = CliquesCertificate()
