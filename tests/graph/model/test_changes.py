"""Changes to the edges that are given: counted, kept with the graph, recorded, and described."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import jsonschema
import networkx as nx
import numpy as np
import pytest
from click.testing import CliRunner
from graph_helper import load_text
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import gunrock_cli as gunrock
from gunrock_cli.bench.records.schema import check_record, schema
from gunrock_cli.cli.main import cli
from gunrock_cli.cli.messages import Everywhere, messages
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.changes import Changes, in_words
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.sources.files.readers import binary
from gunrock_cli.graph.sources.files.writers import write_graph
from gunrock_cli.graph.spec import GraphSpec

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
GENERAL = "%%MatrixMarket matrix coordinate pattern general\n"
SYMMETRIC = "%%MatrixMarket matrix coordinate pattern symmetric\n"
MIXED = "5 5 6\n1 2\n1 2\n2 3\n3 3\n4 5\n5 4\n"
"""A repetition, a one-way edge, a loop, and one edge given both ways."""


def counted(edges: list[tuple[int, int]], both: bool, loops: bool, duplicates: bool) -> Changes:
    """Count by sets and lists."""
    kept = [edge for edge in edges if loops or edge[0] != edge[1]]
    different = {frozenset(edge) if both else edge for edge in kept}
    one_way = any((v, u) not in edges for u, v in edges if u != v)
    return Changes(
        len(edges),
        both,
        both and one_way,
        len(edges) - len(kept),
        0 if duplicates else len(kept) - len(different),
    )


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_counts(
    edges: list[tuple[int, int]], both: bool, loops: bool, duplicates: bool, weighted: bool
) -> None:
    table = np.array(edges, np.int32).reshape(-1, 2)
    weights = np.arange(len(edges), dtype=np.int32) if weighted else None
    graph = build_graph(
        5,
        table[:, 0],
        table[:, 1],
        weights,
        undirected=both,
        keep_self_loops=loops,
        keep_duplicates=duplicates,
    )
    assert graph.changes == counted(edges, both, loops, duplicates)


@pytest.mark.parametrize("backend", BACKENDS)
def test_counts_on_each_backend(backend: str) -> None:
    edges = [(0, 1), (0, 1), (1, 2), (2, 2), (2, 2), (3, 4), (4, 3)]
    u, v = np.array(edges, np.int32).T
    for both, loops, duplicates in itertools.product((False, True), repeat=3):
        graph = build_graph(
            5,
            u,
            v,
            undirected=both,
            keep_self_loops=loops,
            keep_duplicates=duplicates,
            xp=choose_backend(backend).xp,
        )
        assert graph.changes == counted(edges, both, loops, duplicates)


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        (GENERAL + MIXED, {}, Changes(6, True, True, 1, 2)),
        (GENERAL + MIXED, {"undirected": False}, Changes(6, False, False, 1, 1)),
        (GENERAL + "3 3 2\n1 2\n2 1\n", {}, Changes(2, True, False, 0, 1)),
        (GENERAL + "3 3 2\n1 2\n1 2\n", {}, Changes(2, True, True, 0, 1)),  # as many, yet one-way
        (SYMMETRIC + "3 3 3\n2 1\n3 1\n2 2\n", {}, Changes(3, False, False, 1, 0)),
        (SYMMETRIC + "3 3 3\n2 1\n3 1\n2 2\n", {"undirected": False}, Changes(3, False, False, 1, 0)),
        (
            "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 1.5\n3 1 2\n",
            {"undirected": False},
            Changes(2),
        ),
    ],
)
def test_matrix_market(tmp_path: Path, text: str, options: dict[str, Any], expected: Changes) -> None:
    graph = load_text(tmp_path, text, **options)
    assert graph.changes == expected
    said = in_words(graph.described())
    assert ("general" in said) is expected.directions_dropped
    assert ("--directed" in said) is expected.directions_dropped


@pytest.mark.parametrize(
    ("head", "announced"),
    [
        ("# Nodes: 3 Edges: 2\n", 3),
        ("# a list\n# vertices = 40\n", 40),
        ("% sym\n% 2 3 3\n", 3),
        ("% asym posweighted\n% 2 3 3\n", 3),
        ("# Directed graph with 40 nodes\n", 40),
        ("# Nodes: 31 Edges: 2\n", None),
        ("# nodes 10 and 20 meet\n", None),
        ("", None),
    ],
)
def test_vertices_that_a_header_does_not_announce(
    tmp_path: Path, head: str, announced: int | None
) -> None:
    graph = load_text(tmp_path, head + "10 20\n20 30\n# Nodes: 7\n", "g.txt", kind="edge-list")
    assert graph.changes is not None
    assert graph.changes.vertices_announced == announced
    assert ("--named" in in_words(graph.described())) is (announced is not None)
    named = load_text(tmp_path, head + "10 20\n20 30\n", "g.txt", kind="edge-list", named=True)
    assert named.n == 3
    assert named.changes == Changes(2, True, True)


def test_a_cached_graph_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "cache"))
    for name, kind, text in (
        ("g.mtx", "market", GENERAL + MIXED),
        ("g.txt", "edge-list", "# Nodes: 3\n0 1\n1 0\n7 7\n"),
    ):
        (tmp_path / name).write_text(text)
        for weights in (None, "random", "unit", "none"):
            spec = GraphSpec(kind, path=str(tmp_path / name), weights=weights)
            first, again = load_graph(spec), load_graph(spec)
            assert first.changes is not None
            assert (again.changes, again.origin) == (first.changes, first.origin)
    assert len(list((tmp_path / "cache" / "graphs").glob("*.gcsr"))) == 8


def test_the_binary_form_keeps_it(tmp_path: Path) -> None:
    path = str(tmp_path / "g.gcsr")
    graph = load_text(tmp_path, GENERAL + MIXED, undirected=False)
    write_graph(graph, path)
    assert load_graph(GraphSpec("binary", path=path, undirected=False)).changes == graph.changes
    assert load_graph(GraphSpec("binary", path=path)).changes == Changes(6, True, True, 1, 2)


@pytest.mark.parametrize(
    "found",
    [
        None,
        [],
        {},
        {"edges_given": "6"},
        {"edges_given": -1},
        {"edges_given": 6, "self_loops_dropped": "many"},
    ],
)
def test_files_that_do_not_say(found: Any, tmp_path: Path) -> None:
    assert Changes.from_dict(found) is None
    path = tmp_path / "g.gcsr"
    graph = load_text(tmp_path, GENERAL + MIXED)
    with path.open("wb") as file:
        binary.write(Graph(graph.name, graph.csr, graph.reverse, True, graph.hash, graph.origin), file)
    assert binary.read(str(path)).changes is None


def test_a_sparse_matrix_file(tmp_path: Path) -> None:
    entries = sparse.coo_array((np.ones(3, bool), ([0, 0, 2], [1, 1, 2])), shape=(3, 3))
    sparse.save_npz(tmp_path / "g.npz", entries)
    graph = load_graph(GraphSpec("npz", path=str(tmp_path / "g.npz")), cache=False)
    assert graph.changes == Changes(3, True, True, 1, 1)


def test_stored_rows(tmp_path: Path) -> None:
    """Rows that have both directions of each edge are as they were; others are made undirected."""
    both = load_text(tmp_path, GENERAL + MIXED)
    one = load_text(tmp_path, GENERAL + MIXED, undirected=False)
    for graph, expected in ((both, Changes(6)), (one, Changes(4, True, True, 0, 1))):
        write_graph(graph, str(tmp_path / "g.egr"))
        assert load_graph(GraphSpec("egr", path=str(tmp_path / "g.egr")), cache=False).changes == expected


@pytest.mark.parametrize(
    ("weights", "kind", "said"),
    [
        (None, "none", ""),
        ("none", "none", ""),
        ("unit", "unit", "every weight 1"),
        ("random", "random:1:64", "weights drawn (1 to 64, seed 7)"),
        ("random:5:9", "random:5:9", "weights drawn (5 to 9, seed 7)"),
    ],
)
def test_effective_weights(weights: str | None, kind: str, said: str) -> None:
    graph = load_graph(GraphSpec("path", params={"nodes": 3}, weights=weights, weight_seed=7))
    assert graph.origin["weights"] == kind
    assert graph.origin["weight_type"] == (None if kind == "none" else "int32")
    assert in_words(graph.described()) == said


def test_weights_of_a_file(tmp_path: Path) -> None:
    text = "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 1.5\n"
    for named, kind in (({}, "file"), ({"weights": "none"}, "none")):
        graph = load_text(tmp_path, text, **named)
        assert graph.origin["weights"] == kind
    assert load_text(tmp_path, text).origin["weight_type"] == "float32"


def run(*words: str) -> Any:
    result = CliRunner().invoke(cli, [*words, "--backend", "cpu"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


def test_the_command_line_says_it(tmp_path: Path) -> None:
    (tmp_path / "g.mtx").write_text(GENERAL + MIXED)
    words = ["sssp", str(tmp_path / "g.mtx"), "--runs", "1", "--no-cache"]
    result = run(*words, "--json")
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("note:")]
    assert line == (
        "note: g: made undirected (6 -> 6 edges): the matrix is general and not symmetric, and its "
        "directions were dropped (--directed keeps them); 1 self loop and 2 repeated edges (either way) "
        "dropped; weights drawn (1 to 64, seed 0)"
    )
    graph = json.loads(result.stdout)["graph"]
    assert graph["changes"] == {
        "edges_given": 6,
        "made_undirected": True,
        "directions_dropped": True,
        "self_loops_dropped": 1,
        "duplicates_dropped": 2,
    }
    assert (graph["origin"]["weights"], graph["weighted"]) == ("random:1:64", True)
    jsonschema.validate(json.loads(result.stdout), schema())
    assert line in run(*words).stderr
    with messages(Everywhere(quiet=True)):
        assert "note:" not in run(*words).stderr
    assert "note:" not in run("bfs", "grid2d", "--width", "3", "--height", "3", "--runs", "1").stderr


@pytest.mark.parametrize(
    "words",
    [
        ("bfs", "rmat", "--runs", "1"),
        ("bfs", "rmat", "--runs", "1", "--devices", "2"),
        ("bfs", "rmat", "--runs", "1", "--memory-limit", "1"),
        ("stats", "rmat", "--no-diameter"),
        ("generate", "rmat"),
        ("convert", "rmat", "{}/g.el"),
        ("compare-modes", "cc", "rmat", "--runs", "1"),
    ],
)
def test_every_command_that_makes_a_graph_says_it(words: tuple[str, ...], tmp_path: Path) -> None:
    result = run(*(word.format(tmp_path) for word in words), "--scale", "5", "--json")
    notes = [line for line in result.stderr.splitlines() if line.startswith("note: ")]
    assert len(notes) == 1, result.stderr
    assert "made undirected (1,536 -> " in notes[0]
    found = json.loads(result.stdout.splitlines()[0])
    changes = found["changes"] if "changes" in found else found["graph"]["changes"]
    assert (changes["edges_given"], changes["made_undirected"]) == (1536, True)


def test_older_records_are_read() -> None:
    record = {
        "schema": "gunrock-record/1",
        "primitive": "bfs",
        "system": "gunrock",
        "status": "ok",
        "error": None,
        "graph": {"name": "g", "origin": {"weights": None}},
    }
    check_record(record)
    assert in_words(record["graph"]) == ""  # type: ignore[arg-type]
    check_record({**record, "graph": {"changes": None}})
    with pytest.raises(ValueError, match="edges_given"):
        check_record({**record, "graph": {"changes": {"edges_given": -1}}})


def test_python_arrays() -> None:
    ends = ([0, 0, 1, 2], [1, 1, 0, 2])
    graph = gunrock.as_graph(ends, symmetrize=True, keep_self_loops=False, backend="cpu")
    assert graph.changes == Changes(4, True, False, 1, 2)
    assert gunrock.as_graph(ends, backend="cpu").changes == Changes(4, duplicates_dropped=1)
    found = gunrock.sssp(ends, symmetrize=True, backend="cpu")
    assert found.changes == Changes(4, True, False, 0, 2).to_dict()
    assert found.record.graph["origin"]["weights"] == "unit"
    weighed = gunrock.sssp((*ends, [1, 2, 3, 4]), backend="cpu").record.graph["origin"]
    assert (weighed["weights"], weighed["weight_type"]) == ("given", "int32")


def test_python_graphs() -> None:
    graph = gunrock.as_graph(([0, 0, 1], [1, 1, 2]), backend="cpu")
    found = gunrock.bfs(graph, symmetrize=True, backend="cpu")
    assert found.changes == Changes(3, True, True, 0, 1).to_dict()
    assert gunrock.from_csr([0, 1, 1], [1], backend="cpu").changes == Changes(1)
    assert gunrock.as_graph(sparse.csr_array(np.eye(3)), backend="cpu").changes == Changes(3)
    assert gunrock.load("star", nodes=4, backend="cpu").changes == Changes(3)


def test_undirected_networkx_graphs_are_not_made_undirected() -> None:
    assert gunrock.as_graph(nx.path_graph(3), backend="cpu").changes == Changes(2)
    arrow = nx.DiGraph([(0, 1)])
    assert gunrock.as_graph(arrow, symmetrize=True, backend="cpu").changes == Changes(1, True, True)
