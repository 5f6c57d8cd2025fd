"""The proof of random walks."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.certificates.base import Answer, Certificate
from gunrock_cli.primitives.question import Needs

_SAME = (
    *("starts", "walks", "each", "length", "key", "restart_key", "restart"),
    *("back", "near", "far", "table"),
)
"""Members that say which walks these are."""


class WalkCertificate(Certificate):
    name = "walk"
    needs = Needs()
    conditions = MappingProxyType(
        {"STEP": "a walk is elsewhere than its seed says", "VISITS": "visits that were not counted right"}
    )

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        counts = "visits" in outputs
        return {
            **{name: problem[name] for name in _SAME},
            "paths": outputs.get("paths"),
            "visits": outputs["visits"].astype(np.uint64) if counts else None,
            "counted": graph.xp.zeros(graph.n, np.uint64) if counts else None,
        }


CERTIFICATE = WalkCertificate()
