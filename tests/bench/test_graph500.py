"""The Graph500 benchmark end to end: its counting against raw edges, its keys, wrong trees."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from several import backend_of

from gunrock_cli.bench.studies import graph500
from gunrock_cli.cli.main import main
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.sources.generate import complete_params, generate_edges

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
STATISTICS = ["min", "firstquartile", "median", "thirdquartile", "max", "mean", "stddev"]
KEYS = [
    "SCALE",
    "edgefactor",
    "NBFS",
    "graph_generation",
    "num_mpi_processes",
    "construction_time",
    *(f"bfs  {name}_time" for name in STATISTICS),
    *(f"sssp {name}_time" for name in STATISTICS),
    *(f"{name}_nedge" for name in STATISTICS),
    *(
        f"{label}{name}_TEPS"
        for label in ("bfs  ", "sssp ")
        for name in [*STATISTICS[:5], "harmonic_mean", "harmonic_stddev"]
    ),
    *(f"bfs  {name}_validate" for name in STATISTICS),
    *(f"sssp {name}_validate" for name in STATISTICS),
]


@pytest.mark.parametrize("backend", BACKENDS)
def test_several_devices_draw_their_parts(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The roots and edges are one device's, and no memory holds the whole graph."""
    chosen = choose_backend(backend, 2)
    if backend == "cuda":
        backend_of(backend)
    alone = graph500.run(10, 2, 6, 3, chosen)
    for whole in ("generate_edges", "load_graph"):
        monkeypatch.setattr(graph500, whole, lambda *_: pytest.fail("a whole graph"))
    several = graph500.run(10, 2, 6, 3, chosen, devices="2")
    assert several.roots == alone.roots
    assert several.kernels["bfs"].edges == alone.kernels["bfs"].edges
    assert several.kernels["bfs"].cut_s > 0


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("devices", ["auto", "2"])
def test_edges_are_the_inputs_in_the_roots_component(devices: str, backend: str) -> None:
    chosen = choose_backend(backend, 2)
    if backend == "cuda" and devices != "auto":
        backend_of(backend)  # skips if there is none
    found = graph500.run(9, 2, 10, 3, chosen, sssp=True, devices=devices)
    assert (found.kernels["bfs"].cut_s > 0) == (devices != "auto")
    raw = generate_edges("rmat", complete_params("rmat", {"scale": 9, "edge_factor": 2, "seed": 3}), np)
    graph: Any = nx.Graph()
    ends = list(zip(raw.src.tolist(), raw.dst.tolist(), strict=True))
    graph.add_edges_from(ends)
    for kernel in ("bfs", "sssp"):
        for root, edges in zip(found.roots, found.kernels[kernel].edges, strict=True):
            component = nx.node_connected_component(graph, root)
            assert edges == sum(u in component for u, _ in ends)
    assert len(set(found.roots)) == 10


def test_the_result_has_the_reference_implementations_keys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "result.txt"
    main(
        [
            "graph500",
            "--scale",
            "8",
            "--roots",
            "5",
            "--sssp",
            "--backend",
            "cpu",
            "--threads",
            "2",
            "--output",
            str(file),
        ]
    )
    text = capsys.readouterr().out
    assert text == file.read_text()
    lines = text.splitlines()
    assert [line.partition(":")[0] for line in lines] == KEYS
    assert [line for line in lines if "!" in line] == [line for line in lines if "harmonic_mean" in line]
    assert {line.index(line.split(":")[1].strip(" !")) for line in lines} == {32}


def test_statistics_follow_their_definitions() -> None:
    searches = graph500.Searches([1.0, 2.0, 4.0], [8, 8, 8], [0.1, 0.1, 0.1])
    table = graph500.keys(graph500.Result(3, 1, 0.5, 0.25, [0, 1, 2], {"bfs": searches}))
    assert table["bfs  harmonic_mean_TEPS"] == pytest.approx(24 / 7)
    each = np.array([1, 2, 4]) / 8
    assert table["bfs  harmonic_stddev_TEPS"] == pytest.approx(
        each.std(ddof=1) / (each.mean() ** 2 * math.sqrt(2))
    )
    assert (table["bfs  min_TEPS"], table["bfs  median_TEPS"], table["bfs  max_TEPS"]) == (2, 4, 8)
    assert table["bfs  firstquartile_time"] == 1.0
    assert math.isnan(
        graph500.keys(graph500.Result(3, 1, 0, 0, [0], {"bfs": graph500.Searches([1.0], [8], [0.1])}))[
            "bfs  stddev_time"
        ]
    )


@pytest.mark.parametrize("n", [*range(1, 14), 64])
def test_quartiles_are_those_of_the_reference_implementation(n: int) -> None:
    """Its get_statistics takes means of the values at two indices of the sorted values."""
    times = np.random.default_rng(n).permutation(np.arange(1.0, n + 1) ** 2).tolist()
    searches = graph500.Searches(times, [8] * n, [0.1] * n)
    table = graph500.keys(graph500.Result(3, 1, 0, 0, list(range(n)), {"bfs": searches}))
    x, last = sorted(times), n - 1
    first, median, third = (
        (
            (x[last // 4] + x[n // 4]) / 2,
            (x[last // 2] + x[n // 2]) / 2,
            (x[last - last // 4] + x[last - n // 4]) / 2,
        )
        if n > 1
        else x * 3
    )
    assert [table[f"bfs  {name}_time"] for name in STATISTICS[1:4]] == [first, median, third]
    assert [table[f"bfs  {name}_TEPS"] for name in STATISTICS[1:4]] == pytest.approx(
        [8 / third, 8 / median, 8 / first]
    )


def test_a_wrong_tree_ends_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from gunrock_cli.primitives.bfs.variants import Search

    honest = Search.outputs

    def wrong(self: Search, problem: dict[str, Any]) -> dict[str, Any]:
        found = honest(self, problem)
        reached = np.flatnonzero(found["labels"] > 0)
        found["predecessors"][reached[0]] = reached[0]
        return found

    monkeypatch.setattr(Search, "outputs", wrong)
    with pytest.raises(SystemExit) as left:
        main(["graph500", "--scale", "6", "--roots", "2", "--backend", "cpu", "--threads", "2"])
    assert left.value.code == 1
    shown = capsys.readouterr()
    assert "predecessor" in shown.err.splitlines()[-1]
    assert shown.out == ""


def test_json_has_every_search(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "graph500",
        "--scale",
        "6",
        "--edge-factor",
        "4",
        "--backend",
        "cpu",
        "--threads",
        "2",
        "--json",
    ]
    main([*words, "--roots", "1"])
    assert json.loads(capsys.readouterr().out)["result"]["bfs  stddev_time"] is None
    main([*words, "--roots", "200"])
    found = json.loads(capsys.readouterr().out)
    count = len(found["roots"])
    assert 2 < count <= 64  # at most the vertices that have an edge
    assert len(found["searches"]["bfs"]["seconds"]) == found["result"]["NBFS"] == count
