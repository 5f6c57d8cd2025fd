"""Runs until their noise is low."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from click.testing import CliRunner

from gunrock_cli.bench.protocol.enough_runs import (
    MOST_MS,
    MOST_RUNS,
    is_enough,
    noise_of_mean,
    noise_warning,
)
from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.cli.main import cli
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.engine.program import Program
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive


def test_the_noise_of_a_mean_falls_with_the_runs() -> None:
    assert noise_of_mean([1.0]) == math.inf
    assert noise_of_mean([1.0, 1.0]) == 0
    few, many = noise_of_mean([0.9, 1.1] * 5), noise_of_mean([0.9, 1.1] * 500)
    assert few == pytest.approx(0.1 * math.sqrt(10 / 9) / math.sqrt(10))
    assert many < few / 9


@pytest.mark.parametrize(
    ("runs", "until", "enough"),
    [
        ([1.0] * 9, None, False),
        ([1.0] * 10, None, True),
        ([1.0] * 9, 0.5, False),  # quiet, but fewer than asked for
        ([0.5, 1.5] * 5, 0.01, False),
        ([0.5, 1.5] * 5, 0.5, True),
        ([0.5, 1.5] * (MOST_RUNS // 2), 1e-9, True),
        ([MOST_MS / 10, MOST_MS / 5] * 5, 1e-9, True),
    ],
)
def test_enough(runs: list[float], until: float | None, enough: bool) -> None:
    assert is_enough(runs, 10, until) == enough


def test_a_warning_says_that_the_noise_stayed() -> None:
    noisy = [0.5, 1.5] * (MOST_RUNS // 2)
    assert noise_warning(noisy, 1e-9) == [
        "the mean's noise is still 1.58% after 1000 runs (--until-noise 0.00%)"
    ]
    assert (
        noise_warning(noisy, 0.5) == noise_warning(noisy, None) == noise_warning([1.0, 2.0], 1e-9) == []
    )


def test_runs_go_on_until_the_mean_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times that halve their distance from 1 ms; two sources have their runs each."""
    told: dict[Any, int] = {}
    result = Program.result

    def settling(self: Program, ms: float, *rest: Any) -> Any:
        told[self] = told.get(self, 0) + 1
        return result(self, 1.0 + 0.5 ** told[self], *rest)

    monkeypatch.setattr(Program, "result", settling)
    graph = load_graph(GraphSpec("rmat", params={"scale": 6}))
    protocol = Protocol(runs=3, warmup=0, until_noise=0.05)
    record = measure(get_primitive("bfs"), graph, {}, [0, 1], choose_backend("cpu"), protocol).record
    first = record.runs_ms[: record.sources.count(0)]
    assert len(first) > 3
    assert noise_of_mean(first) <= 0.05 < noise_of_mean(first[:-1])
    assert record.sources.count(1) == 3  # quiet by then
    assert record.options["until_noise"] == 0.05


@pytest.mark.parametrize(("text", "share"), [("5%", 0.05), ("0.05", 0.05), ("x", None), ("-1%", None)])
def test_a_share_on_the_command_line(text: str, share: float | None) -> None:
    words = ["bfs", "rmat", "--scale", "6", "--backend", "cpu", "--until-noise", text, "--json"]
    done = CliRunner().invoke(cli, words)
    if share is None:
        assert done.exit_code == 2
    else:
        assert json.loads(done.stdout)["options"]["until_noise"] == share
