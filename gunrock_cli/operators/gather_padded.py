"""The host's half of ``kernels/operators/gather_padded.cuh``."""

from __future__ import annotations

from gunrock_cli.graph.model import Csr
from gunrock_cli.operators.gather_all import LONGEST_EVEN

WIDTH = 4
"""Entries that a padded list has room for."""
MOST_LONGER = 1 / 32
"""The largest share of the lists that may be longer: they are folded when all others are."""


def suits_padding(lists: Csr) -> bool:
    """Whether next to all lists fit, and a copy with room for so many is not much larger than they."""
    if lists.n == 0 or lists.longest > LONGEST_EVEN or lists.m > WIDTH * lists.n:
        return False
    return int((lists.degrees() > WIDTH).sum()) <= MOST_LONGER * lists.n


def room_for(lists: Csr) -> int:
    """Words that the copy takes."""
    return WIDTH * lists.n
