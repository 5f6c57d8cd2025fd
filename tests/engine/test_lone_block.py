"""A block that works alone, and queues more than it announced."""

from __future__ import annotations

import pytest
from engine.full_range import FullRange, star

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.bench.records.record import Record
from gunrock_cli.engine.backend import choose_backend

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]


def run(lies: bool, backend: str, loop: str = "device", n: int = 100_000) -> Record:
    chosen = choose_backend(backend, 3)
    return measure(
        FullRange(lies),
        star(n).to(chosen.xp),
        {},
        [1],
        chosen,
        Protocol(runs=2, warmup=1, loop=loop, trace=True),
    ).record


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_promise_that_does_not_hold_costs_a_warning(backend: str) -> None:
    record = run(True, backend)
    assert record.validation["verdict"] == "pass"
    assert [row["one_block"] for row in record.trace] == [False] * 3
    (warning,) = [text for text in record.warnings if "fits_block" in text]
    assert "queued 100000 items" in warning
    assert "full_range.cuh" in warning


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_promise_that_holds_is_kept(backend: str) -> None:
    for lies, n in ((False, 100_000), (True, 1000)):
        record = run(lies, backend, n=n)
        assert record.validation["verdict"] == "pass"
        assert record.trace[0]["one_block"]
        assert not [text for text in record.warnings if "fits_block" in text]


def test_no_block_is_alone_in_the_host_loop() -> None:
    record = run(True, "cpu", "host")
    assert record.validation["verdict"] == "pass"
    assert not [text for text in record.warnings if "fits_block" in text]
