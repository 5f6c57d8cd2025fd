"""HITS with the settings of other systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.peers.base import Settings
from gunrock_cli.primitives.references import HitsReference

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class HitsSettings(Settings):
    """HITS' options by our names."""

    tolerance: float = 1e-6
    max_iterations: int = 1000
    norm: str = "L1"

    def length(self, values: Array) -> float:
        """The length in the norm."""
        return float(np.linalg.norm(values, {"L1": 1, "L2": 2}[self.norm]))

    def normalized(self, values: Any) -> Array:
        """Scale scores to that length, whatever the system's own scale; zeros stay zeros."""
        scores = np.asarray(values, np.float64)
        return scores / (self.length(scores) or 1.0)

    def need_convergence(self, title: str, graph: Graph) -> None:
        """Raise UsageError unless these settings end the iteration by the tolerance, and also if it has
        no limit: for systems that only give the limit."""
        if graph.m == 0:
            raise UsageError(f"{title} has no hubs and authorities for a graph without edges")
        iterates = HitsReference(graph, self.norm).iterates()
        for _ in range(self.max_iterations):
            if next(iterates)[1] < self.tolerance:
                return
        raise UsageError(
            f"{title} gives converged hubs and authorities only: it cannot stop at --max-iterations "
            f"{self.max_iterations} before --tolerance {self.tolerance:g} is reached"
        )
