"""Runs from many sources in several launches."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from primitives.graphs_for_sets import LARGER
from runs_helper import run_on

from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive, portions

SMALL = GraphSpec("rmat", params={"scale": 9})
WAYS: list[tuple[str, dict[str, Any]]] = [
    ("closeness", {"sample": 500}),
    ("distances", {"sample": 500}),
    ("distances", {"sample": 500, "per": "pair"}),
]


@pytest.fixture(autouse=True)
def _on_any_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let portions grow, however long they take."""
    monkeypatch.setattr(portions, "SHORT_MS", math.inf)


def check(name: str, spec: GraphSpec, given: dict[str, Any], **how: Any) -> Measured:
    found = run_on(get_primitive(name), load_graph(spec, np), given, check="both", **how)
    assert found.record.validation["verdict"] == "pass", found.record.validation
    return found


@pytest.mark.parametrize("spec", [SMALL, LARGER[1]], ids=["together", "left to blocks"])
@pytest.mark.parametrize(("name", "given"), WAYS)
def test_portions_add_up(name: str, given: dict[str, Any], spec: GraphSpec) -> None:
    """A run in portions of 128 sources, 256, and so on has the answer of a single launch."""
    parts: list[float] = []

    def note(done: float, of: int) -> None:
        parts.append(done)

    several = check(name, spec, {**given, "batch": "128"}, progress=note)
    assert parts == [128 / 500, 384 / 500, 1]
    at_once = check(name, spec, {**given, "batch": "1024"})
    for output, array in at_once.outputs.items():
        np.testing.assert_array_equal(several.outputs[output], array)


def test_a_portion_is_repeated_alone() -> None:
    """Queues that prove too small in a later launch: totals of earlier launches stay."""
    found = check("closeness", SMALL, {"batch": "128"}, queue_sizing=0.02)
    assert found.record.queues["growths"] > 0


def test_a_trace_shows_all_launches() -> None:
    record = check("closeness", SMALL, {"batch": "128"}, trace=True).record
    assert [row["phase"] for row in record.trace].count("begin") == 4
    assert sum(row["ms"] for row in record.trace) <= record.runs_ms[0]
