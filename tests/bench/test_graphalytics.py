"""Graphalytics data sets end to end: sparse vertex numbers, published answers, invalid files."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from fuzzing import cases

from gunrock_cli.bench.studies.graphalytics import equivalent, exact, near
from gunrock_cli.cli.main import main
from gunrock_cli.errors import InputError
from gunrock_cli.graph.sources.files.graphalytics import read_dataset

INFINITE = 2**63 - 1
PROPERTIES = """# a graph
graph.{name}.vertex-file = {name}.v
graph.{name}.edge-file = {name}.e
graph.{name}.meta.vertices = {n}
graph.{name}.meta.edges = {m}
graph.{name}.directed = {directed}
graph.{name}.edge-properties.names = weight
graph.{name}.edge-properties.types = real
graph.{name}.algorithms = bfs, cdlp, lcc, pr, sssp, wcc
graph.{name}.bfs.source-vertex = {source}
graph.{name}.cdlp.max-iterations = 5
graph.{name}.pr.damping-factor = 0.85
graph.{name}.pr.num-iterations = 20
graph.{name}.sssp.source-vertex = {source}
graph.{name}.sssp.weight-property = weight
"""


def made(folder: Path, directed: bool, name: str = "small") -> tuple[Path, Any]:
    """Make a random graph with sparse 64-bit vertex numbers and its answers by NetworkX; return its
    .properties."""
    draw = np.random.default_rng(5)
    names = draw.permutation(np.unique(draw.integers(-(2**62), 2**62, 60)))
    graph: Any = (nx.DiGraph if directed else nx.Graph)()
    graph.add_nodes_from(int(v) for v in names)
    for _ in range(150):
        a, b = (int(v) for v in draw.choice(names, 2, replace=False))
        graph.add_edge(a, b, weight=round(float(draw.uniform(0.1, 2)), 3))
    (folder / f"{name}.v").write_text("".join(f"{v}\n" for v in graph))
    (folder / f"{name}.e").write_text("".join(f"{a} {b} {w}\n" for a, b, w in graph.edges(data="weight")))
    source = int(names[0])
    file = folder / f"{name}.properties"
    file.write_text(
        PROPERTIES.format(
            name=name,
            n=len(graph),
            m=graph.number_of_edges(),
            source=source,
            directed=str(directed).lower(),
        )
    )
    hops = nx.single_source_shortest_path_length(graph, source)
    lengths = nx.single_source_dijkstra_path_length(graph, source)
    parts = nx.weakly_connected_components(graph) if directed else nx.connected_components(graph)
    label = {v: min(part) for part in parts for v in part}
    ranks = pagerank(graph, 20)
    shares = {v: share(graph, v) for v in graph}
    for algorithm, answer in (
        ("BFS", {v: hops.get(v, INFINITE) for v in graph}),
        ("WCC", label),
        ("PR", ranks),
        ("CDLP", common_labels(graph, 5)),
        ("LCC", shares),
        ("SSSP", {v: lengths.get(v, "infinity") for v in graph}),
    ):
        (folder / f"{name}-{algorithm}").write_text("".join(f"{v} {x}\n" for v, x in answer.items()))
    return file, graph


def share(graph: Any, v: int) -> float:
    """The edges between a vertex's neighbors, either way, over those that are possible."""
    around = set(nx.all_neighbors(graph, v))
    links = sum(graph.has_edge(u, w) for u in around for w in around)
    return links / (len(around) * (len(around) - 1)) if len(around) > 1 else 0.0


def common_labels(graph: Any, iterations: int) -> dict[int, int]:
    """The label that most neighbors have, of several the smallest, again and again."""
    labels = {v: v for v in graph}
    for _ in range(iterations):
        seen = {v: Counter(labels[u] for u in nx.all_neighbors(graph, v)) for v in graph}
        labels = {
            v: min((-times, label) for label, times in seen[v].items())[1] if seen[v] else labels[v]
            for v in graph
        }
    return labels


def pagerank(graph: Any, iterations: int) -> dict[int, float]:
    n = len(graph)
    ranks = dict.fromkeys(graph, 1 / n)
    for _ in range(iterations):
        lost = sum(rank for v, rank in ranks.items() if graph.degree(v) == 0 or not graph[v])
        fresh = dict.fromkeys(graph, 0.15 / n + 0.85 * lost / n)
        for v, rank in ranks.items():
            for w in graph[v]:
                fresh[w] += 0.85 * rank / len(graph[v])
        ranks = fresh
    return ranks


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        main(["graphalytics", "run", *words, "--backend", "cpu", "--threads", "2", "--iterations", "1"])
        code = 0
    except SystemExit as left:
        code = int(str(left.code))
    shown = capsys.readouterr()
    return code, shown.out, shown.err


@pytest.mark.parametrize("directed", [True, False])
def test_published_answers_are_matched(
    directed: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, graph = made(tmp_path, directed)
    records = tmp_path / "r.jsonl"
    code, text, _ = run(capsys, str(file), "--output", str(tmp_path / "out"), "--records", str(records))
    assert code == 0
    for algorithm in ("BFS", "CDLP", "LCC", "PR", "SSSP", "WCC"):
        assert f"matches small-{algorithm}" in text
        lines = (tmp_path / "out" / f"small-{algorithm}").read_text().splitlines()
        assert [int(line.split()[0]) for line in lines] == list(graph)  # the vertex file's order
    kept = [json.loads(line) for line in records.read_text().splitlines()]
    assert [record["validation"]["verdict"] for record in kept] == ["pass"] * 6
    unreached = [
        line
        for line in (tmp_path / "out" / "small-SSSP").read_text().splitlines()
        if line.endswith(" infinity")
    ]
    assert len(unreached) == (tmp_path / "small-SSSP").read_text().count("infinity")
    # our outputs replace the published ones
    for algorithm in ("BFS", "CDLP", "LCC", "PR", "SSSP", "WCC"):
        (tmp_path / "out" / f"small-{algorithm}").replace(tmp_path / f"small-{algorithm}")
    assert run(capsys, str(file))[0] == 0


def test_an_answer_that_differs_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, _ = made(tmp_path, True)
    answer = tmp_path / "small-BFS"
    lines = answer.read_text().splitlines()
    vertex, depth = lines[0].split()
    answer.write_text("\n".join([f"{vertex} {int(depth) + 1}", *lines[1:]]) + "\n")
    code, text, _ = run(capsys, str(file), "--algorithm", "bfs", "--json")
    record = json.loads(text)
    assert code == 1
    assert record["status"] == "wrong"
    assert record["error"].startswith(f"1 vertices differ: vertex {vertex}: {depth}, expected")


@pytest.mark.parametrize(
    ("broken", "content", "words"),
    [
        ("small.v", "1\n1\n", "small.v: lists a vertex twice"),
        ("small.v", "1\n2 3\n", "small.v:2: expected the vertex, found '2 3'"),
        ("small.v", "1\n2.5\n", "small.v:2: expected the vertex"),
        ("small.v", "1\n9999999999999999999\n", "small.v: a vertex number does not fit in 64 bits"),
        ("small.v", "1\n99999999999999999999\n", "small.v:2: expected the vertex"),
        ("small.e", "1 2\n", "small.e:1: expected the source and the target and a weight, found '1 2'"),
        ("small.e", "1 2 1 1\n", "small.e:1: expected the source"),
        ("small.e", "1 2 nan\n", "small.e:1: expected the source"),
        ("small.e", "1 2 1e999\n", "small.e:1: the value inf is not a number that fits"),
        ("small.e", "1 7 1\n", "small.e:1: 7 is not in the vertex file"),
        ("small.e", "1 2 0.5\n2 1 0.5\n", "meta.edges = 1, and the files have 2"),
        ("small-BFS", "1 0\n", "small-BFS: has no value for vertex 2"),
        ("small-BFS", "1 0\n1 1\n", "small-BFS:2: is no vertex and its value"),
        ("small-BFS", "1 0\n2 1.5\n", "small-BFS:2: is no vertex and its value"),
        ("small-BFS", "1 0\n2\n", "small-BFS:2: is no vertex and its value"),
        ("small-BFS", "1 0\n3 1\n", "small-BFS:2: is no vertex and its value"),
        ("small.properties", "graph.small.directed yes\n", "is no line of the form key = value"),
        ("small.properties", "a = b\n", "speaks of no graph"),
        ("small.properties", "graph.a.b = c\ngraph.b.b = c\n", "speaks of several graphs: a, b"),
        (
            "small.properties",
            "graph.small.directed = maybe\ngraph.small.edge-properties.names = w\n",
            "directed is neither true nor false",
        ),
        ("small.properties", "graph.small.vertex-file = ../v\n", "is not in the same folder"),
    ],
)
def test_bad_files_are_told_in_one_line(
    broken: str, content: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "small.properties").write_text(
        PROPERTIES.format(name="small", n=2, m=1, source=1, directed="true")
    )
    (tmp_path / "small.v").write_text("1\n2\n")
    (tmp_path / "small.e").write_text("1 2 0.5\n")
    (tmp_path / broken).write_text(content)
    code, _, errors = run(capsys, str(tmp_path / "small.properties"), "--algorithm", "bfs")
    assert code == 2
    assert words in errors.splitlines()[-1]
    assert errors.splitlines()[-1].startswith("gunrock: ")


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("bfs.source-vertex", "3", "is no vertex of the graph: 3"),
        ("bfs.source-vertex", "x", "is no vertex of the graph: x"),
        ("bfs.source-vertex", "9" * 19, "is no vertex of the graph"),
        ("pr.damping-factor", "much", "is no number: much"),
        ("pr.damping-factor", "nan", "is no number: nan"),
        ("pr.damping-factor", "2", "damping"),
        ("pr.num-iterations", "inf", "is no whole number: inf"),
        ("pr.num-iterations", "2.5", "is no whole number: 2.5"),
        ("pr.num-iterations", "9" * 18, "max_iterations"),
    ],
)
def test_bad_parameters_are_named(
    key: str, value: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = PROPERTIES.format(name="small", n=2, m=1, source=1, directed="true")
    (tmp_path / "small.properties").write_text(re.sub(rf"({key} = ).*", rf"\g<1>{value}", text))
    (tmp_path / "small.v").write_text("1\n2\n")
    (tmp_path / "small.e").write_text("1 2 0.5\n")
    code, _, errors = run(capsys, str(tmp_path / "small.properties"), "--algorithm", key.split(".")[0])
    assert code == 2
    assert words in errors.splitlines()[-1]


def test_rules_of_matching() -> None:
    a = np.array([5, 5, 7, 7, 9])
    assert equivalent(a, np.array([1, 1, 2, 2, 3])).all()
    assert not equivalent(a, np.array([1, 1, 2, 3, 3])).all()
    assert not equivalent(a, np.array([1, 1, 1, 1, 3])).all()
    assert exact(a, a).all()
    assert near(np.array([np.inf, 1.00009, 0.0]), np.array([np.inf, 1.0, 0.0])).all()
    assert not near(np.array([np.inf, 1.0002, np.nan]), np.array([1.0, 1.0, np.nan])).any()


@pytest.mark.fuzz
def test_damaged_files_are_read_as_written_or_refused(tmp_path: Path) -> None:
    """The result must be that of a strict reading, line by line."""
    draw = np.random.default_rng(0)
    (tmp_path / "small.v").write_text("1\n2\n3\n")
    (tmp_path / "small.properties").write_text(
        "graph.small.directed = true\ngraph.small.edge-properties.names = weight\n"
    )
    right = b"1 2 0.5\n2 3 1.25\n3 1 7\n"
    pieces = [
        b" ",
        b"\n",
        b"\r",
        b"\t",
        b"1",
        b"-",
        b"+",
        b".",
        b"e",
        b"E",
        b"d",
        b"x",
        b"0x",
        b"_",
        b"nan",
        b"inf",
        b"\0",
        b'"',
        b"'",
        b"#",
        b",",
        b"\xff",
        b"9" * 20,
        b"NA",
        b"NULL",
        b"",
    ]
    read = 0
    for _ in range(cases(1500)):
        text = bytearray(right)
        for _ in range(int(draw.integers(1, 4))):
            at = int(draw.integers(0, len(text)))
            text[at : at + int(draw.integers(0, 3))] = pieces[int(draw.integers(len(pieces)))]
        (tmp_path / "small.e").write_bytes(bytes(text))
        try:
            graph = read_dataset(tmp_path / "small.properties").graph
        except InputError:
            continue
        read += 1
        assert edges_of(graph) == pytest.approx(strict(bytes(text)), rel=1e-6), bytes(text)
    assert read > 0


def edges_of(graph: Any) -> dict[tuple[int, int], float]:
    csr = graph.csr
    return {
        (int(u) + 1, int(v) + 1): float(w)
        for u, v, w in zip(csr.sources(), csr.column_indices, csr.values, strict=True)
    }


def strict(text: bytes) -> dict[tuple[int, int], float]:
    """The edges, without loops, and the smallest of parallel weights; ValueError for an invalid line."""
    found: dict[tuple[int, int], float] = {}
    for line in text.split(b"\n"):
        words = re.split(rb"[ \t]+", line.removesuffix(b"\r").strip(b" \t"))
        if words == [b""]:
            continue
        u, v = (int(word) for word in words[:2] if re.fullmatch(rb"-?[0-9]{1,19}", word))
        if not re.fullmatch(rb"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?", words[2]) or words[3:]:
            raise ValueError(line)
        if u != v:
            found[u, v] = min(float(np.float32(float(words[2]))), found.get((u, v), np.inf))
    return found
