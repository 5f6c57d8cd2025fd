"""The proof of a microbenchmark: the traversal that it replays is right, and its kernel leaves what that
traversal leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates.base import METHOD, Answer
from gunrock_cli.primitives.certificates.bfs import BfsCertificate

if TYPE_CHECKING:
    from gunrock_cli.primitives.micro.base import Replay


class ReplayCertificate(BfsCertificate):
    """A microbenchmark's certificate: the depths are proved like a search's, and then relied on."""

    def __init__(self, primitive: Replay) -> None:
        self._primitive = primitive

    def judge(self, arrays: Answer, outputs: Answer, graph: Graph, options: Any) -> Validation | None:
        fault = self._primitive.fault(graph, options, outputs["labels"], outputs)
        if fault:
            return Validation("fail", METHOD, fault, method=METHOD)
        return super().judge(arrays, outputs, graph, options)
