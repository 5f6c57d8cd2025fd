"""Checks of answers: by reference, by certificate, by both."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gunrock_cli.bench.protocol.runner import Measured, Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.bc import Bc
from gunrock_cli.primitives.bfs import Bfs
from gunrock_cli.primitives.bfs.options import BfsOptions
from gunrock_cli.primitives.bfs.variants import Search
from gunrock_cli.primitives.variant import Problem

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]


def ring(backend: str, n: int = 30) -> Graph:
    ends = np.arange(n)
    return build_graph(n, ends, (ends + 1) % n, None, xp=choose_backend(backend).xp)


def run(
    primitive: Primitive, backend: str, check: str, sources: tuple[int, ...] = (0,), **how: Any
) -> Measured:
    return measure(
        primitive,
        ring(backend),
        {},
        list(sources),
        choose_backend(backend, 2),
        Protocol(runs=1, warmup=0, check=check, **how),
    )


class OffByOne(Bfs):
    """A BFS whose answer is wrong at one vertex, from one of its sources."""

    def plan(self, graph: Graph, asked: BfsOptions) -> Search:
        found = super().plan(graph, asked)

        class Wrong(type(found)):  # type: ignore[misc]
            def outputs(self, problem: Problem) -> dict[str, Array]:
                labels = problem["labels"].copy()
                if problem["source"] == 3:
                    labels[17] += 1
                return {"labels": labels}

        wrong: Search = Wrong(graph, found.options)
        return wrong


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("check", "reference"),
    [("reference", "scipy"), ("certificate", "certificate"), ("both", "certificate and scipy")],
)
def test_the_record_says_how_it_was_checked(check: str, reference: str, backend: str) -> None:
    record = run(get_primitive("bfs"), backend, check).record
    assert record.validation == {
        "verdict": "pass",
        "reference": reference,
        "method": check,
        "message": "",
    }
    assert ("certify" in record.phases_ms) == (check != "reference")
    assert ("validate" in record.phases_ms) == (check != "certificate")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("check", ["reference", "certificate", "both"])
@pytest.mark.parametrize("sources", [(3,), (5, 3, 7)])
def test_a_wrong_answer_is_found(sources: tuple[int, ...], check: str, backend: str) -> None:
    record = run(OffByOne(), backend, check, sources).record
    assert (record.status, record.validation["verdict"]) == ("wrong", "fail")
    assert "17" in record.error or "16" in record.error
    assert ("from source 3: " in record.error) == (len(sources) > 1)


@pytest.mark.parametrize("backend", BACKENDS)
def test_certificates_are_asked_for_every_source(backend: str) -> None:
    sources = tuple(range(20))  # references take the first few
    assert run(get_primitive("bfs"), backend, "certificate", sources).record.validation["sources"] == 20
    assert run(get_primitive("bfs"), backend, "reference", sources).record.validation["sources"] == 8
    assert run(Bc(), backend, "certificate", sources).record.validation["sources"] == 20


def test_no_check_is_said() -> None:
    record = run(get_primitive("bfs"), "cpu", "none").record
    assert record.validation["verdict"] == "skipped"
    assert record.validation["method"] == "none"


def test_without_a_certificate_the_reference_takes_its_place() -> None:
    class Own(Primitive):  # of the same name, as one that lies outside of the tree
        name, summary, takes, needs = "bfs", Bfs.summary, Bfs.takes, Bfs.needs
        plan, reads_reverse, work = Bfs.plan, Bfs.reads_reverse, Bfs.work  # type: ignore[assignment]
        validate, traffic, accesses = Bfs.validate, Bfs.traffic, Bfs.accesses  # type: ignore[assignment]

    assert run(Own(), "cpu", "certificate").record.validation["reference"] == "scipy"
    assert run(Own(), "cpu", "certificate").record.validation["method"] == "reference"
