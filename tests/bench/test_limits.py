"""A run that the user's own limit ended says so in the record, the table, Python and the report."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from runs_helper import BACKENDS, LOOPS

import gunrock_cli as gunrock
from gunrock_cli.bench.protocol.runner import Measured, Protocol, measure
from gunrock_cli.bench.records.limits import limits_reached
from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.schema import schema
from gunrock_cli.bench.sweeps.texts import describe
from gunrock_cli.cli.main import cli
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.option_values import with_defaults
from gunrock_cli.report.evidence.data import tooltip
from gunrock_cli.report.evidence.marks import LIMITED, marks_of

ENDS: dict[str, tuple[str, dict[str, Any], str, int]] = {
    "pagerank": ("pagerank", {}, "max_iterations", 2),
    "pagerank push": ("pagerank", {"push": True}, "max_iterations", 2),
    "pagerank filter": ("pagerank", {"filter_converged": True}, "max_iterations", 2),
    "ppr": ("ppr", {}, "max_iterations", 2),
    "ppr batch": ("ppr", {"batch": 3}, "max_iterations", 2),
    "hits": ("hits", {}, "max_iterations", 2),
    "salsa": ("salsa", {}, "max_iterations", 2),
    "salsa seeds": ("salsa", {"seeds": "0,1,2,3,4,5,6,7"}, "max_iterations", 2),
    "salsa edges": ("salsa", {"variant": "edges"}, "max_iterations", 2),
    "wtf": ("wtf", {}, "max_iterations", 2),
    "wtf batch": ("wtf", {"batch": 40}, "max_iterations", 2),
    "louvain moves": ("louvain", {"few_moves": 10**6}, "max_iterations", 1),
    "louvain levels": ("louvain", {}, "max_levels", 1),
    "louvain refined": ("louvain", {}, "refine", 1),
}
"""A primitive, its options, the limit, and a value of it that ends the run."""
ENOUGH = {"max_iterations": 1000, "max_levels": 32, "refine": 0}


@pytest.fixture(scope="module")
def rmat() -> Graph:
    return load_graph(GraphSpec("rmat", params={"scale": 8}))


@pytest.fixture(scope="module")
def star() -> Graph:
    """A star with two leaves: ranks swing from side to side, less each time."""
    return load_graph(GraphSpec("star", params={"nodes": 3}))


def run(
    name: str,
    graph: Graph,
    sources: tuple[int, ...] = (0,),
    backend: str = "cpu",
    given: dict[str, Any] | None = None,
    **protocol: Any,
) -> Measured:
    primitive, chosen = get_primitive(name), choose_backend(backend, 2 if backend == "cpu" else None)
    return measure(
        primitive,
        graph.to(chosen.xp),
        with_defaults(primitive.options, given or {}),
        sources,
        chosen,
        Protocol(**{"runs": 1, "warmup": 0, **protocol}),
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("case", ENDS)
def test_a_limit_that_ended_a_run_is_recorded(case: str, loop: str, backend: str, rmat: Graph) -> None:
    name, options, key, few = ENDS[case]
    cut = run(name, rmat, backend=backend, given={**options, key: few}, loop=loop).record
    assert key in cut.limited_by  # type: ignore[operator]
    jsonschema.validate(json.loads(cut.to_json()), schema())
    given = {**options, key: ENOUGH[key], **({"few_moves": 1} if case == "louvain moves" else {})}
    assert run(name, rmat, backend=backend, given=given, loop=loop).record.limited_by == {}


def test_primitives_without_limits_say_none(rmat: Graph) -> None:
    assert run("bfs", rmat).record.limited_by == {}


@pytest.mark.parametrize("loop", LOOPS)
def test_several_devices(loop: str, star: Graph) -> None:
    cut = run("pagerank", star, devices="2", loop=loop).record
    assert cut.limited_by == {"max_iterations": 1}
    given = {"max_iterations": 1000}
    assert run("pagerank", star, devices="2", loop=loop, given=given).record.limited_by == {}


def test_a_run_that_settles_in_its_last_iteration_is_not_cut(star: Graph) -> None:
    needed = run("pagerank", star, given={"max_iterations": 1000}).record.iterations
    assert needed is not None
    assert run("pagerank", star, given={"max_iterations": needed}).record.limited_by == {}
    assert run("pagerank", star, given={"max_iterations": needed - 1}).record.limited_by


def test_sources_are_counted() -> None:
    """A walk from a vertex without edges never moves."""
    graph = gunrock.from_csr([0, 1, 3, 4, 4], [1, 0, 2, 1], backend="cpu")
    record = run("ppr", graph, (0, 3, 1, 3), given={"max_iterations": 20}, runs=2).record
    assert record.limited_by == {"max_iterations": 2}
    assert limits_reached(record) == "--max-iterations 20 (from 2 of 3 sources)"


def test_the_table_and_texts_say_it(tmp_path: Path) -> None:
    words = ["pagerank", "star", "--nodes", "3", "--backend", "cpu", "--runs", "1"]
    shown = CliRunner().invoke(cli, words, catch_exceptions=False).stdout
    assert "--max-iterations 50" in shown
    settled = CliRunner().invoke(cli, [*words, "--max-iterations", "500"], catch_exceptions=False).stdout
    assert "--max-iterations" not in settled
    found = json.loads(CliRunner().invoke(cli, [*words, "--json"], catch_exceptions=False).stdout)
    record = Record.from_dict(found)
    assert record.limited_by == {"max_iterations": 1}
    assert "--max-iterations 50" in describe(record)
    assert "--max-iterations 50" in tooltip(record)
    assert LIMITED in marks_of(record)


def test_older_records_do_not_say() -> None:
    older = asdict(Record("pagerank", "gunrock", "ok"))
    del older["limited_by"]
    record = Record.from_dict(older)
    assert record.limited_by is None
    assert limits_reached(record) == ""
    assert LIMITED not in marks_of(record)


def test_python_says_it(star: Graph) -> None:
    found = gunrock.pagerank(star, backend="cpu")
    assert found.limited_by == ("max_iterations",)
    assert "max_iterations" in repr(found)
    assert gunrock.pagerank(star, backend="cpu", max_iterations=500).limited_by == ()
    ready = gunrock.prepare("pagerank", star, backend="cpu")
    assert ready().limited_by == ("max_iterations",)
    assert "max_iterations" in repr(ready())
    assert gunrock.prepare("pagerank", star, backend="cpu", max_iterations=500)().limited_by == ()
