"""Certificates and planted errors: each is found, or what it made is another right answer.

By ``make fuzz`` many thousands of errors are planted for each primitive: wild ones (any number) and near
misses (another vertex's value, one more, one less), which a race or a lost update would leave.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from fuzzing import cases

from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.graph.build import build_graph
from gunrock_cli.graph.model import Graph, to_numpy
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.certificates.base import Prover
from gunrock_cli.primitives.compile import compile_primitive
from gunrock_cli.primitives.option_values import with_defaults
from gunrock_cli.primitives.run_options import RunOptions

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
Numbers = np.ndarray[Any, Any]
ERRORS_PER_GRAPH = 25
CONVERGED: dict[str, Any] = {"max_iterations": 1000}
WAYS: list[tuple[str, str, dict[str, Any]]] = [
    ("bfs", "labels", {}), ("bfs", "labels", {"mark_pred": True}),
    ("bfs", "predecessors", {"mark_pred": True}),
    ("sssp", "distances", {}), ("sssp", "distances", {"mark_pred": True}),
    ("sssp", "predecessors", {"mark_pred": True}),
    ("cc", "components", {}), ("pagerank", "ranks", CONVERGED),
    ("bc", "labels", {}), ("bc", "scores", {}), ("bc", "counts", {}),
]


def random_graph(draw: np.random.Generator, backend: Backend, undirected: bool, floats: bool) -> Graph:
    n = int(draw.integers(2, 40))
    m = int(draw.integers(1, 4 * n))
    weights = draw.integers(0, 5, m)  # zeros among them
    return build_graph(
        n, draw.integers(0, n, m), draw.integers(0, n, m),
        weights.astype(np.float32) / 4 if floats else weights.astype(np.int32), xp=backend.xp,
        undirected=undirected, keep_self_loops=bool(draw.integers(2)))


class Solved:
    """A right answer, as a run has left it, and a prover of others."""

    def __init__(self, primitive: Primitive, graph: Graph, source: int, backend: Backend,
                 given: dict[str, Any]) -> None:
        self.primitive, self.graph, self.source = primitive, graph, source
        self.options = primitive.check_options(graph, with_defaults(primitive.options, given))
        program = compile_primitive(primitive, graph, self.options, backend, RunOptions())
        self.problem = primitive.problem(graph, self.options)
        program.run(self.problem, lambda: primitive.reset(self.problem, graph, self.options, source))
        self.outputs = primitive.outputs(self.problem, graph, self.options)
        certificate = certificate_of(primitive)
        assert certificate is not None
        self.prover = Prover(certificate, graph, self.options, backend)

    def verdict(self, **planted: Numbers) -> str:
        """With some arrays in the place of the run's own."""
        arrays = {name: self.graph.xp.asarray(array) for name, array in planted.items()}
        found = self.prover.verdict(self.source, {**self.outputs, **arrays},
                                    {**self.problem, **arrays})
        return "unproved" if found is None else found.verdict

    def array(self, name: str) -> Numbers:
        return to_numpy(self.outputs.get(name, self.problem.get(name))).copy()

    def is_right(self, name: str, planted: Numbers) -> bool:
        """Whether the reference takes the planted answer."""
        outputs = {key: to_numpy(array) for key, array in self.outputs.items()} | {name: planted}
        return self.primitive.validate(self.graph.to(np), self.options, self.source,
                                       outputs).verdict == "pass"


def plant(draw: np.random.Generator, array: Numbers, places: Numbers) -> Numbers:
    """One entry changed, or two exchanged."""
    wrong, v, other = array.copy(), draw.choice(places), draw.choice(places)
    kind = int(draw.integers(5))
    if kind == 0:
        wrong[v], wrong[other] = array[other], array[v]
    elif kind == 1:
        wrong[v] = array[other]
    elif kind == 2 and array.dtype.kind == "f":
        wrong[v] = draw.choice([np.nan, np.inf, -1.0, 0.0, 3.0])
    elif kind == 2:
        least = np.iinfo(array.dtype).min
        wrong[v] = draw.choice(np.array([least, -1 if least else 0, 0, np.iinfo(array.dtype).max],
                                        array.dtype))
    elif array.dtype.kind == "f":
        wrong[v] *= np.float32(draw.choice([0.5, 0.99, 1.01, 2]))
    elif array.dtype == np.uint64:
        wrong[v] += np.uint64(1 << int(draw.integers(6, 45)))  # lower bits are within the tolerance
    else:
        wrong[v] += np.array(draw.choice([-1, 1]), array.dtype)
    return wrong


@pytest.mark.fuzz
@pytest.mark.parametrize("backend_name", BACKENDS)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join([way[0], way[1], *way[2]]))
def test_planted_errors_are_found(way: tuple[str, str, dict[str, Any]], backend_name: str) -> None:
    name, output, given = way
    draw = np.random.default_rng(WAYS.index(way))
    backend = choose_backend(backend_name, 2)
    errors = found = 0
    for turn in range(-(-cases(200) // ERRORS_PER_GRAPH)):
        graph = random_graph(draw, backend, undirected=bool(turn % 2), floats=turn % 4 > 1)
        source = int(draw.integers(graph.n))
        solved = Solved(get_primitive(name), graph, source, backend, given)
        assert solved.verdict() == "pass"
        right = solved.array(output)
        places = np.arange(graph.n)
        if output == "counts":  # of vertices that were reached
            places = np.flatnonzero(solved.array("labels") >= 0)
        for _ in range(ERRORS_PER_GRAPH):
            wrong = plant(draw, right, places)
            if np.array_equal(wrong, right, equal_nan=right.dtype.kind == "f") or _too_small(
                    output, right, wrong):
                continue
            errors += 1
            verdict = solved.verdict(**{output: wrong})
            if verdict == "fail" or (verdict == "unproved" and output == "ranks"):
                found += 1
            else:
                assert output != "counts", (turn, right, wrong)
                assert solved.is_right(output, wrong), (turn, graph.csr, source, right, wrong)
    assert found >= 0.5 * errors > 0


def _too_small(output: str, right: Numbers, wrong: Numbers) -> bool:
    """Of ranks: a change that the tolerance allows."""
    return output == "ranks" and float(np.abs(right - wrong).sum()) < 1e-4


@pytest.mark.parametrize("backend_name", BACKENDS)
def test_zero_weights_that_hold_each_other_up(backend_name: str) -> None:
    """0 -5-> 1 and a circle of zeros 1 - 2 - 3: the circle at 4 is tight all around, and too near."""
    backend = choose_backend(backend_name, 2)
    graph = build_graph(4, np.array([0, 1, 2, 3]), np.array([1, 2, 3, 1]),
                        np.array([5, 0, 0, 0], np.int32), xp=backend.xp, undirected=False)
    for given in ({}, {"mark_pred": True}):
        solved = Solved(get_primitive("sssp"), graph, 0, backend, given)
        assert solved.verdict() == "pass"
        short: dict[str, Numbers] = {"distances": np.array([0, 4, 4, 4], np.int32)}
        if given:
            short["predecessors"] = np.array([-1, 3, 1, 2], np.int32)
        assert solved.verdict(**short) == "fail"


@pytest.mark.parametrize("backend_name", BACKENDS)
@pytest.mark.parametrize("name", ["bfs", "sssp", "cc", "pagerank", "bc"])
@pytest.mark.parametrize(("n", "edges"), [
    (1, []), (1, [(0, 0)]), (5, []), (3, [(0, 0), (0, 1), (0, 1)]),
    (20_001, [(v, v + 1) for v in range(20_000)]), (20_001, [(0, v) for v in range(1, 20_001)]),
], ids=["one", "loop", "none", "double", "path", "star"])
def test_right_answers_of_corner_cases_are_proved(n: int, edges: list[tuple[int, int]], name: str,
                                                  backend_name: str) -> None:
    backend = choose_backend(backend_name, 2)
    table = np.array(edges, np.int64).reshape(-1, 2)
    primitive = get_primitive(name)
    weights = np.arange(len(table), dtype=np.int32) % 3
    for how in ({"undirected": True}, {"undirected": False, "keep_duplicates": True,
                                       "keep_self_loops": True}):
        graph = build_graph(n, table[:, 0], table[:, 1], weights, xp=backend.xp, **how)
        for source in {0, n // 2}:
            given = CONVERGED if name == "pagerank" else {}
            assert Solved(primitive, graph, source, backend, given).verdict() == "pass"
