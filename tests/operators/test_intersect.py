"""Common entries of lists against Python's sets: lists for blocks and for warps, of lengths beyond a
table's and numbers beyond a window's bits."""

from __future__ import annotations

import numpy as np
import pytest
from operators.cases import BACKENDS, Numbers, One, random_graph, run

from gunrock_cli.operators.launch_shapes import INTERSECT

GRAPH = random_graph(2, 2, 0)
"""No list of the graph is read."""
Lists = list[list[int]]
CALLS = pytest.mark.parametrize("calls", [0, 1])
BACKEND = pytest.mark.parametrize("backend", BACKENDS)


def packed(lists: Lists) -> tuple[Numbers, Numbers]:
    lengths = [len(entries) for entries in lists]
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    return offsets, np.array([u for entries in lists for u in entries], np.int32)


def check(
    lists: Lists,
    partners: Lists,
    backend: str,
    calls: int,
    long_lists: int,
    uneven: int,
    streamed: Lists | None = None,
) -> int:
    """Entries of a list are smaller than its vertex, unless other lists are ``streamed``; of its partners
    all vertices may be."""
    n, rooms, falling = len(lists), 3, streamed is None
    streamed = lists if streamed is None else streamed
    words = {name: np.zeros(n, np.uint64) for name in ("of_x", "of_y", "of_w", "times")}
    offsets, columns = packed(lists)
    partner_offsets, partner_columns = packed(partners)
    streamed_offsets, streamed_columns = packed(streamed)
    arrays = {
        "offsets": offsets,
        "columns": columns,
        "streamed_offsets": streamed_offsets,
        "streamed_columns": streamed_columns,
        "partner_offsets": partner_offsets,
        "partner_columns": partner_columns,
        "count": n,
        "falling": int(falling),
        "long_lists": long_lists,
        "uneven": uneven,
        "tickets": np.zeros(2, np.uint64),
        "marks": np.zeros(rooms * (-(-n // 32)), np.uint32),
        "rooms": rooms,
        "total": np.zeros(1, np.uint64),
        **words,
    }
    found = run(
        One("intersect.cuh", arrays, ("total", *words), INTERSECT, GR_CALLS=calls, GR_SHARED_CACHE=2),
        GRAPH,
        backend,
    )
    expected = {name: np.zeros(n, np.uint64) for name in words}
    for x, own in enumerate(partners):
        for y in own:
            common = sorted(set(lists[x]) & set(streamed[y]))
            expected["of_x"][x] += np.uint64(len(common))
            expected["of_y"][y] += np.uint64(len(common))
            for w in common:
                expected["of_w"][w] += np.uint64(1000 * x + y)
                expected["times"][w] += np.uint64(1)
    total = int(expected["of_x"].sum())
    assert found["total"].tolist() == [total]
    for name, words_expected in expected.items():
        np.testing.assert_array_equal(found[name], words_expected if calls else 0, err_msg=name)
    return total


def drawn(n: int, mean: int, seed: int) -> tuple[Lists, Lists]:
    """Random lists, half of them short, and random partners; some rows have neither."""
    draw = np.random.default_rng(seed)
    lists, partners = [], []
    for x in range(n):
        most = min(x, mean if x % 2 else 3)
        lists.append(draw.permutation(x)[: draw.integers(0, most + 1)].tolist())
        partners.append(draw.permutation(n)[: draw.integers(0, mean) if x % 3 else 0].tolist())
    return lists, partners


@BACKEND
@CALLS
@pytest.mark.parametrize("n", [1, 2, 5, 40])
def test_random_lists(n: int, calls: int, backend: str) -> None:
    for long_lists, uneven in ((0, 0), (0, n // 2), (n // 3, n), (n, n)):
        total = check(*drawn(n, 30, n), backend, calls, long_lists, uneven)
        assert total or n < 40


@BACKEND
@CALLS
@pytest.mark.parametrize("long_lists", [0, 100])
def test_lists_beyond_a_table(long_lists: int, calls: int, backend: str) -> None:
    """Lists of up to a hundred entries; a table on lanes holds a few."""
    lists = [list(range(x)) for x in range(100)]
    partners: Lists = [[] for _ in range(97)] + [[99, 3], [96, 98], [50, 97, 0]]
    assert check(lists, partners, backend, calls, long_lists, 0) == 97 + 3 + 96 + 98 + 50 + 97


@BACKEND
def test_numbers_beyond_the_bits(backend: str) -> None:
    """Windows of bits, which on lanes are 4096 vertices wide."""
    n = 9000
    lists: Lists = [[] for _ in range(n)]
    lists[8999] = [0, 31, 4095, 4096, 8191, 8192, 8998]
    lists[8998] = [5, 31, 4095, 4097, 8192, 8997]
    lists[4100] = [0, 4096, 4099]
    partners: Lists = [[] for _ in range(n)]
    partners[8999] = [8998, 4100]
    assert check(lists, partners, backend, 1, n, n) == 5


@BACKEND
@pytest.mark.parametrize("n", [2, 40, 5000])
def test_lists_of_two_kinds(n: int, backend: str) -> None:
    """Entries beyond their vertex and, on lanes, beyond a window of 4096."""
    draw = np.random.default_rng(n)
    few = [0, 1, n // 2, n - 2, n - 1]
    marked, streamed, partners = (
        [draw.permutation(n)[: draw.integers(0, 40)].tolist() if x in few else [] for x in range(n)]
        for _ in range(3)
    )
    marked[0], streamed[n - 1], partners[0] = [n - 1, 0], [0, n - 1], [n - 1]
    for long_lists, uneven in ((0, n), (1, n), (n, n)):
        assert check(marked, partners, backend, 1, long_lists, uneven, streamed) >= 2


@BACKEND
def test_no_lists(backend: str) -> None:
    assert check([[], [], []], [[1, 2], [], [0]], backend, 1, 1, 2) == 0
