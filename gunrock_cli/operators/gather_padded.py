"""The host's half of ``kernels/operators/gather_padded.cuh``."""

from __future__ import annotations

from gunrock_cli.graph.model.graph import Csr
from gunrock_cli.operators.gather_all import LONGEST_EVEN

WIDTH = 4
"""Entries that a padded list can hold."""
MOST_LONGER = 1 / 32
"""The largest share of the lists that may be longer; these are folded after all others."""


def suits_padding(lists: Csr) -> bool:
    """True if nearly all lists fit, and a copy with that much room for each is not much larger than the
    lists."""
    if lists.n == 0 or lists.longest > LONGEST_EVEN or lists.m > WIDTH * lists.n:
        return False
    return lists.longer_than(WIDTH) <= MOST_LONGER * lists.n


def room_for(lists: Csr) -> int:
    """The size of the copy in words."""
    return WIDTH * lists.n
