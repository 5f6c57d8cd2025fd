"""The proof of neighborhood samples."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.certificates.base import Answer, Certificate
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.sample import seeds_of

_SAME = ("fanouts", "hops", "key", "table")
"""Members that say which sample this is."""
_ANSWER = ("vertices", "sources", "targets", "edges", "vertex_offsets", "edge_offsets")


class SampleCertificate(Certificate):
    name = "sample"
    needs = Needs()
    conditions = MappingProxyType(
        {
            "VERTEX": "a vertex is in the sample twice, or seeds are not first",
            "OFFSETS": "offsets do not divide the sample into hops",
            "EDGE": "an edge is none of its source's, or leads elsewhere",
            "COUNT": "a vertex has more or fewer edges than the fan-out says",
            "DRAW": "an edge is not the one that the seed says",
            "ORDER": "a vertex is not numbered by the edge that first reaches it",
        }
    )

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        xp, count = graph.xp, len(outputs["vertices"])
        return {
            **{name: problem[name] for name in _SAME},
            **{name: outputs[name] for name in _ANSWER},
            "seeds": xp.asarray(seeds_of(graph, options)),
            "seed_count": problem["seeds"],
            "count": count,
            "edge_count": len(outputs["edges"]),
            "replace": int(options.replace),
            "numbers": xp.full(graph.n, -1, np.int64),
            "counted": xp.zeros(count, np.int64),
            "reached_by": xp.full(count, np.iinfo(np.int64).max, np.int64),
        }


CERTIFICATE = SampleCertificate()
