"""What a wheel carries is what runs with default options take."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from planned import planned

from gunrock_cli.cli.carry import carry, default_units, what_is_carried
from gunrock_cli.engine import cpu
from gunrock_cli.engine.backend import Backend
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.spec import spec_from_name
from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.code import HOST
from gunrock_cli.primitives.compile import compile_run, compile_variant
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.toolchain import host_compiler
from gunrock_cli.toolchain.unit import Unit

CPU = Backend("cpu", "", 2)
ARM_COMPILER = "aarch64-linux-gnu-g++"
EM_AARCH64 = 183
"""The machine in the header of an ELF file."""


class Taken(Exception):
    """Raised with the unit that a run would compile."""


@pytest.mark.parametrize("weight_type", [None, "int32", "float32"])
@pytest.mark.parametrize("name", primitive_names())
def test_runs_and_their_proofs_take_what_is_carried(
    name: str, weight_type: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files often have weights, whether a primitive reads them or not."""
    taken: list[Unit] = []

    def take(source: Unit, *_: Any) -> None:
        taken.append(source)
        raise Taken

    monkeypatch.setattr(cpu, "CpuProgram", take)
    primitive = get_primitive(name)
    graph = load_graph(spec_from_name("grid2d", {"width": 30, "height": 30}), np, False)
    if weight_type is not None or primitive.needs.weights:
        graph = with_weights(graph, "random:1:64", weight_type)
    with pytest.raises(Taken):
        compile_run(primitive, planned(primitive, graph), CPU, RunOptions())
    certificate = certificate_of(primitive)
    assert certificate is not None
    with pytest.raises(Taken):
        compile_variant(certificate, planned(certificate, graph), CPU, RunOptions())
    assert {*taken} <= {*default_units(HOST, [name])}


@pytest.mark.parametrize("target", ["sm_12", "x86-64-v1", "native", ""])
def test_an_unknown_target_is_one_line(target: str) -> None:
    with pytest.raises(UsageError, match=r"give one of sm_75, .*-openmp$"):
        what_is_carried(target, ["bfs"])


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which(ARM_COMPILER), reason="apt-get install g++-aarch64-linux-gnu")
@pytest.mark.parametrize("target", [pytest.param("armv8-a", marks=pytest.mark.long), "armv8-a-openmp"])
def test_kernels_compile_for_aarch64_elsewhere(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without OpenMP it has POSIX threads, as x86-64's code has, which test_distribution.py compiles."""
    monkeypatch.setenv("CXX", ARM_COMPILER)
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "cache"))
    host_compiler.find_compiler.cache_clear()
    try:
        archive = carry(target, tmp_path, ["kcore"])
    finally:
        host_compiler.find_compiler.cache_clear()
    with zipfile.ZipFile(archive.path) as pack:
        machines = {int.from_bytes(pack.read(name)[18:20], "little") for name in pack.namelist()}
    assert archive.kernels > 4
    assert machines == {EM_AARCH64}
