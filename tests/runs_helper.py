"""One run of a primitive, and the ways to run it that tests go through."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from gunrock_cli.bench.protocol.runner import Measured, Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.option_values import with_defaults

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
LOOPS = ["device", "host"]


def run_on(
    primitive: Primitive,
    graph: Graph,
    given: Mapping[str, Any],
    backend: str = "cpu",
    threads: int = 3,
    progress: Callable[[float, int], None] | None = None,
    **protocol: Any,
) -> Measured:
    """Run once, without warm-up unless ``protocol`` says otherwise; options not ``given`` have their
    defaults."""
    chosen = choose_backend(backend, threads)
    return measure(
        primitive,
        graph.to(chosen.xp),
        with_defaults(primitive.options, given),
        [],
        chosen,
        Protocol(**{"runs": 1, "warmup": 0, **protocol}),
        progress=progress,
    )
