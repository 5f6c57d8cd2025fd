"""Which backend to run on, and a primitive compiled for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from gunrock_cli.engine.layout import Types
from gunrock_cli.engine.program import Program, RunSettings
from gunrock_cli.engine.source import ADVANCE_MODES, Source
from gunrock_cli.errors import BackendError, OutOfMemory
from gunrock_cli.graph.graph import Graph

BACKENDS = ("auto", "cuda", "cpu")


@cache
def why_no_cuda() -> str | None:
    """Why the cuda backend cannot be used, with the remedy; None where it can."""
    try:
        import cupy
    except ImportError:
        return "CuPy is not installed (pip install 'gunrock-cli[cuda13]', or [cuda12])"
    try:
        if cupy.cuda.runtime.getDeviceCount() == 0:
            return "no NVIDIA GPU"
    except Exception as error:
        return f"no usable NVIDIA GPU ({error})"
    try:
        from gunrock_cli.engine.nvrtc import nvrtc

        nvrtc()
    except BackendError as error:
        return str(error)
    return None


@cache
def why_no_cpu() -> str | None:
    """Why the cpu backend cannot be used, with the remedy; None where it can."""
    from gunrock_cli.engine.host_compiler import find_compiler

    try:
        find_compiler()
    except BackendError as error:
        return str(error)
    return None


@dataclass(frozen=True)
class Backend:
    """A chosen backend: ``xp`` is the array module its graphs and problems must use."""

    name: str  # "cuda" or "cpu"
    why: str  # one line for the user
    threads: int = 0  # cpu only

    @property
    def xp(self) -> ModuleType:
        if self.name == "cpu":
            return np
        import cupy

        return cupy

    def types(self, graph: Graph, defines: Mapping[str, str | int]) -> Types:
        """Index and weight types for a graph."""
        edge = np.dtype(graph.csr.row_offsets.dtype.name)
        weight = np.dtype(np.float32 if int(defines.get("GR_WEIGHT_FLOAT", 0)) else np.int32)
        item = edge if int(defines.get("GR_EDGE_FRONTIER", 0)) else np.dtype(np.int32)
        return Types(edge, weight, item)

    def program(self, kernel: Path, graph: Graph, defines: Mapping[str, str | int],
                advance_mode: str, queue_factor: float, settings: RunSettings,
                launch: str = "frontier") -> Program:
        """Compile ``kernel`` for this graph and these options, and allocate its workspace."""
        values = graph.csr.values
        weight_float = int(values is not None and values.dtype == np.float32)
        # The compiled-in macros: those of the graph, of the run, and of the primitive (which wins).
        merged: dict[str, str | int] = {
            "GR_EDGE64": int(graph.csr.row_offsets.dtype == np.int64),
            "GR_WEIGHT_FLOAT": weight_float,
            "GR_EDGE_FRONTIER": 0,
            "GR_AHEAD": 0,
            "GR_ADVANCE_MODE": ADVANCE_MODES.index(advance_mode),
            "GR_TRACE": int(settings.trace),
            "GR_COUNT": int(settings.count),
            **defines,
        }
        types = self.types(graph, merged)
        capacity = int(graph.n * queue_factor) + 1024
        with out_of_memory_as_error(f"{graph.name}: {graph.n} vertices, {graph.m} edges"):
            if self.name == "cpu":
                from gunrock_cli.engine.cpu import CpuProgram

                return CpuProgram(Source.of(kernel, merged), graph, types, capacity, settings,
                                  self.threads)
            from gunrock_cli.engine.cuda import CudaProgram, device_properties
            from gunrock_cli.engine.tuning import tune

            properties = device_properties()
            tuning = tune(int(properties["sharedMemPerBlockOptin"]), types.edge.itemsize,
                          types.item.itemsize, int(properties["maxThreadsPerMultiProcessor"]), launch)
            source = Source.of(kernel, {**merged, **tuning.defines()})
            return CudaProgram(source, graph, types, capacity, settings, tuning)


class out_of_memory_as_error:
    """Turn the host's and the device's out-of-memory errors into OutOfMemory with a remedy."""

    def __init__(self, what: str) -> None:
        self.what = what

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: Any) -> None:
        if error is None:
            return
        if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
            raise OutOfMemory(
                f"out of memory ({self.what}): {error}; use a smaller graph or a larger device"
            ) from error


def choose_backend(wanted: str = "auto", threads: int | None = None) -> Backend:
    """The backend asked for, or for ``auto`` the GPU where there is one, else the CPU."""
    no_cuda = None if wanted == "cpu" else why_no_cuda()
    if wanted == "cuda" and no_cuda:
        raise BackendError(f"--backend cuda: {no_cuda}")
    if wanted != "cpu" and no_cuda is None:
        from gunrock_cli.engine.cuda import device_properties

        name = device_properties()["name"]
        name = name.decode() if isinstance(name, bytes) else str(name)
        return Backend("cuda", f"cuda: {name}")
    if no_cpu := why_no_cpu():
        also = f"; and no GPU: {no_cuda}" if no_cuda else ""
        raise BackendError(f"--backend {wanted}: {no_cpu}{also}")
    from gunrock_cli.engine.cpu import default_threads

    count = threads or default_threads()
    reason = f" ({no_cuda})" if no_cuda else ""
    return Backend("cpu", f"cpu: {count} threads{reason}", count)
