"""The distance of ranks from the limit of the iteration."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.parts.parted import GraphInParts
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates.base import METHOD, PROVED, SLOTS, Answer, Certificate
from gunrock_cli.primitives.pagerank.options import PageRankOptions
from gunrock_cli.primitives.pagerank.variants import L1_TOLERANCE, ROUNDINGS
from gunrock_cli.primitives.shown import Outputs

ROUNDING = 32
"""The largest L1 error of an iteration on sums of 1, in units of the precision's epsilon."""

START = 2
"""The most that a first iteration can change."""


class PageRankCertificate(Certificate):
    name = "pagerank"
    of_parts = True
    summed = ("slots",)
    conditions = MappingProxyType({"RANK": "a rank that is no share of 1"})

    def arrays(
        self, graph: Graph, options: PageRankOptions, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        xp, ranks = graph.xp, outputs["ranks"].astype(np.float64)
        if not options.normalized:
            ranks /= max(graph.n, 1)
        degrees = graph.csr.degrees().astype(np.int64) if isinstance(graph, GraphInParts) else None
        return {
            "ranks": ranks,
            "fresh": xp.zeros(graph.n),
            "slots": xp.zeros(3 * SLOTS),
            "degrees": degrees,
            "weights": xp.zeros(graph.n) if options.weighted else None,
            "damping": options.damping,
        }

    def judge(
        self, arrays: Answer, outputs: Answer, graph: Graph, options: PageRankOptions
    ) -> Validation | None:
        """One more iteration may change at most what the run's own stopping rule left: the tolerance. If
        the limit of iterations may have ended the run earlier, only the bound at that point holds."""
        if graph.n == 0:
            return super().judge(arrays, outputs, graph, options)
        residual = float(arrays["slots"][SLOTS : 2 * SLOTS].sum())
        damping, epsilon = options.damping, float(np.finfo(options.precision).eps)
        if residual <= options.tolerance + ROUNDING * epsilon:
            bound = residual / (1 - damping) if damping < 1 else np.inf
            return Validation(
                "pass",
                METHOD,
                f"ranks within {bound:.3g} of their limit in L1 (residual {residual:.3g})",
                method=METHOD,
            )
        if residual <= START * damping**options.max_iterations:
            return None
        return Validation(
            "fail", METHOD, f"another iteration changes the ranks by {residual:.3g} in L1", method=METHOD
        )

    def agrees(self, options: PageRankOptions, outputs: Outputs, proved: Outputs) -> Validation | None:
        """Compare in L1: ``validate`` would also reject an answer farther from ours than both may be from
        the limit. Our answer's distance from the limit is certified."""
        damping, tolerance = options.damping, options.tolerance
        found, ours = (np.asarray(each["ranks"]).astype(np.float64) for each in (outputs, proved))
        if damping >= 1 or found.shape != ours.shape or not len(ours):
            return None
        ours /= ours.sum()
        epsilon = float(np.finfo(options.precision).eps)
        theirs = L1_TOLERANCE + tolerance * (2 + damping / (1 - damping))
        allowed = theirs + (tolerance + (ROUNDING + ROUNDINGS) * epsilon) / (1 - damping)
        apart = float(np.abs(found - ours).sum())
        if apart <= allowed:
            return Validation("pass", PROVED, f"{apart:.3g} apart in L1")
        return Validation("fail", PROVED, f"{apart:.3g} apart in L1, where {allowed:.3g} are allowed")


CERTIFICATE = PageRankCertificate()
