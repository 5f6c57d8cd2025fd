"""The graphs that represent a paper's data sets: those of its size and recipe, and no near miss."""

from __future__ import annotations

from typing import Any

import pytest
from records_helper import SIZES, make_record

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.identity import Identity
from gunrock_cli.report.evidence.papers import Papers
from gunrock_cli.report.registry import build

ORIGIN = {"undirected": True, "keep_self_loops": False, "keep_duplicates": False, "generator_version": 1}
DRAWN = {"kind": "rmat", "scale": 21, "edge_factor": 48}
KRON = {**DRAWN, "edges": 48 << 21, "a": 0.57, "b": 0.19, "c": 0.19}
RGG = {"kind": "rgg", "nodes": 2**24, "threshold_factor": 0.55, "radius": None}
RANDOM = {"kind": "random", "nodes": 2_000_000, "edges": 64_000_000}
RMAT = {**DRAWN, "edges": 64_000_000, "a": 0.45, "b": 0.15, "c": 0.15}
GRID = {"kind": "grid2d", "width": 5000, "height": 5000}
CUBE = {"kind": "grid3d", "width": 300, "height": 300, "depth": 300}


def found(
    source: str, name: str, origin: dict[str, Any], vertices: int | None = None, edges: int | None = None
) -> Identity | None:
    record = make_record(graph=name)
    record.graph = {"name": name, "origin": origin}
    if vertices is not None:
        record.graph |= {"vertices": vertices, "edges": edges}
    return ReportData([]).identity(record, source, list(Papers().sizes[source]))


@pytest.mark.parametrize(
    ("source", "dataset", "recipe"),
    [
        ("ppopp16", "kron", KRON),
        ("ppopp16", "rgg", RGG),
        ("merrill12", "random.2Mv.128Me", RANDOM),
        ("merrill12", "rmat.2Mv.128Me", RMAT),
        ("merrill12", "grid5pt.5000", GRID),
        ("merrill12", "grid7pt.300", CUBE),
    ],
)
def test_a_recipe_is_all_that_it_says(source: str, dataset: str, recipe: dict[str, Any]) -> None:
    """A change to any value that makes the graph makes another graph, whatever its name."""
    origin = {**ORIGIN, **recipe}
    assert found(source, "mine", {**origin, "seed": 7}) == Identity(dataset, True)
    for key, value in origin.items():
        if key in ("generator_version", "edge_factor"):  # ``edges`` gives the number drawn
            continue
        other = "road" if key == "kind" else not value if isinstance(value, bool) else (value or 0) + 1
        assert found(source, dataset, {**origin, key: other}) is None, key


@pytest.mark.parametrize(
    ("vertices", "edges", "taken"),
    [
        (2_997_166, 212_698_418, True),
        (3_072_441, 234_370_166, True),
        (2_997_166, 106_349_209, True),  # each counted once
        (2_997_166, 4 * 212_698_418, False),
        (2_997_166, 50_000_000, False),
        (2_000_000, 212_698_418, False),
        (4, 6, False),
        (None, None, True),
    ],
)  # a run that failed early
def test_a_file_has_the_size_of_the_data_set_whose_name_it_has(
    vertices: int | None, edges: int | None, taken: bool
) -> None:
    for name in ("soc", "soc-orkut"):
        identity = found("ppopp16", name, {"kind": "market"}, vertices, edges)
        assert (identity is not None and identity.dataset == "soc") == taken


def test_no_generated_graph_is_a_file() -> None:
    origin = {**ORIGIN, "kind": "road", "nodes": 2_000_000}
    assert found("ppopp16", "roadNet-CA", origin, *SIZES["roadNet-CA"]) is None
    assert found("ppopp16", "roadNet-CA", {"kind": "market"}, *SIZES["roadNet-CA"]) is not None


@pytest.mark.parametrize(
    ("dataset", "origin", "vertices", "edges", "said"),
    [
        (
            "grid5pt.5000",
            GRID,
            25_000_000,
            99_980_000,
            "100M edges here, 125M in the paper, which counts",
        ),
        ("grid7pt.300", CUBE, 27_000_000, 161_460_000, "161.5M edges here, 188.5M in the paper, which"),
        ("random.2Mv.128Me", RANDOM, 2_000_000, 128_000_000, ""),
    ],
)
def test_other_edges_than_the_papers_are_said(
    dataset: str, origin: dict[str, Any], vertices: int, edges: int, said: str
) -> None:
    identity = found("merrill12", "mine", {**ORIGIN, **origin}, vertices, edges)
    assert identity is not None
    assert said in identity.edges
    assert bool(identity.edges) == bool(said)
    assert "".join(mark.sign for mark in identity.marks) == ("‡≠" if said else "‡")


def random_on(devices: int, edges: int, rate: float) -> Record:
    record = make_record(
        "bfs",
        f"random-m{edges}",
        sources=list(range(100)),
        mteps=1e3 * rate,
        options={"direction": "push", "devices": str(devices)},
        id=f"{edges}-{devices}",
    )
    record.graph |= {
        "origin": {**ORIGIN, **RANDOM, "edges": edges},
        "vertices": 2_000_000,
        "edges": 2 * edges,
    }
    record.device = {**record.device, "devices": [{"number": number} for number in range(devices)]}
    return record


@pytest.mark.parametrize("name", ["multi-gpu-figure11", "multi-gpu-figure12"])
def test_graphs_of_other_degrees_have_rows_of_their_own(name: str) -> None:
    records = [
        random_on(devices, edges, rate)
        for edges, rate in ((16_000_000, 59.0), (64_000_000, 232.0), (256_000_000, 359.0))
        for devices in (1, 4)
    ]
    points = build(ReportData(records), [name]).figures[0].points
    column = ("", "four") if name.endswith("11") else ("", "four, distances")
    shown = {row[0]: points.cell(row, column).value for row in points.rows}
    assert (
        shown.items()
        >= {"random-m16000000": 59.0, "random.2Mv.128Me": 232.0, "random-m256000000": 359.0}.items()
    )
