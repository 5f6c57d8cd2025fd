"""Kernels compiled ahead: those of runs, into the cache."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from planned import planned

from gunrock_cli.engine import cpu
from gunrock_cli.engine.backend import Backend
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.spec import spec_from_name
from gunrock_cli.primitives import get_primitive, primitive_names, warm
from gunrock_cli.primitives.code import HOST
from gunrock_cli.primitives.compile import compile_run, compile_variant
from gunrock_cli.primitives.external import find_primitive
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.primitives.warm import jobs_beside, jobs_of
from gunrock_cli.toolchain import host_compiler
from gunrock_cli.toolchain.unit import Unit

GRAPHS = {
    "hubs": ("rmat", {"scale": 12, "edge_factor": 16}),
    "mesh": ("grid2d", {"width": 30, "height": 30}),
}


class Taken(Exception):
    """Raised with the unit that a run would compile."""


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[Unit]:
    found: list[Unit] = []

    def take(source: Unit, *_: Any) -> None:
        found.append(source)
        raise Taken

    monkeypatch.setattr(cpu, "CpuProgram", take)
    return found


@pytest.mark.parametrize("kind", GRAPHS)
@pytest.mark.parametrize("name", primitive_names())
def test_what_a_run_takes_is_compiled(name: str, kind: str, taken: list[Unit]) -> None:
    primitive = get_primitive(name)
    generator, params = GRAPHS[kind]
    graph = load_graph(spec_from_name(generator, params), np, False)
    graph = with_weights(graph, "random:1:64") if primitive.needs.weights else graph
    variant = planned(primitive, graph)
    backend, run = Backend("cpu", "", 2), RunOptions()
    with pytest.raises(Taken):
        compile_run(primitive, variant, backend, run)
    other = variant.successor
    if other is not None:
        with pytest.raises(Taken):
            compile_variant(primitive, other, backend, run, relays=True)
    assert len(taken) == 1 + (other is not None)
    assert {*taken} <= {job.unit for job in jobs_of(primitive, HOST)}


def test_a_gpu_gets_what_only_a_gpu_takes() -> None:
    for name in ("bfs", "sssp"):
        here, there = jobs_of(get_primitive(name), HOST), jobs_of(get_primitive(name), 90)
        for jobs in (here, there):
            assert {job.unit.path.stem for job in jobs} == {"in_step", "ahead"}
        assert len(there) > len(here)  # launch shapes differ by the length of lists


def test_a_job_leaves_its_binary_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(
        host_compiler, "compile_shared", lambda text, path, target: target.write_text(text)
    )
    jobs = jobs_of(get_primitive("bfs"), HOST, {"mark_pred": True})
    assert len(jobs) > 1
    monkeypatch.setattr(sys, "argv", ["warm", *jobs[1].words])
    warm.main()
    assert [job for job in jobs if job.is_done()] == [jobs[1]]


def test_a_job_that_fails_says_why(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    unit = json.dumps({"path": "none.cuh", "defines": {}, "constants": []})
    monkeypatch.setattr(sys, "argv", ["warm", HOST, unit])
    with pytest.raises(SystemExit, match=r"none\.cuh: no such kernel"):
        warm.main()


def test_kernels_that_count_are_others() -> None:
    plain, counting = (jobs_of(get_primitive("bfs"), HOST, count=count) for count in (False, True))
    assert len(plain) == len(counting)
    for one, other in zip(plain, counting, strict=True):
        differ = set(one.unit.defines) ^ set(other.unit.defines)
        assert differ == {("GR_COUNT", "0"), ("GR_COUNT", "1"), ("GR_TRACE", "0"), ("GR_TRACE", "1")}


def test_what_proves_and_records_is_compiled_too() -> None:
    def beside(name: str, certified: bool) -> list[str]:
        return [job.unit.path.stem for job in jobs_beside(find_primitive(name), HOST, certified)]

    assert beside("bfs", True) == ["bfs"]
    assert beside("louvain", True) == ["louvain"]
    assert beside("bfs", False) == []
    assert beside("microbench-gather", True) == ["record", "bfs"]
    for renumbers, more in ((True, ["renumber"]), (False, [])):
        jobs = jobs_beside(find_primitive("pagerank"), HOST, False, renumbers)
        assert [job.unit.path.stem for job in jobs] == more
