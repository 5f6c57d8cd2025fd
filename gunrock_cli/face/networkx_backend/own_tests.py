"""The hook of NetworkX's own tests: those that ask for the very communities of its seeded generator are
expected to fail, as ours are the same for any seed."""

from __future__ import annotations

from typing import Any

OF_A_SEED = (
    "test_karate_club_partition",
    "test_undirected_selfloops",
    "test_none_weight_param",
    "test_multigraph",  # equal to those of a multigraph, which NetworkX finds
    "test_max_level",  # equal to the levels of louvain_partitions, which NetworkX finds
)
"""Of NetworkX's module test_louvain."""


def on_start_tests(items: list[Any]) -> None:
    """Mark the tests of OF_A_SEED among pytest's items."""
    import pytest

    mark = pytest.mark.xfail(reason="gunrock's communities are the same for any seed, NetworkX's others")
    for item in items:
        if item.path.stem == "test_louvain" and item.name in OF_A_SEED:
            item.add_marker(mark)
