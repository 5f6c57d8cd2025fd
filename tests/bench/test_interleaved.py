"""Measurements that take turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from records_helper import make_record

from gunrock_cli.bench.protocol.interleaved import Interleaved
from gunrock_cli.bench.protocol.runner import Measured, Protocol, Turns, in_turns, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import BackendError, OutOfMemory
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive


def turns(name: str, runs: int, log: list[str], failure: BaseException | None = None) -> Any:
    """A measurement that notes its runs; with ``failure``, before the second."""

    def start() -> Turns[Measured]:
        record = make_record(id=name, runs=(1.0,), peak_device_bytes=8)
        for run in range(runs):
            if run == 1 and failure is not None:
                raise failure
            log.append(f"{name}{run}")
            try:
                yield run + 1 < runs
            except KeyboardInterrupt as error:
                return Measured(record, failure=error)
        log.append(f"{name} checked")
        return Measured(record)

    return start


def test_each_has_a_run_in_turn_and_answers_are_checked_after_all() -> None:
    log: list[str] = []
    both = Interleaved([turns("a", 2, log), turns("b", 3, log)])
    both.run()
    assert log == ["a0", "b0", "a1", "b1", "b2", "a checked", "b checked"]
    found = [both.outcomes[place] for place in (0, 1)]
    assert [each.record.id for each in found if isinstance(each, Measured)] == ["a", "b"]
    # of two that hold memory at once, neither knows its own peak
    assert {each.record.peak_device_bytes for each in found if isinstance(each, Measured)} == {None}


def test_one_that_finds_no_room_beside_others_runs_alone() -> None:
    log: list[str] = []
    tried: list[int] = []

    def large() -> Turns[Measured]:
        tried.append(len(log))
        if len(tried) == 1:
            raise OutOfMemory("no room")
        return (yield from turns("large", 2, log)())

    both = Interleaved([turns("a", 2, log), large])
    both.run()
    assert log == ["a0", "a1", "a checked", "large0", "large1", "large checked"]
    assert all(isinstance(each, Measured) for each in both.outcomes.values())


def test_a_failure_is_that_measurements_alone() -> None:
    log: list[str] = []
    both = Interleaved([turns("a", 2, log, BackendError("lost")), turns("b", 2, log)])
    both.run()
    assert str(both.outcomes[0]) == "lost"
    assert isinstance(both.outcomes[1], Measured)


def test_an_interrupt_keeps_what_was_measured() -> None:
    log: list[str] = []
    three = Interleaved([turns("a", 2, log), turns("b", 2, log, KeyboardInterrupt()), turns("c", 2, log)])
    with pytest.raises(KeyboardInterrupt):
        three.run()
    assert set(three.outcomes) == {0, 2}
    assert log == ["a0", "b0", "c0", "a1"]


def configuration(direction: str) -> Callable[[], Turns[Measured]]:
    graph = load_graph(GraphSpec("rmat", params={"scale": 8}))
    protocol = Protocol(runs=3, check="both")
    arguments = (
        get_primitive("bfs"),
        graph,
        {"direction": direction},
        [0],
        choose_backend("cpu"),
        protocol,
    )
    return lambda: in_turns(*arguments)


def test_turns_of_kernels_give_right_answers() -> None:
    both = Interleaved([configuration(direction) for direction in ("push", "pull", "optimized")])
    both.run()
    for outcome in both.outcomes.values():
        assert isinstance(outcome, Measured)
        assert outcome.record.validation["verdict"] == "pass"
        assert len(outcome.record.runs_ms) == 3


def test_without_turns_all_runs_are_one_after_the_other() -> None:
    graph = load_graph(GraphSpec("rmat", params={"scale": 6}))
    done: list[tuple[int, int]] = []
    found = measure(
        get_primitive("bfs"), graph, {}, [0, 1], choose_backend("cpu"), Protocol(runs=2),
        progress=lambda number, total: done.append((number, total)),
    )  # fmt: skip
    assert done == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert found.record.status == "ok"
