"""The lanes backend, a testing aid: a GPU's code on a CPU, in small blocks of small warps whose threads
are fibres (kernels/backend/lanes.cuh). Graphs for it come from ``graph.on_gpu.as_on_gpu``, so that
options, layouts and launch shapes are chosen as on a GPU."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from gunrock_cli.engine.backend import Backend, engine_macros, entry_bytes
from gunrock_cli.engine.contract import pointer_of
from gunrock_cli.engine.cpu import CpuProgram, caller
from gunrock_cli.engine.program import Program, QueueRoom, RunSettings
from gunrock_cli.engine.tuning import Tuning, tune
from gunrock_cli.errors import BackendError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.on_gpu import array_module_of_gpu
from gunrock_cli.toolchain.unit import Unit

LARGE = 512
"""Block size above which a GPU's blocks are larger here, too."""
LANES_LOG = 2
"""log2 of a warp's lanes."""
SHARED, THREADS = 227 << 10, 2048
"""A GPU multiprocessor's shared memory and threads, for the choice of a shape that is then made small."""


@dataclass(frozen=True)
class Lanes(Backend):
    """A device of ``blocks`` multiprocessors, each with one block. ``seed`` decides the order in which
    its threads run; ``apart``: each block runs on a thread of the host, so that the order is not the
    seed's alone."""

    name: str = "lanes"
    why: str = "lanes: a GPU's warps and blocks on a CPU, for tests"
    blocks: int = 3
    seed: int = 0
    apart: bool = False

    @property
    def xp(self) -> ModuleType:
        return array_module_of_gpu()

    def program(
        self,
        kernel: Path,
        graph: Graph,
        defines: Mapping[str, str | int],
        room: QueueRoom,
        settings: RunSettings,
        launch: Tuning | None = None,
        constants: Iterable[str] = (),
    ) -> Program:
        merged = engine_macros(graph, settings, defines)
        shape = small(
            tune(SHARED, *entry_bytes(merged), THREADS, launch, bool(merged["GR_CULL_WARP_HASH"]))
        )
        source = Unit.of(kernel, {**merged, **shape.defines()}, constants)
        return LanesProgram(source, graph, room, settings, self)


def small(shape: Tuning) -> Tuning:
    """A GPU's launch shape with blocks of two or four warps of four lanes."""
    return replace(shape, block=16 if shape.block > LARGE else 8, solo_capacity=176, solo_edges=32)


class LanesProgram(CpuProgram):
    """A program on the lanes backend (see ``Program``). A run that cannot go on (a barrier that not all
    threads reach) is a BackendError that says which threads wait where."""

    flags = (
        *("-Og", "-g1", "-fno-openmp"),  # compiled in a third of the time
        *("-UGR_BACKEND", '-DGR_BACKEND="backend/lanes.cuh"'),
    )

    def __init__(
        self, source: Unit, graph: Graph, room: QueueRoom, settings: RunSettings, device: Lanes
    ) -> None:
        super().__init__(source, graph, room, settings, device.blocks)
        self.lanes = device  # may be replaced between runs by one with another seed
        self._failure = self._library["gr_failure"]
        self._failure.restype = ctypes.c_char_p

    def grid_threads(self) -> int:
        return self.lanes.blocks * self.contract.constant("BLOCK")

    def prepare(self, problem: dict[str, Any]) -> None:
        """Set up a launch in which no more lanes share a list than a warp has."""
        super().prepare(
            {
                name: min(value, LANES_LOG) if name.endswith("lanes_log") else value
                for name, value in problem.items()
            }
        )

    def start(self, step: int | None = None) -> Future[int]:
        number = () if step is None else (ctypes.c_uint32(step),)
        return caller(self.device).submit(
            self._enact,
            ctypes.c_void_p(pointer_of(self._arguments)),
            ctypes.c_int(self.lanes.blocks),
            ctypes.c_uint64(self.lanes.seed),
            ctypes.c_int(self.lanes.apart),
            *number,
        )

    def elapsed(self, launch: Future[int]) -> float:
        found = super().elapsed(launch)
        if failure := self._failure():
            raise BackendError(f"{self.kernel}: {failure.decode()}")
        return found
