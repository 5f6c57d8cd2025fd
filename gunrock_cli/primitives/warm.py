"""Kernels compiled into the cache before they are needed, each in its own process.

A run's code follows from its options and the kind of its graph, so the code for each kind is compiled.
The run itself compiles code not foreseen here (for a graph of more than 2**31 edges, say).

    python -m gunrock_cli.primitives.warm ARCH UNIT"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.errors import BackendError, GunrockError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.on_gpu import as_on_gpu
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.code import HOST, kernel_unit
from gunrock_cli.primitives.micro import is_micro
from gunrock_cli.primitives.micro.recording import RECORDER
from gunrock_cli.primitives.renumbering import MoveLists
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.toolchain.code import Code
from gunrock_cli.toolchain.unit import Unit

_PATIENCE = 0.5  # seconds


@dataclass(frozen=True)
class Job:
    """One kernel to compile, for a run with these options."""

    arch: int | str
    unit: Unit
    options: Mapping[str, Any]
    run: RunOptions

    @property
    def label(self) -> str:
        """The unit that is compiled, and for which primitive."""
        return f"{self.unit.label} for {'this processor' if self.arch == HOST else f'sm_{self.arch}'}"

    @property
    def unit_and_arch(self) -> tuple[Unit, int | str]:
        """The job's identity: equal for two runs that take the same code."""
        return self.unit, self.arch

    @property
    def code(self) -> Code:
        """What is compiled."""
        if self.arch == HOST:
            from gunrock_cli.engine import cpu

            return cpu.host_source(self.unit).code()
        from gunrock_cli.engine import cuda

        return cuda.code_of(self.unit, int(self.arch))

    @property
    def words(self) -> list[str]:
        """The arguments that describe the job to its process."""
        unit = {
            "path": str(self.unit.path),
            "defines": dict(self.unit.defines),
            "constants": self.unit.constants,
        }
        return [str(self.arch), json.dumps(unit)]

    def is_done(self) -> bool:
        """True if the binary is in the cache, or the package carries it for a GPU. (What it carries for a
        processor is for others, too.)"""
        return self.code.is_compiled() if self.arch == HOST else self.code.is_ready()

    def compile(self) -> None:
        """Compile into the cache, in this process."""
        self.code.prepare()

    def start(self) -> subprocess.Popen[str]:
        """Compile in a separate process; ``finish`` says how it ended."""
        return subprocess.Popen(
            [sys.executable, "-m", "gunrock_cli.primitives.warm", *self.words],
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )


def end(process: subprocess.Popen[str]) -> None:
    """End a job's process and its compiler: as Ctrl-C would, so that they leave no files, unless that
    takes long (NVRTC does not listen)."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


def finish(process: subprocess.Popen[str]) -> None:
    """Wait for a job's process; BackendError with the compiler's words if it failed."""
    _, said = process.communicate()
    if process.returncode:
        raise BackendError(said.strip() or f"a compiler's process ended with {process.returncode}")


def jobs_of(
    primitive: Primitive,
    arch: int | str,
    options: Mapping[str, Any] | None = None,
    run: RunOptions | None = None,
    count: bool = False,
) -> list[Job]:
    """A primitive's kernels with these options (unresolved), one for each kind of graph that makes a
    difference; ``count``: kernels that count what they do."""
    run, options = run or RunOptions(), options or {}
    if count:
        run = replace(run, trace=True)
    units = [
        kernel_unit(primitive, arch, options, run, {"GR_COUNT": 1} if count else {}, graph, second)
        for weight_type in _weight_types(primitive, options)
        for graph in _kinds(weight_type, arch != HOST)
        for second in (False, True)
    ]
    return [Job(arch, unit, options, run) for unit in dict.fromkeys(units)]


def jobs_beside(
    primitive: Primitive, arch: int | str, certified: bool, renumbers: bool = False
) -> list[Job]:
    """The kernels that a run needs besides its own: to prove its answer, if it is ``certified``; to
    record what a microbenchmark replays; and to renumber vertices, if it ``renumbers``."""
    beside: list[Primitive] = [RECORDER] if is_micro(primitive.name) else []
    if renumbers:
        beside.append(MoveLists())
    certificate = certificate_of(primitive) if certified else None
    return [job for each in (*beside, *filter(None, [certificate])) for job in jobs_of(each, arch)]


def _weight_types(primitive: Primitive, options: Mapping[str, Any]) -> tuple[str | None, ...]:
    """The types of weights that make a difference to a primitive; None: a graph without weights."""
    if primitive.reads_weights(primitive.asked(options)):
        return "int32", "float32"
    return (None, "int32", "float32") if primitive.needs.weights_if_any else (None,)


@cache
def _kinds(weight_type: str | None, on_gpu: bool) -> tuple[Graph, ...]:
    """One graph of each kind that options and operators distinguish: by the longest list, by the mean
    length, and by their ratio; with weights of a type, if it is not None."""
    side = np.arange(100)
    ring = (np.arange(400) * 173 % 400, (np.arange(400) + 1) * 173 % 400)  # numbered in no order
    hub = (np.zeros(200, np.int64), np.arange(1, 201))
    edges = {
        "hub": tuple(np.concatenate(pair) for pair in zip(ring, hub, strict=True)),
        "mesh": ring,
        "band": (np.repeat(np.arange(400), 6), (np.arange(400)[:, None] + np.arange(1, 7)).ravel() % 400),
        "path": (np.arange(399), np.arange(1, 400)),  # numbered along the path
        "grid": (np.repeat(np.arange(400), 2), (np.arange(400)[:, None] + (1, 20)).ravel() % 400),
        "dense": (np.repeat(side, 100), np.tile(side, 100)),
    }
    found = []
    for name, (sources, targets) in edges.items():
        graph = build_graph(
            int(max(sources.max(), targets.max())) + 1,
            sources,
            targets,
            None,
            undirected=True,
            keep_self_loops=False,
            keep_duplicates=False,
            name=name,
            origin={},
            xp=np,
        )
        if weight_type is not None:
            graph = with_weights(graph, "random:1:64", weight_type)
        found.append(as_on_gpu(graph) if on_gpu else graph)
    return tuple(found)


def main() -> None:
    """Run one job, given as ``Job.words``."""
    arch, words = sys.argv[1:]
    unit = json.loads(words)
    try:
        Job(
            arch if arch == HOST else int(arch),
            Unit.of(Path(unit["path"]), unit["defines"], unit["constants"]),
            {},
            RunOptions(),
        ).compile()
    except GunrockError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("ended")


if __name__ == "__main__":
    main()
