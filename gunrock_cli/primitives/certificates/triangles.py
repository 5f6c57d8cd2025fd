"""The proof of triangle counts."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates.base import METHOD, PROVED, Answer, Certificate
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs


class TrianglesCertificate(Certificate):
    name = "triangles"
    needs = Needs(undirected=True)
    conditions = MappingProxyType({"COUNT": "another number of triangles"})

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        found: dict[str, Array | None] = {"triangles": None, "of_edges": None}
        if "triangles" in outputs:
            name = "of_edges" if "sources" in outputs else "triangles"
            found[name] = graph.xp.ascontiguousarray(outputs["triangles"], np.int64)
        return {**found, "found": graph.xp.zeros(graph.n, np.uint64)}

    def judge(self, arrays: Answer, outputs: Answer, graph: Graph, options: Any) -> Validation | None:
        if "total" in outputs:
            corners, total = int(arrays["found"].sum()), int(outputs["total"][0])
            if corners != 3 * total:
                message = f"{total} triangles, {corners} corners of triangles found"
                return Validation("fail", METHOD, message, method=METHOD)
        return super().judge(arrays, outputs, graph, options)

    def agrees(self, options: Any, outputs: Outputs, proved: Outputs) -> Validation | None:
        """There is one right answer."""
        name = "triangles"
        if name not in outputs or name not in proved or "sources" in {*outputs, *proved}:
            return None  # another system counts those of vertices
        return Validation.of_vertices(PROVED, name, outputs[name], proved[name])


CERTIFICATE = TrianglesCertificate()
