"""The measuring protocol on a small graph: the runs, the counts, and the record."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from gunrock_cli.bench.protocol import answers, runner
from gunrock_cli.bench.protocol.runner import Measured, Protocol, Stopwatch, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.engine.cpu import CpuProgram
from gunrock_cli.errors import GunrockError, OutOfMemory
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.bfs import Bfs
from gunrock_cli.primitives.bfs.options import BfsOptions
from gunrock_cli.primitives.bfs.variants import Search
from gunrock_cli.primitives.variant import Problem

SCHEMA = Path(__file__).parents[2] / "gunrock_cli" / "bench" / "records" / "record.schema.json"


def path_graph(n: int = 50) -> Graph:
    return build_graph(n, np.arange(n - 1), np.arange(1, n), xp=np, name="path")


def defaults() -> dict[str, Any]:
    return {option.key: option.default for option in get_primitive("bfs").options}


def run(
    sources: list[int],
    graph: Graph | None = None,
    primitive: Bfs | None = None,
    protocol: Protocol | None = None,
    **how: Any,
) -> Measured:
    return measure(
        primitive or get_primitive("bfs"),
        graph or path_graph(),
        defaults(),
        sources,
        choose_backend("cpu", 2),
        protocol or Protocol(runs=2, warmup=1),
        **how,
    )


def test_a_call_does_not_hold_the_counting_of_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting reads a file for each thread of the process, before and after the call."""
    events: list[str] = []
    clock = time.perf_counter

    class Counting(runner.CoreWait):
        def during(self, work: Callable[[], Any]) -> Any:
            events.append("counted")
            found = super().during(work)
            events.append("counted")
            return found

    def read() -> float:
        events.append("read")
        return clock()

    monkeypatch.setattr(runner, "CoreWait", Counting)
    monkeypatch.setattr(time, "perf_counter", read)
    run([0], protocol=Protocol(runs=1, warmup=0))
    first = events.index("counted")
    inside = events[first + 1 : events.index("counted", first + 1)]
    assert inside[0] == inside[-1] == "read"
    assert len(inside) >= 2


def test_a_record_holds_what_was_measured() -> None:
    protocol = Protocol(runs=3, warmup=2, advance_mode="LB", command=("gunrock", "bfs"))
    record = run([0], protocol=protocol, phases_ms={"load": 1.5}).record
    jsonschema.validate(json.loads(record.to_json()), json.loads(SCHEMA.read_text()))
    assert (len(record.runs_ms), record.sources) == (3, [0, 0, 0])
    assert record.clock == "kernel"
    assert len(record.call_ms) == 3
    assert all(call >= run for call, run in zip(record.call_ms, record.runs_ms, strict=True))
    assert record.time_ms is not None
    assert record.time_ms.mean == pytest.approx(np.mean(record.runs_ms))
    assert (record.vertices_visited, record.edges_visited, record.depth) == (50, 98, 49)
    assert record.mteps == pytest.approx(98 / record.time_ms.mean / 1e3)
    assert record.floor_ms is not None
    assert record.over_floor == pytest.approx(record.time_ms.mean / record.floor_ms)
    assert record.validation["verdict"] == "pass"
    assert record.options["advance_mode"] == "LB"
    assert record.options["alpha"] != "auto"
    assert record.command == ["gunrock", "bfs"]
    assert record.phases_ms.keys() >= {"load", "compile", "allocate", "validate"}
    assert (record.graph["vertices"], record.graph["edges"]) == (50, 98)


def test_every_source_is_run_and_the_last_one_shown() -> None:
    seen: list[tuple[int, int]] = []
    measured = run([3, 0], progress=lambda done, of: seen.append((done, of)))
    assert measured.record.sources == [3, 3, 0, 0]
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert measured.outputs["labels"].tolist() == list(range(50))


class Counting(Bfs):
    """Counts resets: one per run, warm-up included."""

    resets = 0

    def plan(self, graph: Graph, asked: BfsOptions) -> Search:
        primitive, found = self, super().plan(graph, asked)

        class Counted(type(found)):  # type: ignore[misc]
            def start(self, problem: Problem, source: int) -> None:
                primitive.resets += 1
                super().start(problem, source)

        counted: Search = Counted(graph, found.options)
        return counted


def test_warm_up_runs_are_not_timed() -> None:
    primitive = Counting()
    how = Protocol(runs=4, warmup=3)
    graph = path_graph(5)  # too short for a run that is left to another kernel and repeated for that
    assert len(run([0], graph, primitive=primitive, protocol=how).record.runs_ms) == 4
    assert primitive.resets == 7


class Distrusting(Bfs):
    def validate(
        self,
        graph: Graph,
        options: Mapping[str, Any],
        source: int | None,
        outputs: Mapping[str, np.ndarray[Any, Any]],
    ) -> Validation:
        return Validation("fail", "test", "vertex 7: 1, expected 2")


def test_a_wrong_answer_is_a_status() -> None:
    record = run([0], primitive=Distrusting()).record
    assert (record.status, record.error) == ("wrong", "vertex 7: 1, expected 2")
    skipped = run([0], primitive=Distrusting(), protocol=Protocol(runs=1, check="none")).record
    assert (skipped.status, skipped.validation["verdict"]) == ("ok", "skipped")


class Greedy(Bfs):
    def plan(self, graph: Graph, asked: BfsOptions) -> Search:
        found = super().plan(graph, asked)

        class Wanting(type(found)):  # type: ignore[misc]
            def allocate(self, shared: Any = None) -> Problem:
                raise MemoryError("no room for 12 bytes")

        wanting: Search = Wanting(graph, found.options)
        return wanting


def test_out_of_memory_is_an_error_with_a_remedy() -> None:
    with pytest.raises(OutOfMemory, match=r"path, 50 vertices.*12 bytes; use a smaller graph"):
        run([0], primitive=Greedy())


def test_no_source_is_refused() -> None:
    with pytest.raises(GunrockError, match="nothing to run"):
        run([])


def test_traces_are_rows_in_order() -> None:
    trace = run([0], protocol=Protocol(runs=1, trace=True)).record.trace
    assert trace
    assert all(row["ms"] >= 0 for row in trace)
    assert {"iteration", "phase", "mode", "frontier_vertices", "frontier_edges"} <= trace[0].keys()


def test_stopwatch_adds_up_and_counts_failures() -> None:
    watch = Stopwatch()
    assert watch.time("a", lambda: 5) == 5
    first = watch.phases["a"]
    with pytest.raises(ZeroDivisionError):
        watch.time("a", lambda: 1 // 0)
    assert watch.phases["a"] >= first


def two_parts() -> Graph:
    """A path of three vertices and one of two."""
    ends = np.array([0, 1, 3], np.int32)
    return build_graph(5, ends, ends + 1)


def test_work_of_several_sources_is_their_mean() -> None:
    record = run([0, 3], two_parts(), protocol=Protocol(runs=2, warmup=0)).record
    assert (record.vertices_visited, record.edges_visited) == (2, 3)  # of 3 and 2, of 4 and 2
    assert record.mteps == pytest.approx(3 / record.time_ms.mean / 1e3)
    assert record.validation == {
        "verdict": "pass",
        "reference": "scipy",
        "method": "reference",
        "message": "",
        "sources": 2,
    }


class WrongFrom(Bfs):
    """A BFS that reports nothing reached from one source."""

    wrong = 0

    def validate(self, graph, options, source, outputs):
        if source == self.wrong:
            outputs = {**outputs, "labels": np.full(graph.n, -1, np.int32)}
        return super().validate(graph, options, source, outputs)


def test_a_wrong_answer_from_an_earlier_source_is_found() -> None:
    record = run([0, 3], two_parts(), WrongFrom(), protocol=Protocol(runs=1, warmup=0)).record
    assert record.status == "wrong"
    assert record.error is not None
    assert record.error.startswith("from source 0: ")


def test_not_more_sources_are_checked_than_it_is_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    protocol = Protocol(runs=1, warmup=0)
    sources = list(range(5)) * 4
    assert run(sources[:12], two_parts(), protocol=protocol).record.validation["sources"] == 5
    monkeypatch.setattr(answers, "MOST_CHECKED", 3)
    assert run(sources[:5], two_parts(), protocol=protocol).record.validation["sources"] == 3
    monkeypatch.setattr(answers, "MOST_KEPT", 0)
    assert run(sources[:5], two_parts(), protocol=protocol).record.validation["sources"] == 1


def test_a_run_that_was_not_waited_for_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    def launch(self: CpuProgram) -> float:
        self._late = True
        return own(self)

    assert not [text for text in run([0]).record.warnings if "had queued" in text]
    own = CpuProgram._launch
    monkeypatch.setattr(CpuProgram, "_launch", launch)
    assert (
        "2 of 2 runs began before the host had queued them, so their times may hold its delays"
        in run([0]).record.warnings
    )


def test_no_run_follows_one_that_took_enough() -> None:
    measured = run([0, 1], protocol=Protocol(runs=5, warmup=0, enough_ms=0.0))
    assert measured.record.sources == [0, 1]
    assert measured.record.status == "ok"
    assert len(run([0], protocol=Protocol(runs=5, enough_ms=1e9)).record.runs_ms) == 5
