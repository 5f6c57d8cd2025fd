"""The proof of colorings."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.certificates.base import Answer, Certificate


class ColorCertificate(Certificate):
    name = "color"
    conditions = MappingProxyType(
        {"COLOR": "a vertex has no color", "CLASH": "two neighbours have the same color"}
    )

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        return {"colors": outputs["colors"]}


CERTIFICATE = ColorCertificate()
