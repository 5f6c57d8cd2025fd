"""Ranges of places against Python's."""

from __future__ import annotations

import numpy as np
import pytest

from gunrock_cli.graph.model.ranges import ranges, shares


@pytest.mark.parametrize(
    ("begins", "lengths"), [([], []), ([5], [0]), ([3, 9, 0], [2, 0, 4]), ([7, 7], [1, 3])]
)
def test_ranges_stand_one_after_the_other(begins: list[int], lengths: list[int]) -> None:
    found = ranges(np.array(begins, np.int32), np.array(lengths, np.int32))
    pairs = zip(begins, lengths, strict=True)
    assert found.tolist() == [place for begin, length in pairs for place in range(begin, begin + length)]


@pytest.mark.parametrize("most", [1, 4, 10, 100])
def test_shares_are_as_long_as_they_may_be(most: int) -> None:
    amounts = np.array([3, 0, 1, 9, 2, 2, 0, 4, 1])
    found = list(shares(amounts, most))
    assert [first for first, _ in found] == [0, *(last for _, last in found[:-1])]
    assert found[-1][1] == len(amounts)
    for first, last in found:
        assert last == first + 1 or amounts[first:last].sum() <= most
        assert last == len(amounts) or amounts[first : last + 1].sum() > most


def test_nothing_has_no_shares() -> None:
    assert list(shares(np.array([], np.int64), 3)) == []
