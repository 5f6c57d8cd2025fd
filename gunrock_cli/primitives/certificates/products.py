"""Certificates of iterations: they follow the reference's own rules in the answer's memory.

A kernel (``kernels/certificates/products.cuh``) takes the step along all edges on the device that SciPy
takes for a reference on the host; the rest of an iteration is a few operations on whole arrays. So even a
large graph need not come to the host. On a host SciPy takes the step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates.base import METHOD, Answer, Certificate
from gunrock_cli.primitives.shown import Outputs


class KernelProducts:
    """``references.Products`` by the kernel; ``run`` runs it on its arrays. ``weighted``: as in
    ``references.ScipyProducts``."""

    def __init__(
        self, graph: Graph, run: Callable[[dict[str, Any]], None], weighted: bool = False
    ) -> None:
        self._xp, self._run, self._weighted = graph.xp, run, weighted

    def forward(self, values: Array) -> Array:
        return self._along(values, back=0)

    def back(self, values: Array) -> Array:
        return self._along(values, back=1)

    def _along(self, values: Array, back: int) -> Array:
        values = self._xp.ascontiguousarray(values, np.float64)
        found = self._xp.zeros(values.shape, np.float64)
        columns = 1 if values.ndim == 1 else values.shape[1]
        self._run(
            {
                "from": values.reshape(-1),
                "to": found.reshape(-1),
                "columns": columns,
                "back": back,
                "weighted": int(self._weighted),
            }
        )
        return found


class IterationCertificate(Certificate):
    """A certificate of a primitive whose ``check`` takes the products to use."""

    proof = "products"
    conditions: ClassVar[Mapping[str, str]] = MappingProxyType({})

    def __init__(self, name: str, check: Callable[..., Validation]) -> None:
        self.name, self._check = name, check  # type: ignore[misc]

    def prove(
        self,
        run: Callable[[dict[str, Any]], None],
        graph: Graph,
        options: Any,
        source: int,
        outputs: Answer,
        problem: Answer,
    ) -> Validation | None:
        return None if graph.xp is np else self.followed(run, graph, options, source, outputs)

    def followed(
        self,
        run: Callable[[dict[str, Any]], None],
        graph: Graph,
        options: Any,
        source: int,
        outputs: Outputs,
    ) -> Validation:
        """Return the verdict, wherever the graph is."""
        weighted = bool(options.values().get("weighted"))
        found = self._check(graph, options, source, outputs, KernelProducts(graph, run, weighted))
        return replace(found, reference=METHOD, method=METHOD)
