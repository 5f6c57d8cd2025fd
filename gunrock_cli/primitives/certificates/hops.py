"""The proof of answers that are made of hops: for some vertices, chosen at random, the hops from there or
to there are found again, by relaxing edges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates.base import METHOD, Answer, Certificate, Proof
from gunrock_cli.primitives.many_sources import checked

NO_PATH = 2**30 - 1
"""The kernel's number of hops without a path."""
MOST_PROVED = 16
"""The most vertices that are looked at."""


class OfHops(Proof):
    """The kernel that relaxes edges."""

    @property
    def constants(self) -> Mapping[str, int]:
        return {**super().constants, "NO_PATH": NO_PATH}


class HopsCertificate(Certificate):
    """The base: ``wrong_at`` judges what an answer says of one vertex."""

    proof = "hops"
    conditions = MappingProxyType({})
    backward: ClassVar[bool] = False
    """True if an answer is made of the hops to a vertex."""

    def plan(self, graph: Graph, asked: Any) -> OfHops:
        return OfHops(graph, super().plan(graph, asked).options, self.proof, ())

    def vertices(self, graph: Graph, options: Any) -> Any:
        """The vertices of which the answer says something, in its order."""
        return range(graph.n)

    def wrong_at(self, graph: Graph, options: Any, outputs: Answer, place: int, hops: Array) -> str:
        """What is wrong with the answer for the vertex of this place, from its hops (-1 without a path);
        empty if nothing is."""
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
            wrong = self.wrong_at(graph, options, outputs, place, self._hops(run, graph, vertex))
            if wrong:
                return Validation("fail", METHOD, f"vertex {vertex}: {wrong}", method=METHOD)
        return Validation("pass", METHOD, sources=len(some), method=METHOD)

    def _hops(self, run: Callable[[dict[str, Any]], None], graph: Graph, vertex: int) -> Array:
        xp = graph.xp
        hops = xp.full(graph.n, NO_PATH, np.int32)
        hops[vertex] = 0
        run({"hops": hops, "changed": xp.zeros(3, np.uint32), "backward": int(self.backward)})
        hops[hops == NO_PATH] = -1
        return hops
