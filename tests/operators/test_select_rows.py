"""The greatest entries of every column against stable sorts, ties and all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from operators.cases import Numbers, One, random_graph, run
from runs_helper import BACKENDS, LOOPS

from gunrock_cli.operators.gather_rows import ROW
from gunrock_cli.operators.select import ROW_HISTOGRAM_WORDS, ROW_STATE_WORDS
from gunrock_cli.primitives.references import highest


def check(
    columns: list[Numbers], wanted: int, backend: str = "cpu", loop: str = "device", threads: int = 3
) -> None:
    """Check columns of one length; missing columns repeat the given ones, with more and more zeros."""
    n = len(columns[0])
    values = np.zeros((n, ROW), np.float32)
    for column in range(ROW):
        values[:, column] = columns[column % len(columns)]
        values[: column // len(columns) * 7, column] = 0
    found = select(values, wanted, backend, loop, threads)
    for column, (best, of_best) in enumerate(zip(*found, strict=True)):
        expected = highest(values[:, column], wanted)
        assert best[: len(expected)].tolist() == expected.tolist(), column
        assert (best[len(expected) :] == -1).all()
        np.testing.assert_array_equal(of_best[: len(expected)], values[expected, column])


def select(
    values: Numbers, wanted: int, backend: str, loop: str, threads: int
) -> tuple[Numbers, Numbers]:
    """The best of each column, and their values."""
    given_arrays: dict[str, Any] = {
        "values": values.ravel(),
        "best": np.full(ROW * wanted, -1, np.int32),
        "best_values": np.zeros(ROW * wanted, np.float32),
        "histograms": np.zeros(ROW_HISTOGRAM_WORDS, np.uint32),
        "prefixes": np.zeros(ROW_STATE_WORDS, np.uint64),
        "left": np.zeros(ROW_STATE_WORDS, np.int64),
        "picks": np.zeros(ROW * wanted, np.int32),
        "pick_values": np.zeros(ROW * wanted, np.float32),
        "counts": np.zeros(ROW, np.int32),
        "wanted": wanted,
    }
    found = run(
        One("select_rows.cuh", given_arrays, ("best", "best_values")),
        random_graph(len(values), 0, 1),
        backend,
        loop=loop,
        threads=threads,
    )
    return found["best"].reshape(ROW, wanted), found["best_values"].reshape(ROW, wanted)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_the_greatest(loop: str, backend: str) -> None:
    draw = np.random.default_rng(1)
    of_all_kinds = [
        draw.random(3000),
        draw.integers(0, 4, 3000),
        np.ones(3000),
        np.zeros(3000),
        draw.random(3000) ** 20,
        draw.normal(size=3000),
        np.resize([1e-45, 1e-30, 3e38, np.inf], 3000),
    ]
    for wanted in (0, 1, 7, 500, 3000, 3005):
        check(of_all_kinds, wanted, backend, loop)
    check([np.array([0.5])], 2, backend, loop)


@settings(max_examples=40, deadline=None)
@given(
    arrays(
        np.float32, st.tuples(st.integers(1, 4), st.integers(1, 50)), elements=st.floats(-1, 1, width=32)
    ),
    st.integers(0, 60),
)
def test_random_values(values: Numbers, wanted: int) -> None:
    check(list(values), wanted)
