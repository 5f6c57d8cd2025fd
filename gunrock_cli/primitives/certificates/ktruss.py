"""The proof of trussness."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates.base import PROVED, Answer, Certificate
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs


class KTrussCertificate(Certificate):
    name = "ktruss"
    needs = Needs(undirected=True)
    conditions = MappingProxyType(
        {
            "LOOP": "a loop has a trussness",
            "SIDES": "an edge's entries differ in trussness or round",
            "FEW": "an edge has too few triangles of no smaller trussness",
            "MANY": "an edge has too many triangles of edges that were removed later",
        }
    )

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        if "rounds" not in problem:  # a peer's answer
            return None
        return {"trussness": outputs["trussness"], "rounds": problem["rounds"]}

    def agrees(self, options: Any, outputs: Outputs, proved: Outputs) -> Validation:
        """There is one right answer."""
        return Validation.of_each(PROVED, "trussness", outputs["trussness"], proved["trussness"], "entry")


CERTIFICATE = KTrussCertificate()
