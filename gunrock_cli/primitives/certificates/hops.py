"""The proof of answers that are made of path lengths: for some vertices, chosen at random, those from
there or to there are found again, by relaxing edges."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates.base import METHOD, Answer, Certificate
from gunrock_cli.primitives.many_sources import checked

MOST_PROVED = 16
"""The most vertices that are looked at."""


class HopsCertificate(Certificate):
    """The base: ``wrong_at`` judges what an answer says of one vertex."""

    proof = "hops"
    conditions = MappingProxyType({})
    backward: ClassVar[bool] = False
    """True if an answer is made of the hops to a vertex."""

    def vertices(self, graph: Graph, options: Any) -> Any:
        """The vertices of which the answer says something, in its order."""
        return range(graph.n)

    def wrong_at(
        self, graph: Graph, options: Any, outputs: Answer, place: int, vertex: int, found: Array
    ) -> str:
        """What is wrong with the answer for the vertex of this place, from its lengths, without a path
        -1, or infinity for floats; empty if nothing is."""
        raise NotImplementedError

    def prove(
        self,
        run: Callable[[dict[str, Any]], None],
        graph: Graph,
        options: Any,
        source: int,
        outputs: Answer,
        problem: Answer,
    ) -> Validation | None:
        vertices = self.vertices(graph, options)
        some = checked(graph, vertices, MOST_PROVED)
        for place in some:
            vertex = int(vertices[place])
            found = self._lengths(run, graph, vertex, self.by_weight(options))
            wrong = self.wrong_at(graph, options, outputs, place, vertex, found)
            if wrong:
                return Validation("fail", METHOD, f"vertex {vertex}: {wrong}", method=METHOD)
        return Validation("pass", METHOD, sources=len(some), method=METHOD)

    def by_weight(self, options: Any) -> bool:
        """True if the answer is made of lengths by weight."""
        return False

    def _lengths(
        self, run: Callable[[dict[str, Any]], None], graph: Graph, vertex: int, weighted: bool
    ) -> Array:
        xp = graph.xp
        lengths = xp.full(graph.n, np.inf)
        lengths[vertex] = 0
        run(
            {
                "lengths": lengths.view(np.uint64),
                "changed": xp.zeros(3, np.uint32),
                "backward": int(self.backward),
                "weighted": int(weighted),
            }
        )
        if weighted and graph.csr.values is not None and graph.csr.values.dtype.kind == "f":
            return lengths.astype(np.float32)
        return xp.where(xp.isinf(lengths), -1, lengths).astype(np.int32)
