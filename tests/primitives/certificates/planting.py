"""Errors planted in right answers, and what the certificates say of them.

    python tests/primitives/certificates/planting.py [--errors 10000] [--backend auto] [--threads N]

prints a table: for each answer, how many errors were planted, how many the certificate found, and how
many had made another right answer, as the reference agrees. An error that is neither ends it. Errors are
wild ones (any number) and near misses (another vertex's value, one more, one less, two exchanged), which
a race or a lost update would leave.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import numpy as np
from planned import planned

from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.graph.model.graph import Graph, to_numpy
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.certificates.base import Prover
from gunrock_cli.primitives.compile import compile_variant
from gunrock_cli.primitives.run_options import RunOptions

Numbers = np.ndarray[Any, Any]
ERRORS_PER_GRAPH = 25
CONVERGED: dict[str, Any] = {"max_iterations": 1000}
Way = tuple[str, str, dict[str, Any]]
"""A primitive, the array that errors are planted in, options."""
WAYS: list[Way] = [
    ("bfs", "labels", {}),
    ("bfs", "labels", {"mark_pred": True}),
    ("bfs", "predecessors", {"mark_pred": True}),
    ("sssp", "distances", {}),
    ("sssp", "distances", {"mark_pred": True}),
    ("sssp", "predecessors", {"mark_pred": True}),
    ("cc", "components", {}),
    ("pagerank", "ranks", CONVERGED),
    ("pagerank", "ranks", {**CONVERGED, "weighted": True}),
    ("bc", "labels", {}),
    ("bc", "scores", {}),
    ("bc", "counts", {}),
    ("bc", "distances", {"weighted": True}),
    ("bc", "scores", {"weighted": True}),
    ("bc", "counts", {"weighted": True}),
]
MATCHINGS: list[Way] = [
    ("matching", "mates", {}),
    ("matching", "mates", {"by": "random", "priority_seed": 7}),
]
SETS: list[Way] = [("mis", "members", {}), ("color", "colors", {}), *MATCHINGS]
"""The sets that the table has as well."""


def random_graph(
    draw: np.random.Generator, backend: Backend, undirected: bool, floats: bool, lightest: int = 0
) -> Graph:
    n = int(draw.integers(2, 40))
    m = int(draw.integers(1, 4 * n))
    weights = draw.integers(lightest, 5, m)  # zeros among them, unless they are refused
    return build_graph(
        n,
        draw.integers(0, n, m),
        draw.integers(0, n, m),
        weights.astype(np.float32) / 4 if floats else weights.astype(np.int32),
        xp=backend.xp,
        undirected=undirected,
        keep_self_loops=bool(draw.integers(2)),
    )


class Solved:
    """A right answer, as a run left it, and a prover of others."""

    def __init__(
        self, primitive: Primitive, graph: Graph, source: int, backend: Backend, given: dict[str, Any]
    ) -> None:
        self.primitive, self.graph, self.source = primitive, graph, source
        variant = planned(primitive, graph, given)
        program = compile_variant(primitive, variant, backend, RunOptions())
        self.options, self.problem = variant.options, variant.allocate()
        program.run(self.problem, lambda: variant.reset(self.problem, source))
        self.outputs = variant.outputs(self.problem)
        certificate = certificate_of(primitive)
        assert certificate is not None
        self.prover = Prover(certificate, graph, self.options, backend)

    def verdict(self, **planted: Numbers) -> str:
        """The verdict with some arrays in place of the run's own."""
        arrays = {name: self.graph.xp.asarray(array) for name, array in planted.items()}
        found = self.prover.verdict(self.source, {**self.outputs, **arrays}, {**self.problem, **arrays})
        return "unproved" if found is None else found.verdict

    def array(self, name: str) -> Numbers:
        return to_numpy(self.outputs.get(name, self.problem.get(name))).copy()

    def is_right(self, name: str, planted: Numbers) -> bool:
        """True if the reference accepts the planted answer."""
        outputs = {key: to_numpy(array) for key, array in self.outputs.items()} | {name: planted}
        return (
            self.primitive.validate(self.graph.to(np), self.options, self.source, outputs).verdict
            == "pass"
        )


def plant(draw: np.random.Generator, array: Numbers, places: Numbers) -> Numbers:
    """Change one entry, or exchange two."""
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
        wrong[v] = draw.choice(
            np.array([least, -1 if least else 0, 0, np.iinfo(array.dtype).max], array.dtype)
        )
    elif array.dtype.kind == "f":
        wrong[v] *= np.float32(draw.choice([0.5, 0.99, 1.01, 2]))
    elif array.dtype == np.uint64:
        wrong[v] += np.uint64(1 << int(draw.integers(6, 45)))  # lower bits are within the tolerance
    else:
        wrong[v] += np.array(draw.choice([-1, 1]), array.dtype)
    return wrong


@dataclass
class Count:
    """The number of planted errors that were found, and of those that made another right answer."""

    planted: int = 0
    found: int = 0
    right: int = 0


def plant_errors(way: Way, number: int, backend: Backend, errors: int) -> Count:
    """Plant this many errors in answers for random graphs; AssertionError for a wrong answer that passes.
    ``number`` is the seed."""
    name, output, given = way
    primitive, count = get_primitive(name), Count()
    draw = np.random.default_rng(number)
    turn = 0
    while count.planted < errors:
        undirected = bool(turn % 2) or primitive.needs.undirected
        by_weight = name == "bc" and bool(given.get("weighted"))
        graph = random_graph(draw, backend, undirected, turn % 4 > 1, lightest=int(by_weight))
        source = int(draw.integers(graph.n))
        solved = Solved(primitive, graph, source, backend, given)
        assert solved.verdict() == "pass"
        right = solved.array(output)
        places = np.arange(graph.n)
        if output == "counts":  # of reached vertices
            lengths = solved.array("distances" if by_weight else "labels")
            places = np.flatnonzero((lengths >= 0) & np.isfinite(lengths))
        for _ in range(min(ERRORS_PER_GRAPH, errors - count.planted)):
            wrong = plant(draw, right, places)
            if np.array_equal(wrong, right, equal_nan=right.dtype.kind == "f") or _too_small(
                output, right, wrong
            ):
                continue
            count.planted += 1
            verdict = solved.verdict(**{output: wrong})
            if verdict == "fail" or (verdict == "unproved" and output == "ranks"):
                count.found += 1
            else:
                assert output != "counts", (turn, right, wrong)
                assert solved.is_right(output, wrong), (turn, graph.csr, source, right, wrong)
                count.right += 1
        turn += 1
    return count


def _too_small(output: str, right: Numbers, wrong: Numbers) -> bool:
    """True for a change of ranks that the tolerance allows."""
    return output == "ranks" and float(np.abs(right - wrong).sum()) < 1e-4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--errors", type=int, default=10_000)
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--threads", type=int)
    how = parser.parse_args()
    backend = choose_backend(how.backend, how.threads)
    print(f"{backend.why}\n")
    print("| certificate | planted in | errors | found | another right answer |")
    print("|---|---|---:|---:|---:|")
    for number, way in enumerate([*WAYS, *SETS]):
        name, output, given = way
        count = plant_errors(way, number, backend, how.errors)
        shown = output + (", with predecessors" if given.get("mark_pred") else "")
        print(f"| {name} | {shown} | {count.planted:,} | {count.found:,} | {count.right:,} |", flush=True)


if __name__ == "__main__":
    main()
