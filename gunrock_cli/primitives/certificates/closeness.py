"""The proof of closeness, at some vertices."""

from __future__ import annotations

from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.primitives.certificates.base import Answer
from gunrock_cli.primitives.certificates.hops import HopsCertificate
from gunrock_cli.primitives.closeness import sources_of, wrong_at


class ClosenessCertificate(HopsCertificate):
    name = "closeness"
    backward = True

    def wrong_at(
        self, graph: Graph, options: Any, outputs: Answer, place: int, vertex: int, found: Array
    ) -> str:
        sources = np.asarray(sources_of(graph, options), np.int64)
        return wrong_at(outputs, place, to_numpy(found)[sources], place in sources, options, graph.n)


CERTIFICATE = ClosenessCertificate()
