"""Results as tables and in notebooks."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import gunrock_cli as gunrock
from gunrock_cli.face.tables import Layout, frame_of
from gunrock_cli.primitives import get_primitive, primitive_names

EDGES = ([0, 1, 3], [1, 2, 0])


def test_a_frame_has_a_row_for_each_vertex() -> None:
    found = gunrock.bfs(EDGES, 0, mark_pred=True, backend="cpu")
    expected = pd.DataFrame(
        {"labels": [0, 1, 2, -1], "predecessors": [-1, 0, 1, -1]},
        dtype=np.int32,
        index=pd.RangeIndex(4, name="vertex"),
    )
    pd.testing.assert_frame_equal(found.to_frame(), expected)
    assert found.names is None


def test_what_is_not_of_each_vertex_is_left_out_and_tables_are_columns() -> None:
    outputs = {"ranks": np.array([[1, 2], [3, 4], [5, 6]]), "best": np.array([2])}
    assert frame_of(outputs, Layout(3)).to_dict("list") == {"ranks, 0": [1, 3, 5], "ranks, 1": [2, 4, 6]}
    named = Layout(3, headings=("seed 4", "seed 9"), first_only=True)
    more = {**outputs, "circle": np.array([2, 1, -1])}  # a list as long as there are vertices
    assert list(frame_of(more, named)) == ["ranks, seed 4", "ranks, seed 9"]


def test_missing_vertices_keep_the_names_type() -> None:
    for kind, shown in (("int64", "Int64"), ("uint64", "UInt64"), ("uint32", "UInt32")):
        layout = Layout(2, pd.Index(np.array([7, 2**31], kind)), ("predecessors",))
        column = frame_of({"predecessors": np.array([-1, 0])}, layout).predecessors
        assert (column.dtype, column.tolist()) == (shown, [pd.NA, 7])


def test_notebooks_show_the_first_rows_and_nothing_a_name_says_is_html() -> None:
    names = ["<script>alert(1)</script>", *map(str, range(30))]
    frame = pd.DataFrame({"source": names, "target": "&amp;"})
    found = gunrock.bfs(frame, "0", mark_pred=True, backend="cpu")
    shown = found._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
    assert "&amp;amp;" not in shown  # the 32nd vertex
    assert shown.count("<tr") == 1 + 1 + 10  # headings, the index's name, rows
    assert "&lt;bfs on 32 vertices" in shown


SHOWN: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in primitive_names()),
    ("sssp", {"mark_pred": True}),
    ("ppr", {"batch": 2}),
    ("wtf", {"batch": 2}),
]


@pytest.mark.parametrize(("name", "how"), SHOWN, ids=str)
def test_every_result_shows_itself(name: str, how: dict[str, Any]) -> None:
    """Lists and tables too, with names and without, of one run and of a prepared one."""
    numbers = nx.karate_club_graph()
    for graph in (numbers, nx.relabel_nodes(numbers, "n<{}>".format)):
        first = {"source": next(iter(graph))} if get_primitive(name).source is not None else {}
        ready = gunrock.prepare(name, graph, backend="cpu", **how)
        for found in (
            getattr(gunrock, name)(graph, backend="cpu", **first, **how),
            ready() if "batch" in how else ready(*first.values()),
        ):
            assert repr(found).startswith(f"<{name} on 34 vertices")
            shown = found._repr_html_()
            assert min(10, len(found.to_frame())) <= shown.count("<tr") - 1 <= 11
            assert "n<" not in shown
            assert all(str(column) in shown for column in found.to_frame().columns)


def test_the_sum_of_several_sources_shows_itself() -> None:
    found = gunrock.bc(EDGES, source=[0, 1], backend="cpu")
    assert repr(found).startswith("<bc on 4 vertices, 3 edges: scores")
    assert "scores" in found._repr_html_()
