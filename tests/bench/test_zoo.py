"""The zoo's plans: the graphs that they ask about, each of which can run."""

from __future__ import annotations

from pathlib import Path

import pytest

from gunrock_cli.bench.sweeps.plan import Plan, read_plan
from gunrock_cli.cli.graph_options import graph_spec_of
from gunrock_cli.cli.sweep_cells import read_cells
from gunrock_cli.graph.sources.generate import GENERATORS, complete_params
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import primitive_names

FOLDER = Path(__file__).parents[2] / "benchmarks"


def graphs_of(name: str) -> tuple[Plan, dict[str, GraphSpec]]:
    path = FOLDER / f"{name}.toml"
    plan = read_plan(path)
    return plan, {
        cell.graph.label: graph_spec_of(values)
        for cell, (_, values) in zip(plan.cells, read_cells(plan, path), strict=True)
    }


def size(spec: GraphSpec) -> tuple[int, int]:
    """The number of vertices, and of edges in both directions if the graph has both."""
    generator, params = GENERATORS[spec.kind], complete_params(spec.kind, spec.params)
    return generator.vertices(params), generator.edges(params) * (2 if spec.undirected else 1)


@pytest.fixture(scope="module")
def zoo() -> tuple[Plan, dict[str, GraphSpec]]:
    return graphs_of("zoo")


def test_every_primitive_is_asked_about_every_graph_that_it_takes(
    zoo: tuple[Plan, dict[str, GraphSpec]],
) -> None:
    plan, graphs = zoo
    asked = {(cell.name, cell.graph.label) for cell in plan.cells}
    too_long = {"cliques"}  # dense graphs have so many that a proof takes hours
    too_long |= {"distances", "closeness", "eccentricity"}  # meshes have levels by the thousand
    both_ways = {"mis", "color", "louvain", "leiden", "mst", "matching", "triangles", "kcore", "ktruss"}
    both_ways |= {"biconnected"}
    assert asked == {
        (name, graph)
        for name in primitive_names()
        for graph, spec in graphs.items()
        if (spec.undirected or name not in both_ways) and name not in too_long
    }


def test_every_shape_is_there_in_a_size_that_counts(zoo: tuple[Plan, dict[str, GraphSpec]]) -> None:
    _, graphs = zoo
    assert len(graphs) >= 30
    assert set(GENERATORS) - {spec.kind for spec in graphs.values()} == {"path"}
    for name, spec in graphs.items():
        assert 2_000_000 <= size(spec)[1] <= 64_000_000, name


def test_the_small_zoo_is_the_same_at_a_tenth(zoo: tuple[Plan, dict[str, GraphSpec]]) -> None:
    plan, graphs = zoo
    small_plan, small = graphs_of("zoo-small")
    assert [cell.label for cell in small_plan.cells] == [cell.label for cell in plan.cells]
    for name, spec in small.items():
        assert spec.kind == graphs[name].kind
        ratio = size(graphs[name])[1] / size(spec)[1]
        assert 6 < ratio < 13, name
