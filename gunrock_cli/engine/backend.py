"""Choose a backend, and compile a primitive for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from gunrock_cli.engine.program import Program, QueueRoom, RunSettings
from gunrock_cli.engine.tuning import Tuning, tune
from gunrock_cli.errors import BackendError, OutOfMemory
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.toolchain.available import why_no_cpu, why_no_cuda
from gunrock_cli.toolchain.unit import Unit

EDGE_BITS = 33
"""The default of ``kernels/core/frontier.cuh``."""
ENTRIES_A_THREAD = 1 << 17
"""A core examines this many vertices and edges in some 20 to 50 us. With fewer, a second thread gains
little on an idle machine; if other programs run, waiting for a core costs milliseconds [D-team-2]."""


@dataclass(frozen=True)
class Backend:
    """A chosen backend: ``xp`` is the array module its graphs and problems must use."""

    name: str  # "cuda" or "cpu"
    why: str  # one line, with the whole reason
    threads: int = 0  # cpu only
    asked: bool = False  # threads were chosen by the user
    said: str = ""  # the same in a few words

    def fitted(self, entries: int) -> Backend:
        """The backend for a run that examines this many vertices and edges: no more threads than have
        enough to do, unless the user has asked for a number of threads."""
        if self.name != "cpu" or self.asked:
            return self
        return replace(self, threads=max(1, min(self.threads, entries // ENTRIES_A_THREAD)))

    @property
    def xp(self) -> ModuleType:
        if self.name == "cpu":
            return np
        import cupy

        module: ModuleType = cupy
        return module

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
        """Compile ``kernel`` for this graph and these options, and allocate its workspace. ``constants``
        names the kernel's own constants that the program must report."""
        merged = engine_macros(graph, settings, defines)
        with out_of_memory_as_error(f"{graph.name}: {graph.n} vertices, {graph.m} edges"):
            if self.name == "cpu":
                from gunrock_cli.engine.cpu import CpuProgram

                return CpuProgram(Unit.of(kernel, merged, constants), graph, room, settings, self.threads)
            from gunrock_cli.engine.cuda import CudaProgram, device_properties

            properties = device_properties()
            tuning = tune(
                int(properties["sharedMemPerBlockOptin"]),
                *entry_bytes(merged),
                int(properties["maxThreadsPerMultiProcessor"]),
                launch,
                bool(merged["GR_CULL_WARP_HASH"]),
            )
            source = Unit.of(kernel, {**merged, **tuning.defines()}, constants)
            return CudaProgram(source, graph, room, settings, tuning)


def engine_macros(
    graph: Graph, settings: RunSettings, defines: Mapping[str, str | int]
) -> dict[str, str | int]:
    """The compiled-in macros: the graph's, the run's, and the given ones (which take precedence)."""
    values = graph.csr.values
    return {
        "GR_EDGE64": int(graph.csr.row_offsets.dtype == np.int64),
        "GR_WEIGHT_FLOAT": int(values is not None and values.dtype == np.float32),
        "GR_EDGE_FRONTIER": 0,
        "GR_AHEAD": 0,
        "GR_CARRY_SOURCE": 0,
        "GR_QUEUES_DIFFER": 0,
        "GR_CULL_WARP_HASH": 0,
        "GR_HOST_LOOP": int(settings.loop == "host"),
        "GR_TRACE": int(settings.trace),
        "GR_COUNT": int(settings.count),
        **_frontier_macros(graph),
        **defines,
    }


def _frontier_macros(graph: Graph) -> dict[str, int]:
    """Macros for more edges than the kernels' default (in a part, its own edges): the bits that a
    frontier's size has for edges, as long as the remaining bits can count the vertices."""
    bits = graph.csr.m.bit_length()
    return {"GR_EDGE_BITS": bits} if bits > EDGE_BITS and graph.n < 1 << (64 - bits) else {}


def entry_bytes(macros: Mapping[str, str | int]) -> tuple[int, int]:
    """Bytes of an edge's number and of a frontier's item, needed for the launch shape before any code
    exists."""
    edge = 8 if int(macros["GR_EDGE64"]) else 4
    if int(macros["GR_CARRY_SOURCE"]):
        return edge, 8
    return edge, edge if int(macros["GR_EDGE_FRONTIER"]) else 4


class out_of_memory_as_error:
    """Turn the host's and the device's out-of-memory errors into OutOfMemory with a remedy."""

    def __init__(self, what: str) -> None:
        self.what = what

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: Any
    ) -> None:
        if error is None:
            return
        if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
            raise OutOfMemory(
                f"out of memory ({self.what}): {error}; use a smaller graph or a larger device"
            ) from error


def cache_bytes() -> int:
    """The size of the current GPU's last-level cache."""
    from gunrock_cli.engine.cuda import device_properties

    return int(device_properties()["l2CacheSize"])


def choose_backend(wanted: str = "auto", threads: int | None = None) -> Backend:
    """The backend asked for; for ``auto`` the GPU if there is one, else the CPU."""
    no_cuda = None if wanted == "cpu" else why_no_cuda()
    if wanted == "cuda" and no_cuda:
        raise BackendError(f"--backend cuda: {no_cuda}")
    if wanted != "cpu" and no_cuda is None:
        from gunrock_cli.engine.cuda import device_properties

        name = device_properties()["name"]
        name = name.decode() if isinstance(name, bytes) else str(name)
        return Backend("cuda", f"cuda: {name}", said=f"GPU, {name}")
    if no_cpu := why_no_cpu():
        also = f"; and no GPU: {no_cuda}" if no_cuda else ""
        raise BackendError(f"--backend {wanted}: {no_cpu}{also}")
    from gunrock_cli.toolchain.threads import default_threads, threads_asked_for

    asked = threads or threads_asked_for()
    count = asked or default_threads()
    most = "" if asked else "up to "
    reason = f" ({no_cuda})" if no_cuda else ""
    said = f"CPU, {most}{count} thread{'s' if count > 1 else ''}"
    return Backend(
        "cpu",
        f"cpu: {most}{count} threads{reason}",
        count,
        asked=asked is not None,
        said=f"{said}; no usable GPU: gunrock doctor" if no_cuda else said,
    )
