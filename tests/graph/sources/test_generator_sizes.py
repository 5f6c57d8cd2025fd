"""Recipes too large for this machine are refused in one line, before anything is made."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from gunrock_cli.errors import InputError, OutOfMemory, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model import memory
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.sources.files.writers import write_graph
from gunrock_cli.graph.sources.generate import GENERATORS, complete_params, generate_edges
from gunrock_cli.graph.sources.generate.sizes import MAX_DEVICE_EDGES, check_size, expected_edges
from gunrock_cli.graph.spec import GraphSpec

DEVICE = ModuleType("cupy")
LARGEST: dict[str, dict[str, Any]] = {
    "rmat": {"scale": 30, "edge_factor": 2**20},
    "rgg": {"scale": 30, "radius": 2.0},
    "grid2d": {"width": 46340},
    "grid3d": {"width": 1290},
    "random": {"nodes": 2**31 - 1, "edges": 2**40},
    "smallworld": {"nodes": 2**31 - 1, "neighbors": 2**20},
    "path": {"nodes": 2**31 - 1},
    "star": {"nodes": 2**31 - 1},
    "bipartite": {"left": 2**30 - 1, "edge_factor": 2**20},
    "road": {"nodes": 2**31 - 1},
    "rgg3d": {"nodes": 2**31 - 1},
    "tree": {"nodes": 2**31 - 1},
    "regular": {"nodes": 2**30, "degree": 2**20},
    "kary": {"nodes": 2**31 - 1},
    "caterpillar": {"nodes": 2**31 - 1},
    "hubtree": {"nodes": 2**31 - 1},
    "mesh": {"width": 46340},
    "banded": {"nodes": 2**31 - 1, "hubs": 2**31 - 1, "hub_degree": 2**31 - 1},
    "powerlaw": {"nodes": 2**31 - 1, "edges": 0},
    "hosts": {"nodes": 2**31 - 1, "edges": 0},
    "joined": {"nodes": 1, "length": 2**31 - 2},
    "tailed": {"nodes": 1, "fans": 2**31 - 2 - 1001},
}


@pytest.mark.parametrize("name", GENERATORS)
def test_the_largest_of_each_is_refused_where_memory_is_short(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gunrock_cli.graph.model.memory.available_bytes", lambda: 1 << 30)
    with pytest.raises(OutOfMemory, match="not enough memory"):
        load_graph(GraphSpec(name, params=LARGEST[name]))


@pytest.mark.parametrize("params", [{"scale": 26}, {"scale": 20, "edges": 2**31}])
def test_more_edges_than_a_device_can_sort(params: dict[str, Any]) -> None:
    full = complete_params("rmat", params)
    with pytest.raises(UsageError, match=r"makes \d+ edges.*at most 2147483647.*smaller"):
        generate_edges("rmat", full, DEVICE)
    check_size("rmat", complete_params("rmat", {"edges": MAX_DEVICE_EDGES}), DEVICE)


@pytest.mark.parametrize("name", sorted(GENERATORS.keys() - {"rgg", "rgg3d", "road"}))
def test_the_number_of_edges_is_known_before(name: str) -> None:
    params = complete_params(name, {"depth": 4} if name == "grid3d" else {})
    made = len(generate_edges(name, params, np).src)
    assert expected_edges(name, params) == made


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("rgg", {"mean_degree": 20.0}),
        ("rgg", {"radius": 1e308}),
        ("rgg3d", {"mean_degree": 20.0}),
        ("rgg3d", {"radius": 1e308}),
        ("rgg", {"nodes": 1}),
    ],
)
def test_about_the_number_of_close_pairs_is_known_before(name: str, params: dict[str, Any]) -> None:
    full = complete_params(name, params)
    made = len(generate_edges(name, full, np).src)
    assert made <= 1.05 * expected_edges(name, full) <= 1.4 * made


def test_rows_of_a_file_that_a_device_cannot_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "g.gcsr"
    write_graph(load_graph(GraphSpec("path", params={"nodes": 1000})), str(path), "binary")
    monkeypatch.setattr("gunrock_cli.graph.model.memory.available_device_bytes", lambda: 11_000)
    with pytest.raises(
        OutOfMemory,
        match=r"on the GPU for path-n1000: 1000 vertices and 1998 directed "
        r"edges: it needs about 0\.0 MiB, and 0\.0 MiB are free",
    ):
        load_graph(GraphSpec("binary", path=str(path)), DEVICE)


def test_edges_that_a_device_cannot_sort(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = np.zeros(5, np.int32)
    monkeypatch.setattr("gunrock_cli.graph.model.memory.available_device_bytes", lambda: 100)
    with pytest.raises(OutOfMemory, match="on the GPU for net: 3 vertices and up to 10 edges"):
        build_graph(3, ends, ends, name="net", xp=DEVICE)


def test_weights_that_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = load_graph(GraphSpec("path", params={"nodes": 1000}))
    monkeypatch.setattr("gunrock_cli.graph.model.memory.available_bytes", lambda: 7_000)
    for weights in ("unit", "random"):
        with pytest.raises(OutOfMemory, match="path-n1000: weights of 1998 directed edges"):
            with_weights(graph, weights)
    assert with_weights(graph, "none").m == 1998


def test_limits_of_the_process_and_its_group_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Containers and batch systems kill processes that take more, whatever the machine has."""
    monkeypatch.setattr(memory, "_left_of_group", lambda: 12345)
    assert memory.available_bytes() == 12345
    monkeypatch.setattr("resource.getrlimit", lambda _: (0, 0))
    assert memory.available_bytes() == 0
    group = tmp_path / "job"
    group.mkdir()
    assert memory._left_of(group) is None
    (group / "memory.max").write_text("5000\n")
    (group / "memory.current").write_text("3000\n")
    (group / "memory.stat").write_text("anon 2600\ninactive_file 400\n")
    assert memory._left_of(group) == 2400
    (group / "memory.max").write_text("max\n")
    assert memory._left_of(group) is None


def test_the_least_of_the_limits_of_a_group_and_those_above_it_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "user" / "job"
    own.mkdir(parents=True)
    for group, limit in ((tmp_path / "user", "5000"), (own, "9000")):
        (group / "memory.max").write_text(limit)
        (group / "memory.current").write_text("3000")
        (group / "memory.stat").write_text("inactive_file 0\n")
    (tmp_path / "cgroup").write_text("0::/user/job\n")
    monkeypatch.setattr(memory, "_OWN_GROUP", tmp_path / "cgroup")
    monkeypatch.setattr(memory, "_GROUPS", tmp_path)
    assert memory._left_of_group() == 2000
    (tmp_path / "user" / "memory.max").write_text("max")
    assert memory._left_of_group() == 6000


def test_what_a_library_cannot_count_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def overflow(*_: object) -> None:
        raise OverflowError("value too large to convert to int")

    monkeypatch.setattr("gunrock_cli.graph.load.generate_edges", overflow)
    with pytest.raises(InputError, match="rmat-s10-e48 is too large for numpy"):
        load_graph(GraphSpec("rmat"))
