"""PageRank with the settings of other systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.peers.base import Settings
from gunrock_cli.primitives.references import power_iteration


@dataclass(frozen=True)
class PageRankSettings(Settings):
    """PageRank's options by our names: ``damping``, ``tolerance``, ``max_iterations``."""

    damping: float = 0.85
    tolerance: float = 1e-6
    max_iterations: int = 1000

    def need_an_iteration(self, title: str) -> None:
        """Raise UsageError if no iteration is wanted: for systems that always make one."""
        if self.max_iterations == 0:
            raise UsageError(f"{title} makes one iteration at least: it cannot follow --max-iterations 0")

    def need_convergence(
        self, title: str, graph: Graph, restart: np.ndarray[Any, Any] | None = None
    ) -> None:
        """Raise UsageError unless these settings end the iteration by the tolerance: for systems that
        only give its limit. ``restart`` is as for ``power_iteration``."""
        change, iterates = np.inf, power_iteration(graph, self.damping, restart)
        for _ in range(self.max_iterations):
            _, change = next(iterates)
            if change < self.tolerance:
                return
        raise self.cut_short(title)

    def cut_short(self, title: str) -> UsageError:
        """The error for a system that would give other ranks than those asked for."""
        return UsageError(
            f"{title} gives converged ranks only: it cannot stop at --max-iterations "
            f"{self.max_iterations} before --tolerance {self.tolerance:g} is reached"
        )
