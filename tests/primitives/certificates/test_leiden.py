"""The certificate of connected communities finds those that are not (test_louvain.py has the rest)."""

from __future__ import annotations

import numpy as np
import pytest
from primitives.certificates.planting import Solved
from primitives.graphs_for_sets import graph_of

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.primitives import get_primitive

BACKENDS = pytest.mark.parametrize("backend", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])


@BACKENDS
def test_communities_in_parts_are_found(backend: str) -> None:
    """A path's communities, two of which change names from some vertex on."""
    chosen, n = choose_backend(backend, 2), 400
    graph = graph_of(n, [(v, v + 1) for v in range(n - 1)]).to(chosen.xp)
    right = Solved(get_primitive("leiden"), graph, 0, chosen, {})
    assert right.verdict() == "pass"
    labels, levels = right.array("communities"), right.array("levels")
    for one, other in ((0, 2), (1, 5), (3, 4)):
        joined = np.where(labels == labels.max(), other, np.where(labels == one, one, labels))
        joined[labels == other] = one
        wrong = levels.copy()
        wrong[-1] = joined
        assert right.verdict(communities=joined.astype(np.int32), levels=wrong.astype(np.int32)) == "fail"
    found = right.prover.verdict(
        0, {**right.outputs, "communities": chosen.xp.zeros(n, np.int32)}, right.problem
    )
    assert found is not None
    assert "not those of the last level" in found.message


@BACKENDS
def test_parts_are_told_though_modularity_is_right(backend: str) -> None:
    """Two pairs of vertices at the ends of a path, exchanged, leave all sums as they were."""
    chosen = choose_backend(backend, 2)
    edges = [(0, 1), (2, 3), (4, 5), (6, 7)]
    right = Solved(get_primitive("leiden"), graph_of(8, edges).to(chosen.xp), 0, chosen, {})
    assert right.array("communities").tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    swapped = np.array([0, 1, 1, 0, 2, 2, 3, 3], np.int32)
    levels = right.array("levels")
    levels[-1] = swapped
    found = right.prover.verdict(
        0,
        {**right.outputs, "communities": chosen.xp.asarray(swapped), "levels": chosen.xp.asarray(levels)},
        right.problem,
    )
    assert found is not None
    assert found.verdict == "fail"
    assert "no edge connects parts of a community" in found.message
