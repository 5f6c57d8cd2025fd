"""Runs whose caches were flushed before them."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from records_helper import make_record

from gunrock_cli.bench.protocol import cold, runner
from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.bench.records.regressions import compare
from gunrock_cli.cli.main import cli
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.execution import Execution

RUN = ["bfs", "rmat", "--scale", "6", "--backend", "cpu"]


def test_each_timed_run_is_flushed_once_between_reset_and_launch(monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    reset = Execution.reset

    def noted(self: Execution, problem: Any, source: int) -> None:
        reset(self, problem, source)
        events.append("reset")

    monkeypatch.setattr(Execution, "reset", noted)
    monkeypatch.setattr(runner, "flushing", lambda *_: lambda: events.append("flush"))
    graph = load_graph(GraphSpec("rmat", params={"scale": 6}))
    protocol = Protocol(runs=2, warmup=1, cold=True, check="none")
    record = measure(get_primitive("bfs"), graph, {}, [0], choose_backend("cpu"), protocol).record
    assert events == ["reset", "reset", "flush", "reset", "flush"]
    assert record.options["cold"] is True
    assert record.call_ms == []


def test_all_cores_overwrite_their_part(monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = np.zeros(4 * 1000, np.uint8)
    asked, pinned = [], []
    monkeypatch.setattr(cold.bandwidth_host, "reported_cache_bytes", lambda: 1000)
    monkeypatch.setattr(cold.np, "empty", lambda size, _: (asked.append(size), buffer)[1])
    monkeypatch.setattr(os, "sched_setaffinity", lambda _, cores: pinned.append(cores))
    flush = cold.flushing("cpu")
    flush()
    assert asked == [4000]
    assert buffer.all()
    assert sorted(map(list, pinned)) == [[core] for core in sorted(os.sched_getaffinity(0))]


def test_cold_and_warm_are_two_cells() -> None:
    warm = make_record(runs=[1.0] * 5)
    cold_run = make_record(runs=[2.0] * 5, options={**warm.options, "cold": True})
    assert [each.verdict for each in compare([warm], [cold_run])] == ["missing", "new"]
    assert [each.verdict for each in compare([warm], [cold_run], ignore=["cold"])] == ["slower"]


def test_the_record_and_the_table_say_so() -> None:
    shown = CliRunner().invoke(cli, [*RUN, "--cold"])
    assert "cold runs" in shown.stdout
    assert "cold: " in shown.stderr + shown.stdout
    recorded = CliRunner().invoke(cli, [*RUN, "--cold", "--json"])
    assert json.loads(recorded.stdout)["options"]["cold"] is True
    warm = CliRunner().invoke(cli, [*RUN, "--no-cold", "--json"])
    assert "cold" not in json.loads(warm.stdout)["options"]


def test_no_other_system_is_flushed() -> None:
    done = CliRunner().invoke(cli, [*RUN, "--cold", "--against", "scipy"])
    assert isinstance(done.exception, UsageError)
    assert "no other system's caches are flushed" in str(done.exception)


def test_caches_of_unknown_size_are_not_flushed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cold.bandwidth_host, "reported_cache_bytes", lambda: 0)
    done = CliRunner().invoke(cli, [*RUN, "--cold"])
    assert isinstance(done.exception, UsageError)
    assert "does not report the size of its caches" in str(done.exception)


@pytest.mark.gpu
def test_a_graph_that_fits_l2_takes_longer_cold() -> None:
    """And the buffer is no part of what the run is said to need."""
    backend = choose_backend("cuda")
    graph = load_graph(GraphSpec("rmat", params={"scale": 16}), backend.xp)
    records = [
        measure(
            get_primitive("bfs"), graph, {}, [0], backend, Protocol(runs=30, cold=flushed, check="none")
        ).record
        for flushed in (False, True)
    ]
    warm, flushed = (record.time_ms.median for record in records if record.time_ms)
    assert flushed > 1.05 * warm
    assert records[0].peak_device_bytes == records[1].peak_device_bytes
