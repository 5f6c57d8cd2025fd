"""The proof of the claims about communities."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from gunrock_cli.graph.model.graph import Graph, to_numpy
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates.base import METHOD, SLOTS, Answer, Certificate
from gunrock_cli.primitives.qualities import REPORTED, is_near, quality_of


class LouvainCertificate(Certificate):
    name = "louvain"
    connected: ClassVar[bool] = False
    """True if every community must be connected."""
    conditions = MappingProxyType(
        {
            "NUMBER": "a community's number is none",
            "GAP": "communities are not numbered from 0 without gaps",
            "SPLIT": "a level splits a community of the level before",
            "ANSWER": "the communities are not those of the last level",
            "APART": "no edge connects parts of a community",
        }
    )

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        if REPORTED[options.quality] not in outputs:  # a peer's labels stand for themselves
            return None
        by_size = options.quality == "cpm"
        xp, n, count = graph.xp, graph.n, len(outputs["levels"])
        slots = {"within": (count + 1) * SLOTS, "squares": (count + 1) * SLOTS, "whole": SLOTS}
        return {
            "levels": xp.ascontiguousarray(outputs["levels"]),
            "count": count,
            "communities": outputs["communities"],
            "strengths": xp.ones(n) if by_size else xp.zeros(n),
            "by_size": int(by_size),
            "totals": xp.empty(n),
            "above": xp.empty(n, np.int32),
            "there": xp.empty(n, np.uint32),
            **{name: xp.zeros(size) for name, size in slots.items()},
            "roots": xp.arange(n, dtype=np.int32) if self.connected else None,
            "flags": xp.zeros(3, np.uint32),
        }

    def judge(self, arrays: Answer, outputs: Answer, graph: Graph, options: Any) -> Validation | None:
        quality = options.quality
        reported = to_numpy(outputs[REPORTED[quality]])
        within, squares = (
            to_numpy(arrays[name]).reshape(-1, SLOTS).sum(axis=1) for name in ("within", "squares")
        )
        found, sizes = quality_of(
            quality, np.cumsum(within), squares, float(arrays["whole"].sum()), graph.n, options.resolution
        )
        for level, own in enumerate(found):
            said, size = reported[level], np.broadcast_to(sizes, found.shape)[level]
            if not is_near(own, said, size):
                return _fail(f"{quality} of level {level} is {own:.12g}, and {said:.12g} was reported")
        if (np.diff(reported) <= 0).any():
            return _fail(f"a level has no higher {quality} than the level before")
        return super().judge(arrays, outputs, graph, options)


def _fail(message: str) -> Validation:
    return Validation("fail", METHOD, message, method=METHOD)


CERTIFICATE = LouvainCertificate()
