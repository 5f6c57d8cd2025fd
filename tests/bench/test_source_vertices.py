"""The vertices from which a traversal starts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gunrock_cli.bench.inputs.sources import choose_sources
from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import GunrockError, InputError, UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.vertex_list import listed_vertices
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.option_values import with_defaults


def star(leaves: int = 6, alone: int = 3) -> Graph:
    """The hub is vertex 2; the last ``alone`` vertices have no edges."""
    ends = [v for v in range(leaves + 1) if v != 2]
    return build_graph(leaves + 1 + alone, np.full(leaves, 2), np.array(ends), xp=np, name="star")


def test_names_and_numbers() -> None:
    graph = star()
    assert choose_sources(graph, "4", None, 0) == [4]
    assert choose_sources(graph, "largest-degree", None, 0) == [2]
    assert choose_sources(graph, "all", None, 0) == list(range(10))


def test_random_sources_have_a_path_out_and_follow_the_seed() -> None:
    graph = star()
    drawn = {choose_sources(graph, "random", None, seed)[0] for seed in range(60)}
    assert drawn == set(range(7))
    many = choose_sources(graph, None, 7, 1)
    assert sorted(many) == list(range(7))
    assert many == choose_sources(graph, "random", 7, 1)
    assert many != choose_sources(graph, "random", 7, 2)


@pytest.mark.parametrize(
    ("wanted", "count", "message"),
    [
        ("10", None, "vertices 0 to 9"),
        ("-1", None, "vertices 0 to 9"),
        ("hub", None, "give a vertex"),
        ("1.5", None, "give a vertex"),
        ("random", 8, "7 vertices have an out-edge"),
        ("random", 0, "7 vertices have an out-edge"),
        ("3", 2, "does not go with --src 3"),
        ("0", 2, "does not go with --src 0"),
        ("0,1", 2, "does not go with --src 0,1"),
        ("all", 2, "does not go with --src all"),
    ],
)
def test_refusals(wanted: str, count: int | None, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        choose_sources(star(), wanted, count, 0)


@pytest.mark.parametrize(
    ("primitive", "sources", "words"),
    [
        ("bfs", [8], "source 8,"),
        ("sssp", [7, 8, 8], "any of 2 sources,"),
        ("bc", [9], "source 9,"),
        ("bfs", [0], ""),
        ("bfs", [8, 0], ""),
        ("cc", [], ""),
    ],
)
def test_where_no_source_has_an_edge_the_record_says_so(
    primitive: str, sources: list[int], words: str
) -> None:
    chosen = get_primitive(primitive)
    found = measure(
        chosen,
        with_weights(star(), "unit"),
        with_defaults(chosen.options, {}),
        sources,
        choose_backend("cpu", 1),
        Protocol(runs=1, warmup=0),
    )
    told = [warning for warning in found.record.warnings if "no edge leads out of" in warning]
    assert len(told) == bool(words)
    assert all(words in warning for warning in told)


def test_graphs_without_vertices_or_edges() -> None:
    none = np.zeros(0, np.int32)
    with pytest.raises(UsageError, match="no vertices"):
        choose_sources(build_graph(0, none, none, xp=np), "0", None, 0)
    with pytest.raises(UsageError, match="no edges"):
        choose_sources(build_graph(4, none, none, xp=np), "random", None, 0)


def path_of(n: int) -> Graph:
    ends = np.arange(n - 1)
    return build_graph(n, ends, ends + 1, None, xp=np, name="path")


def test_lists_are_run_in_their_order(tmp_path: Path) -> None:
    graph = path_of(10)
    assert choose_sources(graph, "7", None, 0) == [7]
    assert choose_sources(graph, "7, 0,9", None, 0) == [7, 0, 9]
    (tmp_path / "sources").write_text("# the hubs\n\n 7  # the first\n0, 9")
    assert choose_sources(graph, f"@{tmp_path / 'sources'}", None, 0) == [7, 0, 9]


@pytest.mark.parametrize(
    "wanted",
    [
        "",
        ",",
        "1,",
        "1,x",
        "1.0",
        "-1",
        "1e1",
        "٣",
        "0x1",
        "1,1",
        "10",
        "1,10",
        "9" * 400,
        "@",
        "@nowhere",
    ],
)
def test_what_names_no_vertex_is_refused(wanted: str) -> None:
    with pytest.raises(GunrockError) as found:
        choose_sources(path_of(10), wanted, None, 0)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1\nx\n", ":2: 'x' is no vertex"),
        ("1\n\n10\n", ":3: vertex 10: path has the vertices 0 to 9"),
        ("", "lists no vertex"),
        ("# 1\n", "lists no vertex"),
        ("1 x\n", ":1: 'x' is no vertex"),
        ("4\n4\n", "vertex 4 is named twice"),
        ("\x00\n", "is no vertex"),
        ("9" * 5000, "is no vertex"),
    ],
)
def test_a_bad_file_is_named_with_the_line(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "list"
    file.write_text(text)
    with pytest.raises(GunrockError, match="list") as found:
        listed_vertices(path_of(10), f"@{file}", "--src")
    assert words in str(found.value)


def test_a_folder_is_no_list(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is a folder, not a file"):
        listed_vertices(path_of(10), f"@{tmp_path}", "--src")
