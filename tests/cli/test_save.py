"""``--top`` and ``--save`` of ranks and scores: the files, and errors before a run."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.bench.records.file import parse_record
from gunrock_cli.bench.records.record import Record
from gunrock_cli.cli.number_texts import value_text
from gunrock_cli.cli.top import tops
from gunrock_cli.primitives import get_primitive

PATH = """%%MatrixMarket matrix coordinate pattern symmetric
6 6 5
2 1
3 2
4 3
5 4
4 1
"""
GRAPH = nx.Graph([(0, 1), (1, 2), (2, 3), (3, 4), (0, 3)])
GRAPH.add_node(5)
CPU = ("--backend", "cpu", "--iterations", "1", "--threads", "2")
NAMES = {"pagerank": "ranks", "bc": "scores"}
CONVERGED = ("--max-iterations", "500", "--tolerance", "1e-7")


def gunrock(*words: str) -> subprocess.CompletedProcess[str]:
    further = (*CPU, *CONVERGED) if words[0] == "pagerank" else CPU
    command = [sys.executable, "-m", "gunrock_cli.cli.main", *words, *further]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def market(tmp_path: Path) -> str:
    file = tmp_path / "g.mtx"
    file.write_text(PATH)
    return str(file)


def expected(primitive: str) -> np.ndarray:
    if primitive == "pagerank":
        ranks = nx.pagerank(GRAPH, tol=1e-10, max_iter=1000)
        return np.array([ranks[v] for v in range(6)])
    scores = dict.fromkeys(GRAPH, 0.0)
    for target in (1, 2, 3, 4):  # Brandes' dependencies of vertex 0
        paths = list(nx.all_shortest_paths(GRAPH, 0, target))
        for path in paths:
            for v in path[1:-1]:
                scores[v] += 1 / len(paths)
    return np.array([scores[v] for v in range(6)])


def read(file: Path, name: str) -> np.ndarray:
    if file.suffix == ".npy":
        return np.load(file)
    frame = pd.read_csv(file) if file.suffix == ".csv" else pd.read_parquet(file)
    assert list(frame.columns) == ["vertex", name]
    assert frame["vertex"].tolist() == list(range(6))
    return frame[name].to_numpy()


@pytest.mark.parametrize("suffix", [".npy", ".csv", ".parquet"])
@pytest.mark.parametrize("primitive", NAMES)
def test_save(primitive: str, suffix: str, market: str, tmp_path: Path) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    file = tmp_path / f"answer{suffix}"
    file.write_text("old")
    done = gunrock(primitive, "--market", market, "--save", str(file))
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(read(file, NAMES[primitive]), expected(primitive), atol=1e-6)
    assert sorted(path.name for path in tmp_path.iterdir()) == [file.name, "g.mtx"]


def test_save_all_outputs(market: str, tmp_path: Path) -> None:
    file = tmp_path / "all.npz"
    done = gunrock("bfs", "--market", market, "--mark-pred", "--save", str(file))
    assert done.returncode == 0, done.stderr
    first, arrays = file.read_bytes(), np.load(file)
    assert sorted(arrays) == ["labels", "predecessors"]
    assert arrays["labels"].tolist() == [nx.shortest_path_length(GRAPH, 0).get(v, -1) for v in range(6)]
    gunrock("bfs", "--market", market, "--mark-pred", "--save", str(file))
    assert file.read_bytes() == first


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("--src", "0,1", "--save"),
            "a.npz: .npz holds one source's outputs; save .npy, .csv or .parquet",
        ),
        (
            ("--mark-pred", "--save-predecessors"),
            "a.npz: --save-predecessors writes .npy, .csv or .parquet",
        ),
    ],
)
def test_all_outputs_are_those_of_one_source(words: tuple[str, ...], said: str, market: str) -> None:
    file = Path(market).with_name("a.npz")
    done = gunrock("bfs", "--market", market, *words, str(file))
    assert (done.returncode, file.exists()) == (2, False)
    assert said in done.stderr


@pytest.mark.parametrize("form", ["--push", "--filter-converged"])
def test_save_what_was_pushed(form: str, market: str, tmp_path: Path) -> None:
    file = tmp_path / "ranks.npy"
    done = gunrock("pagerank", "--market", market, form, "--precision", "float64", "--save", str(file))
    assert done.returncode == 0, done.stderr
    assert np.load(file).dtype == np.float64
    np.testing.assert_allclose(np.load(file), expected("pagerank"), atol=1e-5)


@pytest.mark.parametrize("primitive", NAMES)
@pytest.mark.parametrize("count", [1, 3, 99])
def test_top(primitive: str, count: int, market: str) -> None:
    done = gunrock(primitive, "--market", market, "--top", str(count))
    assert done.returncode == 0, done.stderr
    _, _, table = done.stdout.partition(f"highest {NAMES[primitive]}")
    rows = [line.strip("│ ").split("│") for line in table.splitlines() if line.startswith("│")]
    values = expected(primitive)
    order = np.argsort(-values, kind="stable")[:count]
    assert len(rows) == min(count, 6)
    found = [int(vertex) for vertex, _ in rows]
    np.testing.assert_allclose(values[found], values[order], atol=1e-6)  # ties in any order
    np.testing.assert_allclose([float(value) for _, value in rows], values[order], atol=1e-5)


def test_top_of_integers_is_exact() -> None:
    done = gunrock("bfs", "path", "--nodes", "1234568", "--top", "1", "--check", "none")
    assert "│      0 │      0 │" in done.stdout.partition("nearest labels")[2]
    far = np.array([2**24 + 1, 2**24], np.int32)  # the same as float32
    (top,) = tops(Measured(Record.new("bc"), {"scores": far}), get_primitive("bc"), 1)
    assert (top.vertices.tolist(), top.values.tolist()) == ([0], [2**24 + 1])
    assert value_text(int(top.values[0])) == "16,777,217"


@pytest.mark.parametrize("primitive", ["bfs", "sssp"])
def test_the_nearest_come_first_and_the_unreached_never(primitive: str, market: str) -> None:
    done = gunrock(primitive, "--market", market, "--top", "99", "--src", "1")
    rows = [
        line.strip("│ ").split("│")
        for line in done.stdout.partition("nearest ")[2].splitlines()
        if line.startswith("│")
    ]
    assert next(int(vertex) for vertex, _ in rows) == 1
    assert sorted(int(vertex) for vertex, _ in rows) == [0, 1, 2, 3, 4]  # 5 is not reached
    values = [int(value) for _, value in rows]
    assert values == sorted(values)


def test_of_several_sources_it_is_the_last_ones_and_says_so() -> None:
    record = Record.new("bfs")
    record.sources = [3, 3, 1, 1]
    found = Measured(record, {"labels": np.array([1, 0, 1])})
    (top,) = tops(found, get_primitive("bfs"), 1)
    assert top.title == "nearest labels from vertex 1"
    assert top.to_dict()["source"] == 1
    (named,) = tops(replace(found, names=pd.Index(list("abcd"))), get_primitive("bfs"), 1)
    assert named.title == "nearest labels from vertex b"
    record.sources = [1, 1]
    assert "source" not in tops(found, get_primitive("bfs"), 1)[0].to_dict()
    record.sources = [3, 1]
    (summed,) = tops(Measured(record, {"scores": np.ones(3)}), get_primitive("bc"), 1)
    assert summed.title == "highest scores"


def test_infinite_distances_are_unreached() -> None:
    found = Measured(Record.new("sssp"), {"distances": np.array([np.inf, 0.5, 0, 7], np.float32)})
    (top,) = tops(found, get_primitive("sssp"), 9)
    assert (top.vertices.tolist(), top.values.tolist()) == ([2, 1, 3], [0, 0.5, 7])


def test_json_has_the_top_beside_the_record(market: str, tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    done = gunrock("bfs", "--market", market, "--top", "3", "--json", "--output", str(file))
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["top"] == [
        {"order": "nearest", "output": "labels", "vertices": [0, 1, 3], "values": [0, 1, 1]}
    ]
    assert "top" not in json.loads(file.read_text())
    assert parse_record(line).id == parse_record(file.read_text()).id
    done = gunrock("pagerank", "--market", market, "--top", "1", "--json")
    (top,) = json.loads(done.stdout)["top"]
    assert (top["order"], top["output"], top["vertices"]) == ("highest", "ranks", [3])
    bad = Measured(Record.new("bc"), {"scores": np.array([np.nan, np.inf])})
    assert tops(bad, get_primitive("bc"), 1)[0].to_dict()["values"] == [None]


@pytest.mark.parametrize(
    ("primitive", "flag"),
    [
        *((name, "--save") for name in NAMES),
        *((name, f"--save-{output}") for name in NAMES for output in get_primitive(name).shows.further),
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a", "a.npy.gz", "nowhere/a.npy"])
def test_refused_before_the_run(
    name: str, primitive: str, flag: str, market: str, tmp_path: Path
) -> None:
    done = gunrock(primitive, "--market", market, flag, str(tmp_path / name))
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("gunrock: ")
    assert done.stderr.count("\n") == 1
    assert name in done.stderr
    assert ("nowhere" in done.stderr) if "/" in name else (".parquet" in done.stderr)


def test_predecessors_that_are_not_there(market: str, tmp_path: Path) -> None:
    file = str(tmp_path / "p.npy")
    done = gunrock("bfs", "--market", market, "--save-predecessors", file)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--mark-pred" in done.stderr
    done = gunrock("pagerank", "--market", market, "--save-predecessors", file)
    assert done.returncode == 2
    assert "pagerank has none" in done.stderr


@pytest.mark.parametrize("suffix", [".npy", ".csv", ".parquet"])
def test_communities_of_every_level(suffix: str, tmp_path: Path) -> None:
    files = [str(tmp_path / f"{name}{suffix}") for name in ("last", "all")]
    done = gunrock(
        "louvain",
        "grid2d",
        "--width",
        "20",
        "--height",
        "20",
        "--json",
        "--save",
        files[0],
        "--save-levels",
        files[1],
    )
    assert done.returncode == 0, done.stderr
    count = json.loads(done.stdout)["metrics"]["levels"]
    assert count > 2
    if suffix == ".npy":
        last, levels = np.load(files[0]), np.load(files[1])
    else:
        reader = pd.read_csv if suffix == ".csv" else pd.read_parquet
        last, frame = reader(files[0])["communities"].to_numpy(), reader(files[1])
        assert list(frame.columns) == ["vertex", *(f"level_{level + 1}" for level in range(count))]
        levels = frame.iloc[:, 1:].to_numpy().T
    assert levels.shape == (count, 400)
    assert np.array_equal(levels[-1], last)


@pytest.mark.parametrize(
    ("name", "flag"),
    [("cc", "--save-levels"), ("bfs", "--save-levels"), ("cc", "--save-predecessors"), ("cc", "--src")],
)
def test_options_of_other_primitives_are_refused_in_one_line(
    name: str, flag: str, market: str, tmp_path: Path
) -> None:
    done = gunrock(name, "--market", market, flag, str(tmp_path / "l.npy"))
    assert done.returncode == 2
    assert done.stderr.startswith(f"gunrock: {flag}: {name} ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("suffix", [".npy", ".csv", ".parquet"])
def test_hubs_and_authorities_are_columns_of_one_file(suffix: str, market: str, tmp_path: Path) -> None:
    file = tmp_path / f"a{suffix}"
    done = gunrock("hits", "--market", market, "--save", str(file), "--top", "2", "--undirected")
    assert done.returncode == 0, done.stderr
    matrix, expected = nx.to_numpy_array(GRAPH, nodelist=range(6)), np.ones(6)
    for _ in range(101):  # an undirected graph with two sides has one iterate for each of them
        expected = matrix @ expected / expected.sum()
    if suffix == ".npy":
        found = np.load(file)
    else:
        frame = pd.read_csv(file) if suffix == ".csv" else pd.read_parquet(file)
        assert list(frame.columns) == ["vertex", "hubs", "authorities"]
        assert frame["vertex"].tolist() == list(range(6))
        found = frame[["hubs", "authorities"]].to_numpy()
    assert (found.shape, found.dtype) == ((6, 2), np.float64 if suffix == ".csv" else np.float32)
    np.testing.assert_allclose(found[:, 1], expected / expected.sum(), atol=1e-5)
    assert "highest hubs" in done.stdout
    assert "highest authorities" in done.stdout


def test_top_zero_is_refused(market: str) -> None:
    done = gunrock("pagerank", "--market", market, "--top", "0")
    assert done.returncode == 2
    assert "--top" in done.stderr


@pytest.mark.parametrize("suffix", [".npy", ".csv", ".parquet"])
@pytest.mark.parametrize("chosen", [("--src", "all"), ("--num-sources", "3")])
def test_every_source_has_a_row(
    chosen: tuple[str, ...], suffix: str, market: str, tmp_path: Path
) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    labels, tree, records = (tmp_path / name for name in (f"l{suffix}", f"p{suffix}", "r.jsonl"))
    done = gunrock(
        "bfs",
        "--market",
        market,
        *chosen,
        "--mark-pred",
        "--save",
        str(labels),
        "--save-predecessors",
        str(tree),
        "--output",
        str(records),
    )
    assert done.returncode == 0, done.stderr
    (record,) = [json.loads(line) for line in records.read_text().splitlines()]
    sources = record["sources"]
    assert len(sources) == (6 if "all" in chosen else 3)
    distances = dict(nx.all_pairs_shortest_path_length(GRAPH))
    assert rows(labels, "labels", sources).tolist() == [
        [distances[source].get(vertex, -1) for vertex in range(6)] for source in sources
    ]
    for source, parents in zip(sources, rows(tree, "predecessor", sources), strict=True):
        assert all(
            parent == -1 or distances[source][parent] == distances[source][vertex] - 1
            for vertex, parent in enumerate(parents)
        )


def rows(file: Path, name: str, sources: list[int]) -> np.ndarray:
    if file.suffix == ".npy":
        return np.load(file)
    frame = pd.read_csv(file) if file.suffix == ".csv" else pd.read_parquet(file)
    assert list(frame.columns) == ["source", "vertex", name]
    assert list(dict.fromkeys(frame["source"])) == sources
    return frame[name].to_numpy().reshape(len(sources), 6)


def test_more_rows_than_the_disk_holds_are_refused_before_the_run(tmp_path: Path) -> None:
    done = gunrock("bfs", "path", "--nodes", "9000000", "--src", "all", "--save", str(tmp_path / "a.npy"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "9000000 sources" in done.stderr
    assert "--num-sources" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_scores_of_several_sources_are_their_sum(market: str, tmp_path: Path) -> None:
    file = tmp_path / "scores.npy"
    assert gunrock("bc", "--market", market, "--src", "all", "--save", str(file)).returncode == 0
    exact = nx.betweenness_centrality(GRAPH, normalized=False)
    np.testing.assert_allclose(np.load(file), [2 * exact[v] for v in range(6)])
