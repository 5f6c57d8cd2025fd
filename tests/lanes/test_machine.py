"""The lanes backend itself: operations of warps and blocks, orders drawn from a seed, and reports of
threads that wait for each other in vain."""

from __future__ import annotations

import numpy as np
import pytest
from lanes.running import Numbers, machine

from gunrock_cli.engine.lanes import Lanes
from gunrock_cli.errors import BackendError

WARP, BLOCK, BLOCKS = 4, 8, 3


def words(case: int, seed: int = 0) -> Numbers:
    return machine(case).answer(seed=seed)["words"][: BLOCKS * BLOCK]


def test_the_order_of_threads_is_the_seeds() -> None:
    order = machine(0)
    found = [tuple(order.answer(seed=seed)["words"][:24]) for seed in (0, 1, 2, 0, 1, 2)]
    assert found[:3] == found[3:]
    assert len(set(found)) == 3
    assert all(sorted(each) == list(range(24)) for each in found)


def test_operations_of_a_warp() -> None:
    lane = np.arange(BLOCKS * BLOCK) % WARP
    before, twins = np.cumsum(range(WARP))[lane], np.where(lane < 2, 0b0011, 0b1100)
    expected = 0b1010 | 6 << 4 | before << 8 | twins << 12 | (lane + 1) % WARP << 16 | 1 << 20
    for seed in range(8):
        np.testing.assert_array_equal(words(1, seed), expected)


def test_operations_of_a_block() -> None:
    thread = np.arange(BLOCKS * BLOCK) % BLOCK
    for seed in range(8):
        np.testing.assert_array_equal(words(2, seed), thread * (thread - 1) // 2 | 28 << 8 | 2 << 16)


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize(
    ("case", "why", "where"),
    [
        (
            3,
            "lanes of a warp wait for each other at different operations",
            "warp_ballot (machine.cuh:26)",
        ),
        (4, "no thread can go on", "warp_sync (machine.cuh:29) for lanes 0,1,2,3"),
        (
            5,
            "threads of a block wait for each other at different barriers",
            "block_sync (machine.cuh:31)",
        ),
        (6, "all only look, and nobody has written for long", "pause (machine.cuh:34)"),
        (
            7,
            "a block's barrier waits for a thread that has ended|a thread has ended that its block's "
            "barrier",
            "has ended",
        ),
    ],
)
def test_what_cannot_go_on_is_reported(case: int, why: str, where: str, apart: bool) -> None:
    if apart and case == 6:
        return  # blocks on their own threads are given longer
    with pytest.raises(BackendError, match=why) as report:
        machine(case, Lanes(blocks=2, seed=1, apart=apart)).answer(seed=1)
    assert where in str(report.value)
    assert "seed 1" in str(report.value)


def test_some_order_shows_what_nobody_waits_for() -> None:
    thread = np.arange(BLOCKS * BLOCK) % BLOCK
    hasty = machine(8)
    found = [hasty.answer(seed=seed)["words"][: BLOCKS * BLOCK] for seed in range(8)]
    assert any((each != (thread + 1) % BLOCK).any() for each in found)
