"""Tables of figures in README and docs: each is what the records say, to the digits given."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from script_helper import load_benchmark

from gunrock_cli.bench.record import Record
from gunrock_cli.report.plain_runs import is_plain

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


def test_the_readme_measured() -> None:
    """And marks tell which answers were not proved by certificates, and which graph was laid out anew."""
    found, rows = on_one(), 0
    for row in cells("README.md"):
        if len(row) != 8 or row[0] not in GRAPHS:
            continue
        rows += 1
        for primitive, text in zip(COLUMNS, row[3:], strict=True):
            record = found[primitive, GRAPHS[row[0]]]
            assert f"{figure(record):.3g}" == f"{given(text):.3g}", (row[0], primitive)
            marks = "⇅" if record["metrics"].get("renumber_ms") else ""
            marks += "" if record["validation"]["method"] == "certificate" else "ˢ"
            assert text.partition(" ")[2] == marks, (row[0], primitive)
    assert rows == 5


def test_whole_runs_of_pagerank() -> None:
    """In README: of cuGraph, of the newest record here, and what is said of the layout by degree."""
    (row,) = (row for row in cells("README.md") if row[0] == "PageRank, whole run")
    whole = {
        each["graph"]["name"]: each["time_ms"]["mean"]
        for each in records("h200/cugraph.jsonl")
        if each["primitive"] == "pagerank"
    }
    plain = [
        each
        for name in ("generated", "ranking")
        for each in records(f"h200/{name}.jsonl")
        if each["primitive"] == "pagerank"
        and not {"--filter-converged", "--push", "--order"} & set(each["command"])
    ]
    ours = {each["graph"]["name"]: each for each in sorted(plain, key=lambda each: each["time"])}
    for graph, theirs, here in (("rmat-s21-e48", *row[4:6]), ("rgg-n16777216", *row[9:11])):
        assert theirs == f"{whole[graph]:.3g}"
        assert here.rstrip("⇅") == f"{ours[graph]['time_ms']['mean']:.3g}"
        assert here.endswith("⇅") == ("renumber_ms" in ours[graph]["metrics"])
    page = (ROOT / "README.md").read_text()
    kron = [each for each in plain if each["graph"]["name"] == "rmat-s21-e48"]
    first, second = (each["metrics"]["renumber_ms"] for each in kron)
    assert f"once, in {first:.1f} ms ({second:.1f} in another record)" in page
    assert f"⇅ {kron[1]['time_ms']['mean'] + second:.3g} with the layout" in page


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
    for row in cells("docs/performance.md"):
        primitive = row[0].partition(",")[0].lower()
        if len(row) != 7 or primitive not in COLUMNS or "(" not in row[1]:
            continue
        rows += 1
        for graph, text in zip(graphs, row[1:], strict=True):
            record = found[primitive, GRAPHS[graph]]
            assert f"{figure(record):.3g}" == f"{given(text):.3g}", (row[0], graph)
    assert rows == len(COLUMNS)


def test_the_readmes_largest() -> None:
    """Its items of large graphs and of several GPUs."""
    page = " ".join((ROOT / "README.md").read_text().split())
    found = {
        each["graph"]["name"]: each
        for each in records("h200/scaling.jsonl")
        if each["primitive"] == "bfs"
    }
    largest = found["rmat-s29-e16"]
    time = largest["time_ms"]
    assert f"takes {time['mean']:.0f} ms, the mean from {len(largest['sources'])} random vertices" in page
    assert f"({time['min']:.0f} to {time['max']:.0f})" in page
    seconds = found["rmat-s28-e16"]["scaling"]["generate_s"]
    assert f"Scale 28 is generated and built on that GPU in {seconds:.1f} s" in page
    devices = {
        (host, each["options"]["devices"]): figure(each)
        for host in ("x2", "x4")
        for each in records(f"h200{host}/multi-gpu.jsonl")
        if (each["primitive"], each["graph"]["name"]) == ("cc", "rmat-s26-e16")
    }
    two, one = devices["x2", "2"], devices["x2", "1"]
    assert f"two take {two:.2f} ms for the components" in page
    before, four = devices["x4", "1"], devices["x4", "4"]
    assert f"one takes {one:.2f} (a181164; at dca64a0 one took {before:.2f} and four {four:.2f})." in page


def test_the_table_of_growing_graphs() -> None:
    """``scaling.md`` is what the benchmark makes of the records."""
    folder = ROOT / "results" / "h200"
    made = load_benchmark("scaling").table((folder / "scaling.jsonl").read_text().splitlines())
    assert (folder / "scaling.md").read_text() == made + "\n"


def of_devices() -> Iterator[tuple[str, list[str]]]:
    """What each row of the table is of, a graph named once for several, and its cells."""
    graph = ""
    for row in cells("docs/devices.md"):
        label = row[0].replace(", an iteration", "")
        front, colon, rest = label.partition(": ")
        name, _, tail = (rest if colon else label).partition(", ")
        graph = front if colon else tail if tail in GRAPHS else graph
        if len(row) == 5 and re.fullmatch(r"[0-9.]+", row[1]):
            yield f"{name}, {graph}", row[1:]


def test_several_devices() -> None:
    """Times, and how many times as fast; and no primitive is left out of a graph that has the others."""
    found: dict[str, dict[str, float]] = {}
    names = {name: label for label, name in GRAPHS.items() if label != "lattice 1414 x 1414"}
    for record in records("h200x4/multi-gpu.jsonl"):
        command, graph = record["command"], record["graph"]["name"]
        if "--mark-pred" not in command and graph in names:
            push = " by push" if "--direction" in command else ""
            label = {"pagerank": "PageRank"}.get(record["primitive"], record["primitive"].upper())
            each = found.setdefault(f"{label}{push}, {names[graph]}", {})
            each[record["options"]["devices"]] = figure(record)
    told = dict(of_devices())
    assert told.keys() == found.keys()
    for what, (one, two, four, gain) in told.items():
        ms = found[what]
        assert [f"{given(each):.3g}" for each in (one, two, four)] == [
            f"{ms[count]:.3g}" for count in ("1", "2", "4")
        ], what
        assert gain.removesuffix(" times as fast") == " and ".join(
            f"{ms['1'] / ms[count]:.2f}" for count in ("2", "4")
        ), what


def test_times_of_several_devices_name_their_build() -> None:
    """A graph stands in both tables, with times of two builds: a table's heading says of which, and a row
    of another says so itself."""
    page = (ROOT / "docs/devices.md").read_text()
    tables = re.findall(r"^\| (\w{7}) \| one \| two \|.*\n\|---.*\n((?:\|.*\n)+)", page, re.MULTILINE)
    for (heading, rows), host in zip(tables, ("x4", "x2"), strict=True):
        commits = {
            (each["primitive"], each["graph"]["name"]): str(each["gunrock"]["commit"])[:7]
            for each in records(f"h200{host}/multi-gpu.jsonl")
        }
        assert heading in commits.values()
        others = {primitive for (primitive, _), commit in commits.items() if commit != heading}
        named = re.findall(r"^\| (\w+),.* \((\w{7})\) \|", rows, re.MULTILINE)
        assert {name.lower() for name, _ in named} == others
        assert {commit for _, commit in named} == set(commits.values()) - {heading}


def test_classics() -> None:
    """Every record on these graphs stands in the page's first table, ECL's beside ours."""
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
    """Each row is what was recorded of its scale; PageRank's time is of an iteration."""
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
    """Which column of docs/ranking.md shows a record."""
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
