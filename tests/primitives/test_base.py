"""The methods that every primitive inherits: outputs by name, and comparisons of answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gunrock_cli.engine.room import Room
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives import get_primitive, primitive_names, summary_of
from gunrock_cli.primitives.base import Primitive, Validation
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.variant import Problem, Variant

GRAPH = build_graph(2, np.array([0]), np.array([1]))


class Named(Variant[Options]):
    answer = ("cores",)

    def members(self) -> dict[str, Any]:
        return {
            "left": Room(2, np.int32),
            "cores": Room(2, np.int32, filled=7),
            "source": 0,
            "none": None,
        }

    def start(self, problem: Problem, source: int) -> None:
        problem["cores"][source] = 0


def test_an_answer_is_found_in_the_problem() -> None:
    problem = {"left": np.zeros(2), "cores": np.ones(2)}
    found = Named(GRAPH, Options()).outputs(problem)
    assert list(found) == ["cores"]
    assert found["cores"] is problem["cores"]


def test_every_run_begins_as_the_members_say() -> None:
    variant = Named(GRAPH, Options())
    problem = variant.allocate()
    for source in (1, 0):
        problem["cores"][...] = 3
        variant.reset(problem, source)
        assert problem["source"] == source
        assert problem["cores"].tolist() == [7 * (v != source) for v in range(2)]
    assert variant.nbytes == 16


def test_what_another_has_is_shared() -> None:
    variant = Named(GRAPH, Options())
    own = variant.allocate({"cores": (shared := np.zeros(2, np.int32)), "left": None, "source": 5})
    assert own["cores"] is shared
    assert own["left"].shape == (2,)
    assert own["source"] == 0


def test_without_an_answer_outputs_must_be_written() -> None:
    class Silent(Variant[Options]):
        pass

    with pytest.raises(NotImplementedError, match="Silent names no answer"):
        Silent(GRAPH, Options()).outputs({})


def test_without_a_variant_plan_must_be_written() -> None:
    class Lost(Primitive):
        name = "lost"

    with pytest.raises(NotImplementedError, match="lost names no variant"):
        Lost().plan(GRAPH, Options())


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
