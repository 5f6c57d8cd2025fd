"""The methods that every primitive inherits: outputs by name, and comparisons of answers."""

from __future__ import annotations

import numpy as np
import pytest

from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives import get_primitive, primitive_names, summary_of
from gunrock_cli.primitives.base import Primitive, Validation

GRAPH = build_graph(2, np.array([0]), np.array([1]))


def test_an_answer_is_found_in_the_problem() -> None:
    class Named(Primitive):
        name = "named"
        answer = ("cores",)

    problem = {"left": np.zeros(2), "cores": np.ones(2)}
    found = Named().outputs(problem, GRAPH, {})
    assert list(found) == ["cores"]
    assert found["cores"] is problem["cores"]


def test_without_an_answer_outputs_must_be_written() -> None:
    class Silent(Primitive):
        name = "silent"

    with pytest.raises(NotImplementedError, match="silent names no answer"):
        Silent().outputs({}, GRAPH, {})


@pytest.mark.parametrize(
    ("found", "verdict", "message"),
    [
        ([3, 1, 2], "pass", ""),
        ([3, 0, 5], "fail", "2 cores differ: vertex 1: 0, expected 1; vertex 2: 5, expected 2"),
        ([3, 1], "fail", "cores: shape (2,), expected (3,)"),
    ],
)
def test_vertices_are_compared(found: list[int], verdict: str, message: str) -> None:
    made = Validation.of_vertices("igraph", "cores", np.array(found), np.array([3, 1, 2]))
    assert (made.verdict, made.reference, made.message) == (verdict, "igraph", message)


def test_of_many_that_differ_the_first_five_are_shown() -> None:
    made = Validation.of_vertices("numpy", "labels", np.zeros(9), np.ones(9))
    assert made.message.startswith("9 labels differ: vertex 0: 0.0, expected 1.0; ")
    assert made.message.count("vertex") == 5


@pytest.mark.parametrize("name", primitive_names())
def test_summaries_are_read_as_they_are(name: str) -> None:
    assert summary_of(name) == get_primitive(name).summary
