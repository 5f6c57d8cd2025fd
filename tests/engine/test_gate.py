"""The device waits for the host before a timed launch: until the gate opens, and not for ever."""

from __future__ import annotations

import time

import numpy as np
import pytest
from planned import planned

from gunrock_cli.bench.protocol.runner import Protocol
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.compile import compile_variant


@pytest.mark.gpu
@pytest.mark.parametrize("host_s", [0.0, 0.01, 0.2])
def test_what_the_host_does_meanwhile_is_not_timed(host_s: float) -> None:
    from gunrock_cli.engine.cuda import LEAD_NS

    backend = choose_backend("cuda")
    ends = np.arange(50)
    graph = build_graph(51, ends, ends + 1, xp=backend.xp, name="path")
    bfs = get_primitive("bfs")
    variant = planned(bfs, graph)
    program = compile_variant(bfs, variant, backend, Protocol())
    problem = variant.allocate()

    def run() -> tuple[float, bool]:
        result = program.run(problem, lambda: variant.reset(problem, 0))
        return result.ms, result.late

    run()
    launch = program._kernel  # type: ignore[attr-defined]

    def slow(*args: object, **named: object) -> None:
        time.sleep(host_s)
        launch(*args, **named)

    program._kernel = slow  # type: ignore[attr-defined]
    ms, late = run()
    assert late == (host_s * 1e9 > LEAD_NS)
    assert late or ms < 5
