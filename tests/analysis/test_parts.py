"""What ``gunrock stats --devices`` says of parts, against the definition."""

from __future__ import annotations

import json
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner
from several import directed_graph

from gunrock_cli.analysis import parts as parts_module
from gunrock_cli.analysis.parts import part_stats
from gunrock_cli.cli.main import cli
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.engine.devices import Devices
from gunrock_cli.errors import OutOfMemory
from gunrock_cli.graph import device, load
from gunrock_cli.graph.drawn_parts import drawn_in_parts
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.parts.partition import partition_of, renumbered
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives.run_options import RunOptions


@pytest.mark.parametrize("kind", ["contiguous", "layered", "striped", "random"])
def test_figures_are_those_of_the_edges(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts_module, "_EDGES_AT_A_TIME", 1000)
    graph = directed_graph(1500, 4000)
    found = part_stats(graph, 3, kind)
    partition = partition_of(graph, 3, kind)
    inner = partition.bounds[1:-1]
    owner = [sum(partition.number(v) >= bound for bound in inner) for v in range(graph.n)]
    pairs = list(zip(graph.csr.sources().tolist(), graph.csr.column_indices.tolist(), strict=True))
    edges = [sum(owner[v] == part for _, v in pairs) for part in range(3)]
    ghosts = [len({u for u, v in pairs if owner[v] == part != owner[u]}) for part in range(3)]
    assert found["cut"] == round(sum(owner[u] != owner[v] for u, v in pairs) / graph.m, 6)
    assert [part["edges"] for part in found["parts"]] == edges
    assert [part["ghosts"] for part in found["parts"]] == ghosts
    assert [part["vertices"] for part in found["parts"]] == np.diff(partition.bounds).tolist()
    assert found["edge_balance"] == round(max(edges) / (graph.m / 3), 4)


def test_a_graph_that_lies_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts_module, "_EDGES_AT_A_TIME", 1000)
    spec = GraphSpec("rmat", params={"scale": 10, "edge_factor": 3}, undirected=False, reverse=True)
    graph = drawn_in_parts(spec, Devices(choose_backend("cpu"), (0, 1, 2)))
    with pytest.MonkeyPatch.context() as patch:  # cut where the parts are
        patch.setattr(parts_module, "partition_of", lambda *_, **__: graph.partition)
        expected = part_stats(load_graph(spec), 3)
    assert part_stats(graph, 3) == expected
    assert 0 < expected["cut"] < 1


def test_auto_says_what_it_took() -> None:
    """Of a mesh whose numbers say nothing of where its vertices lie: layers."""
    grid = load_graph(GraphSpec("grid2d", params={"width": 200, "height": 50}), np)
    assert part_stats(grid, 2)["partition"] == "contiguous"
    shuffled = renumbered(grid, partition_of(grid, 2, "random"))
    found, as_they_are = part_stats(shuffled, 2), part_stats(shuffled, 2, "contiguous")
    assert found["partition"] == "layered"
    assert found["cut"] < 0.02 < 0.4 < as_they_are["cut"]


def test_a_graph_without_edges() -> None:
    found = part_stats(build_graph(5, np.zeros(0, int), np.zeros(0, int), xp=np), 4)
    assert (found["cut"], found["edge_balance"]) == (0.0, 1.0)


def test_the_command_shows_them() -> None:
    words = ["stats", "rmat", "--scale", "9", "--devices", "4", "--backend", "cpu", "--no-diameter"]
    shown = CliRunner().invoke(cli, words)
    assert shown.exit_code == 0, shown.output
    assert "in 4 parts (contiguous)" in " ".join(shown.output.split())
    several = json.loads(CliRunner().invoke(cli, [*words, "--json"]).stdout)["several"]
    assert sum(part["edges"] for part in several["parts"]) > 0
    assert CliRunner().invoke(cli, [*words, "--format", "csv"]).exit_code == 0


def test_what_no_gpu_can_hold_is_drawn_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Teams of the host stand for the GPUs."""
    gpu = SimpleNamespace(
        __name__="cupy",
        ndarray=(),
        get_default_memory_pool=lambda: SimpleNamespace(free_all_blocks=lambda: None),
    )
    words = ["stats", "rmat", "--scale", "9", "--edge-factor", "4", "--devices", "2", "--json"]
    expected = json.loads(CliRunner().invoke(cli, [*words, "--backend", "cpu"]).stdout)

    def too_large(*_: object, **__: object) -> None:
        raise OutOfMemory("not enough memory on the GPU for it")

    monkeypatch.setattr(device, "graph_array_module", lambda _: gpu)
    monkeypatch.setattr(load, "load_graph", too_large)
    traced = partial(RunOptions, trace=True)  # so that all tests share what was compiled
    monkeypatch.setattr("gunrock_cli.primitives.run_options.RunOptions", traced)
    chosen = choose_backend("cpu", 2)
    monkeypatch.setattr("gunrock_cli.engine.backend.choose_backend", lambda *_: chosen)
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output
    assert "gunrock: not enough memory on the GPU for it; in 2 parts instead" in result.stderr
    found = json.loads(result.stdout)
    assert (found["several"].pop("devices"), expected["several"].pop("devices")) == (2, 2)
    assert [part["vertices"] for part in found["several"].pop("parts")] == [256, 256]
    assert found["several"].pop("edge_balance") < 1.3
    assert expected | {"several": None} == found | {"several": None}
