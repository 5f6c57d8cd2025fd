"""Loops over indices as dealt to a grid: each index once, and neighbours to one core."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from operators.cases import Numbers, One, directed, run

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
VISITS = ("singly", "batched", "shared", "plain")
COUNTS = (0, 1, 15, 16, 17, 100, 4097, 70_001)
LINE = 16  # words of 32 bits


def dealt(count: int, begin: int, most: int, backend: str, threads: int = 2) -> dict[str, Numbers]:
    arrays = {
        **{name: np.zeros(count, np.uint32) for name in VISITS},
        "owner": np.full(count, -1, np.int32),
        "count": count,
        "begin": begin,
        "most": most,
    }
    none = np.zeros(0, np.int64)
    return run(
        One("partition.cuh", arrays, (*VISITS, "owner")),
        directed(1, none, none),
        backend,
        threads=threads,
    )


@pytest.mark.parametrize("backend", BACKENDS)
def test_each_index_comes_once(backend: str) -> None:
    for count, begin, most, threads in product(COUNTS, (0, 5), (16, 512, 65536), (1, 2, 3, 7)):
        found = dealt(count, begin, most, backend, threads)
        for name in VISITS:
            assert (found[name] == 1).all(), (name, count, begin, most, threads)


def test_a_line_of_memory_is_one_cores() -> None:
    for count, most, threads in product(COUNTS, (16, 512, 65536), (2, 3, 7)):
        owner = dealt(count, 0, most, "cpu", threads)["owner"]
        for at in range(0, count, LINE):
            assert len(set(owner[at : at + LINE])) == 1
        if count >= 64 * threads:  # and every core has some
            assert set(owner) == set(range(threads))
