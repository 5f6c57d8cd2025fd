"""The certificate of numbers of cliques on right and wrong numbers."""

from __future__ import annotations

import numpy as np
import pytest
from primitives.certificates.planting import Solved
from primitives.graphs_for_sets import graph_of

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.primitives import get_primitive

BACKENDS = pytest.mark.parametrize("backend", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])


@BACKENDS
@pytest.mark.parametrize("size", [3, 4, 6])
def test_every_other_number_is_refused(size: int, backend: str) -> None:
    draw = np.random.default_rng(size)
    chosen = choose_backend(backend, 2)
    for _ in range(5):
        n = int(draw.integers(3, 30))
        graph = graph_of(n, draw.integers(0, n, (6 * n, 2)), keep_self_loops=True).to(chosen.xp)
        right = Solved(get_primitive("cliques"), graph, 0, chosen, {"size": size})
        assert right.verdict() == "pass"
        for change in (-1, 1, 2**25, -(2**40)):
            assert right.verdict(total=right.array("total") + change) == "fail"
