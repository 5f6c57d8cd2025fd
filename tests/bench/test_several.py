"""When several GPUs run on a graph that one holds: if they are predicted to be faster by a fifth."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest
from several import directed_graph

from gunrock_cli.bench.inputs.graphs import several
from gunrock_cli.bench.inputs.sharing import share
from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive

RMAT = load_graph(GraphSpec("rmat", params={"scale": 13}), np)
GRID = load_graph(GraphSpec("grid2d", params={"width": 20, "height": 20}), np)
ALL = 1 << 40


class Gpu(Backend):
    """A stand-in for the GPU that holds the graph."""

    @property
    def xp(self) -> Any:
        return np


def taken(
    monkeypatch: pytest.MonkeyPatch,
    one: tuple[float, float],
    two: tuple[float, float],
    four: tuple[float, float] | None = None,
    *,
    there: int = 2,
    idle: tuple[int, ...] = (ALL,) * 8,
    graph: Graph = RMAT,
    name: str = "bfs",
    devices: str = "auto",
    **given: Any,
) -> tuple[str, str]:
    """The devices, and why, if a run of this graph takes these times (fixed, for its edges)."""
    at = {1: one, 2: two} | ({4: four} if four else {})
    runs = (
        several.Run(0, {count: ms[0] for count, ms in at.items()}),
        several.Run(RMAT.m, {count: sum(ms) for count, ms in at.items()}),
    )
    monkeypatch.setitem(several.MEASURED, name, runs)
    monkeypatch.setattr(several, "count_devices", lambda _: there)
    monkeypatch.setattr(several, "idle_bytes", lambda number: idle[number])
    primitive = get_primitive(name)
    options = primitive.asked(given)
    shared = share(primitive, graph, options, Gpu("cuda", ""), devices)
    assert shared.graph is graph
    return shared.devices, shared.why


def test_two_are_taken_where_they_save_a_fifth_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    name = RMAT.name
    assert taken(monkeypatch, (1, 5), (1, 4.1)) == ("auto", "")
    assert taken(monkeypatch, (1, 5), (1, 3)) == (
        "2",
        f"2 devices: bfs on {name} is predicted to take 4 ms on them, 6 on one",
    )
    assert taken(monkeypatch, (1, 5), (1, 3), there=1) == ("auto", "")
    assert taken(monkeypatch, (1, 5), (1, 3), devices="1") == ("1", "")


def test_the_fastest_number_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the fewest: three, five and more were not measured, so they are no faster."""
    assert taken(monkeypatch, (0, 8), (1, 4), (1, 2), there=8) == (
        "4",
        f"4 devices: bfs on {RMAT.name} is predicted to take 3 ms on them, 8 on one",
    )
    assert taken(monkeypatch, (0, 8), (1, 4), (1, 2), there=3)[0] == "2"
    assert taken(monkeypatch, (0, 8), (1, 4), (1, 5), there=4)[0] == "2"
    assert taken(monkeypatch, (0, 8), (1, 7), (1, 4), there=4)[0] == "4"


@pytest.mark.parametrize(
    ("idle", "found"),
    [
        ((ALL, ALL, ALL, ALL), "4"),
        ((ALL, ALL, 0, ALL), "2"),
        ((ALL, 0, ALL, ALL), "auto"),
        ((1 << 16, ALL, ALL, ALL), "auto"),
    ],
)
def test_who_is_busy_or_full_is_left_alone(
    idle: tuple[int, ...], found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert taken(monkeypatch, (0, 8), (0, 4), (0, 2), there=4, idle=idle)[0] == found


def test_what_was_not_measured_is_not_predicted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is predicted for meshes, directed graphs, other primitives, or options for one device
    only."""
    fast = {"one": (0, 8), "two": (0, 1)}
    assert taken(monkeypatch, **fast)[0] == "2"
    assert taken(monkeypatch, **fast, idempotence=True)[0] == "auto"
    assert taken(monkeypatch, **fast, graph=GRID)[0] == "auto"
    assert taken(monkeypatch, **fast, graph=directed_graph(200, 900))[0] == "auto"
    larger = several.Run(RMAT.m + 1, {1: 8, 2: 1}), several.Run(1e9, {1: 9, 2: 1})
    monkeypatch.setitem(several.MEASURED, "bfs", larger)
    assert several.predicted_ms("bfs", RMAT, 1) is None  # smaller than any measured graph
    mis = get_primitive("mis")
    assert share(mis, RMAT, {}, Gpu("cuda", ""), "auto").devices == "auto"


class Sized:
    """A stand-in for an undirected graph with hubs and this many edges."""

    undirected = True

    def __init__(self, m: int) -> None:
        self.m = m


@pytest.mark.parametrize(
    ("measured", "m", "ms"),
    [
        ("bfs", 181_154_404, {1: 0.0875, 2: 0.0980, 4: 0.0894}),
        ("cc", 181_154_404, {1: 0.0625, 2: 0.123, 3: 0.123}),
        ("cc", 2_103_821_912, {1: 1.65, 2: 0.828, 8: 0.683}),
        ("pagerank by degree", 2_103_821_912, {1: 15.8, 4: 4.66}),
        ("pagerank", 2_103_821_912, {1: 30.7, 4: 17.1}),
    ],
)
def test_what_was_measured_is_predicted(
    measured: str, m: int, ms: dict[int, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Predictions are exact for the measured graphs; another number of devices takes the next smaller
    one's time."""
    monkeypatch.setattr(several, "has_no_hubs", lambda _: False)
    graph: Any = Sized(m)
    found = {devices: several.predicted_ms(measured, graph, devices) for devices in ms}
    assert found == pytest.approx(ms)


def test_ranks_by_degree_are_predicted_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        several.MEASURED,
        "pagerank by degree",
        (several.Run(0, {1: 0, 2: 0}), several.Run(RMAT.m, {1: 5, 2: 4.5})),
    )
    found = taken(monkeypatch, (0, 8), (0, 4.5), name="pagerank")
    assert found == (
        "2",
        f"2 devices: an iteration of pagerank on {RMAT.name} is predicted to take 4.5 "
        "ms on them, 8 on one",
    )
    chooses = import_module("gunrock_cli.primitives.pagerank.choose")
    monkeypatch.setattr(chooses, "pays", lambda *_: True)
    assert taken(monkeypatch, (0, 8), (0, 4.5), name="pagerank") == ("auto", "")


def test_teams_of_the_cpu_backend_share_its_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    faster = several.Run(0, {1: 9, 2: 0}), several.Run(9, {1: 9, 2: 0})
    monkeypatch.setitem(several.MEASURED, "bfs", faster)
    bfs = get_primitive("bfs")
    options = bfs.asked({})
    assert share(bfs, RMAT, options, choose_backend("cpu", 4), "auto").devices == "auto"
