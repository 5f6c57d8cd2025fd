"""The proof of biconnected components, cut vertices and bridges."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph, to_numpy
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.biconnected import bridges_of
from gunrock_cli.primitives.certificates.base import METHOD, Answer, Certificate
from gunrock_cli.primitives.question import Needs

NONE = -1
"""The kernel's mark of what is not known or not there."""


class BiconnectedCertificate(Certificate):
    name = "biconnected"
    needs = Needs(undirected=True)
    conditions = MappingProxyType(
        {
            "ROOT": "connected vertices have several roots or none",
            "NUMBER": "an edge has no component, or a loop has one",
            "APART": "edges on one cycle are of different components",
            "TOGETHER": "edges on no common cycle are of one component",
            "CUT": "wrongly said to be a cut vertex, or not to be one",
        }
    )

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        if "roots" not in problem:  # a peer's answer
            return None
        xp, n = graph.xp, graph.n
        cut = xp.zeros(n, np.uint32)
        cut[outputs["articulation_points"]] = 1
        unknown = ("parents", "names", "lowest", "highest", "leaders", "numbers")
        empty = ("begins", "least", "greatest", "queue")
        return {
            "components": outputs["components"],
            "roots": problem["roots"],
            "cut": cut,
            **{name: xp.full(n, NONE, np.int32) for name in unknown},
            **{name: xp.empty(n, np.int32) for name in empty},
            "sizes": xp.ones(n, np.int32),
            "marks": xp.zeros(n, np.uint32),
            "starts": xp.zeros(n + 1, np.int32),
            "found": xp.zeros(3, np.uint64),
        }

    def judge(self, arrays: Answer, outputs: Answer, graph: Graph, options: Any) -> Validation | None:
        """Components are proved; their numbers and the bridges follow from them."""
        xp, components = graph.xp, outputs["components"]
        _, firsts = xp.unique(components[components >= 0], return_index=True)
        cuts = outputs["articulation_points"]
        if bool((cuts[1:] <= cuts[:-1]).any()):
            return Validation("fail", METHOD, "the cut vertices do not rise", method=METHOD)
        last = int(components.max()) if len(components) else NONE
        if bool((firsts[1:] < firsts[:-1]).any()) or last + 1 != len(firsts):
            return Validation(
                "fail", METHOD, "components are not numbered by their entries", method=METHOD
            )
        expected = bridges_of(graph, components)
        if not np.array_equal(to_numpy(outputs["bridges"]), to_numpy(expected)):
            return Validation(
                "fail", METHOD, "the bridges are not the components of one edge", method=METHOD
            )
        return Validation("pass", METHOD, method=METHOD)


CERTIFICATE = BiconnectedCertificate()
