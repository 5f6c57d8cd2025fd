"""Recipes that nothing here can hold are refused in one line, before anything is made."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from gunrock_cli.errors import InputError, OutOfMemory, UsageError
from gunrock_cli.graph.generate import GENERATORS, complete_params, generate_edges
from gunrock_cli.graph.generate.sizes import MAX_DEVICE_EDGES, check_size, expected_edges
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.spec import GraphSpec

DEVICE = ModuleType("cupy")
LARGEST: dict[str, dict[str, Any]] = {
    "rmat": {"scale": 30, "edge_factor": 2**20}, "rgg": {"scale": 30, "radius": 2.0},
    "grid2d": {"width": 46340}, "grid3d": {"width": 1290}, "random": {"nodes": 2**31 - 1,
                                                                      "edges": 2**40},
    "smallworld": {"nodes": 2**31 - 1, "neighbors": 2**20}, "path": {"nodes": 2**31 - 1},
    "star": {"nodes": 2**31 - 1}, "bipartite": {"left": 2**30 - 1, "edge_factor": 2**20},
    "road": {"nodes": 2**31 - 1},
}


@pytest.mark.parametrize("name", GENERATORS)
def test_the_largest_of_each_is_refused_where_memory_is_short(
        name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gunrock_cli.graph.memory.available_bytes", lambda: 1 << 30)
    with pytest.raises(OutOfMemory, match="not enough memory"):
        load_graph(GraphSpec(name, params=LARGEST[name]))


@pytest.mark.parametrize("params", [{"scale": 26}, {"scale": 20, "edges": 2**31}])
def test_more_edges_than_a_device_can_sort(params: dict[str, Any]) -> None:
    full = complete_params("rmat", params)
    with pytest.raises(UsageError, match=r"makes \d+ edges.*at most 2147483647.*smaller"):
        generate_edges("rmat", full, DEVICE)
    check_size("rmat", complete_params("rmat", {"edges": MAX_DEVICE_EDGES}), DEVICE)


@pytest.mark.parametrize("name", sorted(GENERATORS.keys() - {"rgg", "road"}))
def test_the_number_of_edges_is_known_before(name: str) -> None:
    params = complete_params(name, {"depth": 4} if name == "grid3d" else {})
    made = len(generate_edges(name, params, np).src)
    assert 0 <= expected_edges(name, params) - made <= 1


def test_what_a_library_cannot_count_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def overflow(*_: object) -> None:
        raise OverflowError("value too large to convert to int")

    monkeypatch.setattr("gunrock_cli.graph.load.generate_edges", overflow)
    with pytest.raises(InputError, match="rmat-s10-e48 is too large for numpy"):
        load_graph(GraphSpec("rmat"))
