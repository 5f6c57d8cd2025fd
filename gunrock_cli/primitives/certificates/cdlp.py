"""The proof of label propagation."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates.base import PROVED, Answer, Certificate
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs

ENTRIES_AT_ONCE = 1 << 26
"""About how many entries of lists the kernel's table takes at once."""


class CdlpCertificate(Certificate):
    name = "cdlp"
    needs = Needs(reverse=True)
    conditions = MappingProxyType(
        {
            "LABEL": "another label than the iterations lead to",
            "MOVES": "another iteration changes the label",
        }
    )

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        xp, n, iterations = graph.xp, graph.n, options.max_iterations
        done = int(outputs["done"][0]) if "done" in outputs else iterations
        steps = 2 if options.asynchronous else 1
        lengths = graph.csr.degrees().astype(np.int64)
        if not graph.undirected:
            lengths = lengths + graph.reverse.degrees()  # type: ignore[union-attr]
        parts = max(1, int(lengths.sum()) // ENTRIES_AT_ONCE)
        most = max((int(lengths[part::parts].sum()) for part in range(parts)), default=0)
        return {
            "communities": outputs["communities"],
            "labels": xp.arange(n, dtype=np.int32),
            "best": xp.empty(n, np.uint64),
            "keys": xp.empty(2 * most + 1, np.uint64),
            "counts": xp.empty(2 * most + 1, np.uint32),
            "capacity": 2 * most + 1,
            "parts": parts,
            "iterations": steps * min(done, iterations),
            "steps": steps,
            "settles": int(done < iterations),
            "directed": int(not graph.undirected),
        }

    def agrees(self, options: Any, outputs: Outputs, proved: Outputs) -> Validation:
        """There is one right answer."""
        return Validation.of_vertices(
            PROVED, "communities", outputs["communities"], proved["communities"]
        )


CERTIFICATE = CdlpCertificate()
