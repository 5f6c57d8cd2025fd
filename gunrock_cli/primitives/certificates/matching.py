"""The proof of matchings."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.certificates.base import Answer, Certificate
from gunrock_cli.primitives.matching import MatchingOptions
from gunrock_cli.primitives.question import Needs

_NONE = 2**64 - 1


class MatchingCertificate(Certificate):
    name = "matching"
    needs = Needs(weights=True)
    conditions = MappingProxyType(
        {
            "APART": "mates are not each other's",
            "UNLINKED": "there is no edge to the mate",
            "LATE": "an edge is left out that comes before those of both its ends",
        }
    )

    def arrays(
        self, graph: Graph, options: MatchingOptions, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        if "mates" not in outputs:  # a peer breaks ties differently
            return None
        return {
            "mates": outputs["mates"],
            "keys": graph.xp.full(graph.n, _NONE, np.uint64),
            "by_weight": int(options.by_weight),
            "seed": options.priority_seed,
        }


CERTIFICATE = MatchingCertificate()
