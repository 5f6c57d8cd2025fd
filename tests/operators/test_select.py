"""The greatest entries of an array against a stable sort, ties and all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from operators.cases import Numbers, One, random_graph, run

from gunrock_cli.operators.select import HISTOGRAM_WORDS
from gunrock_cli.primitives.references import highest

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
LOOPS = ["device", "host"]


def select(
    values: Numbers, wanted: int, backend: str = "cpu", loop: str = "device", threads: int = 3
) -> Numbers:
    n = len(values)
    arrays_of = {
        "values": values.astype(np.float32),
        "best": np.full(n, -1, np.int32),
        "found": np.zeros(1, np.int64),
        "histograms": np.zeros(HISTOGRAM_WORDS, np.uint32),
        "wanted": wanted,
    }
    found = run(
        One("select.cuh", arrays_of, ("best", "found")),
        random_graph(n, 0, 1),
        backend,
        loop=loop,
        threads=threads,
    )
    count = int(found["found"][0])
    assert (found["best"][count:] == -1).all()
    return found["best"][:count]


def check(values: Numbers, wanted: int, **how: object) -> None:
    expected = highest(values.astype(np.float32), wanted)
    np.testing.assert_array_equal(select(values, wanted, **how), expected)  # type: ignore[arg-type]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_the_greatest(loop: str, backend: str) -> None:
    draw = np.random.default_rng(1)
    for values in (
        draw.random(5000),
        draw.integers(0, 4, 5000),
        np.ones(3000),
        np.zeros(70),
        draw.random(1) + 1,
        draw.random(4000) ** 20,
        draw.normal(size=2000),
        np.repeat([1e-45, 1e-30, 3e38, np.inf], 40),
    ):
        for wanted in (0, 1, 7, 500, len(values), len(values) + 5):
            check(values, wanted, backend=backend, loop=loop)


@settings(max_examples=60, deadline=None)
@given(arrays(np.float32, st.integers(1, 60), elements=st.floats(-1, 1, width=32)), st.integers(0, 70))
def test_random_values(values: Numbers, wanted: int) -> None:
    check(values, wanted)
