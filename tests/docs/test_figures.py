"""Tables of figures in docs agree with the records, to the digits given."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from script_helper import load_benchmark

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.plain_runs import is_plain

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = ("bfs", "sssp", "bc", "cc", "pagerank")
GRAPHS = {
    "R-MAT 26, edge factor 16": "rmat-s26-e16",
    "R-MAT 25, edge factor 16": "rmat-s25-e16",
    "R-MAT 21, edge factor 48": "rmat-s21-e48",
    "R-MAT 20, edge factor 48": "rmat-s20-e48",
    "lattice 1414 x 1414": "grid2d-1414x1414",
    "lattice 1414": "grid2d-1414x1414",
    "rgg_n_2_24": "rgg-n16777216",
    "random.2Mv.128Me": "random-n2000000-m64000000",
    "rmat.2Mv.128Me": "rmat-s21-m64000000",
    "grid7pt.300": "grid3d-300x300x300",
    "grid5pt.5000": "grid2d-5000x5000",
    "USA-road-NE": "USA-road-NE",
    "cnr-2000": "cnr-2000",
}


def records(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (ROOT / "results" / name).read_text().splitlines()]


def cells(page: str) -> Iterator[list[str]]:
    for line in (ROOT / page).read_text().splitlines():
        if line.startswith("| "):
            yield [cell.strip() for cell in line.strip("| ").split("|")]


def figure(record: dict[str, Any]) -> float:
    return float(record["metrics"].get("iteration_ms") or record["time_ms"]["mean"])


def given(text: str) -> float:
    return float(text.partition(" ")[0])


def on_one() -> dict[tuple[str, str], dict[str, Any]]:
    return {
        (each["primitive"], each["graph"]["name"]): each
        for name in ("generated", "own")
        for each in records(f"h200/{name}.jsonl")
        if is_plain(Record.from_dict(each))
    }


def test_the_goals() -> None:
    found, rows = on_one(), 0
    graphs = (
        "R-MAT 21, edge factor 48",
        "R-MAT 20, edge factor 48",
        "lattice 1414",
        "USA-road-NE",
        "rgg_n_2_24",
        "cnr-2000",
    )
    for row in cells("docs/decisions/README.md"):
        primitive = row[0].partition(",")[0].lower()
        if len(row) != 7 or primitive not in COLUMNS or "(" not in row[1]:
            continue
        rows += 1
        for graph, text in zip(graphs, row[1:], strict=True):
            record = found[primitive, GRAPHS[graph]]
            assert f"{figure(record):.3g}" == f"{given(text):.3g}", (row[0], graph)
    assert rows == len(COLUMNS)


def test_the_table_of_growing_graphs() -> None:
    """The benchmark makes ``scaling.md`` from the records."""
    folder = ROOT / "results" / "h200"
    made = load_benchmark("scaling").table((folder / "scaling.jsonl").read_text().splitlines())
    assert (folder / "scaling.md").read_text() == made + "\n"


def test_classics() -> None:
    """Every record on these graphs is in the page's first table, ECL's next to ours."""
    columns = (
        ("mst", "gunrock"),
        ("mst", "ecl-mst"),
        ("mis", "gunrock"),
        ("mis", "ecl-mis"),
        ("color", "gunrock"),
        ("color", "ecl-gc"),
        ("matching", "gunrock"),
        ("louvain", "gunrock"),
    )
    found = {
        (each["primitive"], each["system"], each["graph"]["name"]): f"{figure(each):.3g}"
        for each in records("h200/classics.jsonl")
    }
    rows = [row for row in cells("docs/classics.md") if row[0] in GRAPHS][:6]
    assert len({row[0] for row in rows}) == 6
    for row in rows:
        told = [*row[1:], *[""] * (len(columns) + 1 - len(row))]
        assert told == [found.get((*column, GRAPHS[row[0]]), "") for column in columns], row[0]


def test_growing_graphs() -> None:
    """Each row agrees with the record of its scale; PageRank's time is of an iteration."""
    columns = ("bfs", "cc", "pagerank", "layout", "sssp", "bc")
    found = {
        (each["graph"]["name"], each["primitive"]): figure(each) for each in records("h200/scaling.jsonl")
    }
    for each in records("h200/scaling.jsonl"):
        if "renumber_ms" in each["metrics"]:
            found[each["graph"]["name"], "layout"] = each["metrics"]["renumber_ms"]
    edges = {
        each["graph"]["name"]: f"{each['graph']['edges']:,}" for each in records("h200/scaling.jsonl")
    }
    rows = [row for row in cells("docs/graphs.md") if len(row) == 8 and re.match("[0-9]+$", row[0])]
    assert len(rows) > 3
    for scale, count, *told in rows:
        graph = f"rmat-s{scale}-e16"
        assert count == edges[graph]
        assert told == [
            f"{found[graph, each]:.3g}" if (graph, each) in found else "-" for each in columns
        ], scale


def kind(command: list[str]) -> str:
    """The column of docs/ranking.md that shows a record."""
    return command[1] + ("+seeds" if "--seeds" in command else "+32" if "--batch" in command else "")


def test_ranking() -> None:
    """A star marks the runs that are recorded as wrong."""
    graphs = {
        "R-MAT 21, edge factor 48": "rmat-s21-e48",
        "rgg_n_2_24": "rgg-n16777216",
        "directed R-MAT 21, edge factor 32": "rmat-s21-e32",
        "bipartite, two sides of a million, edge factor 32": "bipartite-1000000x1000000-m32000000-k0.52",
    }
    columns = ("pagerank", "ppr", "ppr+32", "hits", "salsa", "salsa+seeds")
    found = {
        (each["graph"]["name"], kind(each["command"])): each
        for each in records("h200/ranking.jsonl")
        if each["system"] == "gunrock" and not {"--method", "--against", "--order"} & set(each["command"])
    }
    rows = [row for row in cells("docs/ranking.md") if row[0] in graphs]
    assert len(rows) == len(graphs)
    for row in rows:
        told = [*row[1:], *[""] * (len(columns) + 1 - len(row))]
        assert told == [with_star(found.get((graphs[row[0]], column))) for column in columns], row[0]


def with_star(record: dict[str, Any] | None) -> str:
    if record is None:
        return ""
    return f"{figure(record):.3g}{'*' if record['status'] == 'wrong' else ''}"
