"""Prepared primitives, compiled code that calls share, and calls from several threads."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse import csgraph

import gunrock_cli as gunrock
from gunrock_cli.engine import cpu
from gunrock_cli.errors import GunrockError
from gunrock_cli.toolchain import code

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
A = sparse.random(300, 300, density=0.02, format="csr", random_state=3)
HOPS = np.where(np.isinf(hops := csgraph.shortest_path(A, unweighted=True)), -1, hops)


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_call_is_a_run_of_its_own(backend: str) -> None:
    search = gunrock.prepare("bfs", A, mark_pred=True, backend=backend)
    assert isinstance(search, gunrock.Prepared)
    found = {source: search(source) for source in (0, 7, 299, 0)}
    for source, answer in found.items():
        assert (answer.labels == HOPS[source]).all()  # earlier ones too: nothing is shared
        assert answer.predecessors[source] == -1
        assert (answer.ms >= 0, answer.steps > 0) == (True, True)
    assert (search().labels == HOPS[0]).all()
    assert repr(search) == "<bfs, prepared for matrix>"
    assert repr(found[0]).startswith("<bfs on 300 vertices: labels, predecessors, ")
    assert copy.copy(found[0]).to_frame().labels.tolist() == HOPS[0].tolist()
    with pytest.raises(
        AttributeError, match=r"no 'record' in this result: there are labels, .*, ms, steps"
    ):
        found[0].record  # noqa: B018


@pytest.mark.parametrize("name", ["bfs", "sssp", "cc", "pagerank"])
def test_no_answer_lies_where_the_next_run_writes(name: str) -> None:
    prepared = gunrock.prepare(name, abs(A), symmetrize=True, backend="cpu")
    for array in prepared().outputs.values():
        assert not any(
            np.shares_memory(array, each)
            for each in prepared._problem.values()
            if isinstance(each, np.ndarray)
        )


def test_other_primitives_and_names() -> None:
    ranks = gunrock.prepare("pagerank", A, damping=0.9, backend="cpu")
    np.testing.assert_array_equal(ranks().ranks, gunrock.pagerank(A, damping=0.9, backend="cpu").ranks)
    roads = gunrock.as_graph(([0, 1], [1, 2]), backend="cpu")
    assert gunrock.prepare("sssp", roads, backend="cpu")(0).distances.tolist() == [0, 1, 2]


def test_a_run_that_is_not_recorded_does_not_wait_to_be_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    settled = []
    init = cpu.CpuProgram.__init__

    def noting(self: Any, *arguments: Any) -> None:
        init(self, *arguments)
        settled.append(self.settings.settles)

    monkeypatch.setattr(cpu.CpuProgram, "__init__", noting)
    gunrock.prepare("bfs", A, backend="cpu")()
    gunrock.bfs(A, backend="cpu")
    assert settled == [False, True]


@pytest.mark.parametrize(
    ("name", "how", "source", "message"),
    [
        ("bfs", {"runs": 3}, 0, "bfs has no option 'runs'"),
        ("bfs", {"check": True}, 0, "bfs has no option 'check'"),
        ("bfs", {}, 300, "source=300: matrix has the vertices 0 to 299"),
        ("cc", {}, 0, "cc starts from no source"),
        ("bfs", {"source": 1}, 0, "source is not prepared: give it to each call"),
        ("bfs", {"marc_pred": True}, 0, r"bfs has no option 'marc_pred': did you mean mark_pred\? There"),
        (
            "bfz",
            {},
            0,
            r"no primitive 'bfz': did you mean bfs\? There are bc, bfs, .*, and those of a FILE",
        ),
        ("bfz.py", {}, 0, "bfz.py: no such file"),
        ("bfs", {"max_steps": 1, "direction": "push", "run_ahead": 1}, 0, "stopped after 1 steps"),
    ],
)
def test_refused_in_one_line(name: str, how: dict[str, Any], source: int, message: str) -> None:
    with pytest.raises(GunrockError, match=message) as refused:
        gunrock.prepare(name, A, backend="cpu", **how)(source)
    assert "\n" not in str(refused.value)


def test_later_calls_neither_compile_nor_load(monkeypatch: pytest.MonkeyPatch) -> None:
    gunrock.bfs(A, 0, backend="cpu")
    monkeypatch.setattr(code, "loaded_binary", lambda *_: pytest.fail("loaded once more"))
    assert (gunrock.bfs(A, 5, backend="cpu").labels == HOPS[5]).all()
    assert (gunrock.prepare("bfs", A, backend="cpu")(6).labels == HOPS[6]).all()


@pytest.mark.parametrize("backend", BACKENDS)
def test_threads_get_their_own_answers(backend: str) -> None:
    """Threads share one prepared search, and call functions at the same time."""
    search = gunrock.prepare("bfs", A, backend=backend)
    ranks = gunrock.pagerank(A, backend=backend).ranks

    def call(number: int) -> bool:
        source = number * 37 % 300
        if number % 3 == 0:
            return bool((search(source).labels == HOPS[source]).all())
        if number % 3 == 1:
            return bool((gunrock.bfs(A, source, backend=backend).labels == HOPS[source]).all())
        return np.allclose(gunrock.pagerank(A, backend=backend).ranks, ranks, atol=1e-6)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(call, range(24)))


@pytest.mark.parametrize("name", ["bfs", "pagerank", "cc"])
def test_on_several_devices(name: str) -> None:
    one, two = (gunrock.prepare(name, A, devices=devices, backend="cpu") for devices in (1, 2))
    source = () if name != "bfs" else (3,)
    for found, expected in zip(two(*source).outputs.values(), one(*source).outputs.values(), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-5)
