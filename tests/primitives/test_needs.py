"""The memory of a run besides its graph, known before it is taken."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from planned import planned

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import OutOfMemory
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model import memory
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.spec import spec_from_name
from gunrock_cli.primitives import get_primitive, needs, primitive_names
from gunrock_cli.primitives.compile import compile_variant
from gunrock_cli.primitives.execution import execution_of
from gunrock_cli.primitives.needs import queue_bytes
from gunrock_cli.primitives.run_options import RunOptions

WAYS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in primitive_names()),
    ("bfs", {"mark_pred": True}),
    ("bfs", {"strategy": "two-phase", "direction": "push"}),
    ("bc", {"variant": "edges"}),
    ("bc", {"backward": "push"}),
    ("cc", {"variant": "hook-jump"}),
    ("sssp", {"mark_pred": True}),
    ("sssp", {"redundancy": "bitmap"}),
    ("pagerank", {"push": True}),
    ("ppr", {"method": "push"}),
    ("salsa", {"variant": "edges"}),
    ("color", {"waiting": "in-order"}),
]


@pytest.fixture(scope="module")
def graph() -> Graph:
    return with_weights(load_graph(spec_from_name("rmat", {"scale": 12, "edge_factor": 8}), np), "random")


@pytest.mark.parametrize(("name", "given"), WAYS, ids=str)
def test_what_is_told_is_what_is_taken(name: str, given: dict[str, Any], graph: Graph) -> None:
    variant = planned(get_primitive(name), graph, given)
    problem = variant.allocate()
    taken = arrays_of(problem)
    if variant.successor is not None:
        taken |= arrays_of(variant.successor.allocate(problem))
    assert variant.nbytes == sum(array.nbytes for array in taken.values())


def arrays_of(problem: dict[str, Any]) -> dict[int, np.ndarray[Any, Any]]:
    """The arrays by identity: a member may have two names."""
    return {id(member): member for member in problem.values() if isinstance(member, np.ndarray)}


@pytest.mark.parametrize("name", ["bfs", "sssp", "pagerank"])
def test_so_are_the_queues(name: str, graph: Graph) -> None:
    primitive = get_primitive(name)
    variant = planned(primitive, graph)
    program = compile_variant(primitive, variant, choose_backend("cpu"), RunOptions())
    found = queue_bytes(primitive, variant, RunOptions())
    assert found == program.queues()["bytes"] if primitive.frontier.queued else found == 0


def test_what_does_not_fit_is_refused_in_one_line(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needs, "WORTH_ASKING", 0)
    monkeypatch.setattr(memory, "available_bytes", lambda: 1 << 16)
    execution = execution_of(get_primitive("bfs"), graph, {}, choose_backend("cpu"), RunOptions())
    with pytest.raises(
        OutOfMemory,
        match=r"^not enough memory for bfs on rmat-s12-e8: its arrays beside "
        r"the graph, of 4096 vertices and \d+ edges: it needs about "
        r"[\d.]+ MiB, and 0\.1 MiB are free$",
    ):
        execution.program()
