"""Graphs with weights of edges, and how the command line refuses some, for tests of ``--weighted``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from gunrock_cli.cli.main import main
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph

Edges = Sequence[tuple[int, int, float]]


def graph_of(n: int, edges: Edges, backend: str = "cpu", **how: Any) -> Graph:
    """The graph of these edges; weights are integers if all are whole and fit."""
    table = np.array(edges, float).reshape(-1, 3)
    weights = table[:, 2]
    with np.errstate(invalid="ignore"):
        whole = bool((weights % 1 == 0).all() and (weights < 2**31).all())
    return build_graph(
        n,
        table[:, 0].astype(np.int64),
        table[:, 1].astype(np.int64),
        weights.astype(np.int32 if whole else np.float32),
        xp=choose_backend(backend).xp,
        **how,
    )


@st.composite
def small_graphs(draw: st.DrawFn, most: int) -> Graph:
    """Graphs of at most so many vertices, of any cleaning, with weights of one kind."""
    n = draw(st.integers(1, most))
    vertex = st.integers(0, n - 1)
    weight = draw(
        st.sampled_from(
            [st.integers(0, 3), st.integers(0, 2**31 - 1), st.floats(0, 8, width=16), st.just(0)]
        )
    )
    return graph_of(
        n,
        draw(st.lists(st.tuples(vertex, vertex, weight), max_size=80)),
        undirected=draw(st.booleans()),
        keep_self_loops=draw(st.booleans()),
        keep_duplicates=draw(st.booleans()),
    )


def check_refusal(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The command line must end with code 2, and its last line say what to do."""
    with pytest.raises(SystemExit) as ended:
        main([*words.split(), "--backend", "cpu"])
    assert ended.value.code == 2
    line = capsys.readouterr().err.splitlines()[-1]  # after what was noted of the graph
    assert message in line
