"""Values exchanged by a team between two steps are seen by all in the next; one device exchanges
nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from operators.cases import One, random_graph, run


@pytest.mark.parametrize("backend", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("steps", [0, 1, 7])
def test_exchange(steps: int, threads: int, loop: str, backend: str) -> None:
    n = 5000
    values, mailbox = np.arange(n, dtype=np.int64), np.arange(n, dtype=np.int64) * 3
    primitive = One(
        "exchange.cuh", {"values": values, "mailbox": mailbox, "steps": steps}, ("values", "mailbox")
    )
    primitive.kernel = Path(__file__).with_name("exchange.cuh")
    found = run(primitive, random_graph(n, 10, 1), backend, threads=threads, loop=loop)
    values, mailbox = values.copy(), mailbox.copy()
    for step in range(steps):
        values += mailbox + step
        mailbox = values[::-1].copy()
    np.testing.assert_array_equal(found["values"], values)
    np.testing.assert_array_equal(found["mailbox"], mailbox)
