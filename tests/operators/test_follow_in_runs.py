"""Chains of vertices against a walk along each: where it leaves its first vertex's run, or ends."""

from __future__ import annotations

import numpy as np
import pytest
from operators.cases import Numbers, One, directed, run

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
SIZES = (1, 2, 31, 33, 1000, 70_001)


def walked(leads: Numbers, length: int) -> Numbers:
    at = start = np.arange(len(leads))
    while True:
        further = np.where(at // length == start // length, leads[at], at)
        if (further == at).all():
            return at
        at = further


def check(leads: Numbers, backend: str, threads: int = 3) -> None:
    n, none = len(leads), np.zeros(0, np.int64)
    arrays = {
        "leads": leads.astype(np.int32),
        "links": np.full(n, -1, np.int32),
        "length": np.zeros(1, np.int64),
    }
    found = run(
        One("follow_in_runs.cuh", arrays, ("links", "length")),
        directed(n, none, none),
        backend,
        threads=threads,
    )
    length = int(found["length"][0])
    assert length > 0
    np.testing.assert_array_equal(found["links"], walked(leads, length))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("n", SIZES)
def test_each_vertex_leads_to_some_vertex_before_it(n: int, backend: str) -> None:
    draw = np.random.default_rng(n)
    v = np.arange(n)
    for threads, back in ((1, n), (2, 40), (7, 1500)):
        ends = draw.random(n) < 0.02
        leads = np.where(ends, v, np.maximum(0, v - draw.integers(1, back + 1, n)))
        check(leads, backend, threads)


@pytest.mark.parametrize("backend", BACKENDS)
def test_chains_go_forth_as_well_as_back(backend: str) -> None:
    """Drawn ranks make such chains: nothing is known but that no chain comes back."""
    draw = np.random.default_rng(0)
    rank = draw.permutation(5000)
    near = np.clip(np.arange(5000) + draw.integers(-60, 61, 5000), 0, 4999)
    check(np.where(rank[near] < rank, near, np.arange(5000)), backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_one_chain_of_all(backend: str) -> None:
    check(np.maximum(np.arange(20_000) - 1, 0), backend)
    check(np.minimum(np.arange(20_000) + 1, 19_999), backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_each_is_by_itself(backend: str) -> None:
    check(np.arange(3000), backend)
