"""The cuda backend: NVRTC for the code, CuPy for memory, launches and events."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.engine import layout, nvrtc
from gunrock_cli.engine.binaries import loaded_binary
from gunrock_cli.engine.layout import Types
from gunrock_cli.engine.program import Program, RunSettings
from gunrock_cli.engine.source import Source
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import BackendError
from gunrock_cli.graph.graph import Array, Graph


@cache
def device_properties() -> dict[str, Any]:
    """CUDA's properties of the current device."""
    import cupy

    properties: dict[str, Any] = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)
    return properties


def pci_bus_id() -> str:
    """Of the current device: the name that NVML knows it by."""
    import cupy

    return str(cupy.cuda.runtime.deviceGetPCIBusId(cupy.cuda.Device().id))


def compute_capability() -> int:
    """Such as 90."""
    properties = device_properties()
    return int(properties["major"]) * 10 + int(properties["minor"])


LEAD_NS = 200_000
"""How long the device waits while the host queues a launch: some times what that takes."""


class CudaProgram(Program):
    """See Program."""

    def __init__(self, source: Source, graph: Graph, types: Types, queue_capacity: int,
                 settings: RunSettings, tuning: Tuning) -> None:
        import cupy

        self._cupy = cupy
        arch = compute_capability()
        self._module, self.was_built = loaded_binary(
            source.key("cuda", str(arch), nvrtc.nvrtc_version()), ".cubin",
            lambda target: _write(target, nvrtc.compile_cubin(source, arch)), _loaded,
        )
        super().__init__(source, graph, types, queue_capacity, settings)
        found = self.compiled_layout()
        self._shared, self._block = int(found[layout.SHARED_BYTES]), int(found[layout.BLOCK])
        limit = int(device_properties()["sharedMemPerBlockOptin"])
        if self._shared > limit:
            raise BackendError(f"a block needs {self._shared} bytes of shared memory, {limit} is all")
        self._kernel = self._function("gr_run")
        self._wait = self._module.get_function("wait_for_host")
        # A cooperative launch needs all blocks resident at once.
        resident = cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(
            self._kernel.kernel.ptr, self._block, self._shared)
        self._grid = int(device_properties()["multiProcessorCount"]) * max(
            1, min(tuning.blocks_per_sm, int(resident)))

    def _function(self, name: str) -> Any:
        kernel = self._module.get_function(name)
        kernel.max_dynamic_shared_size_bytes = self._shared
        return kernel

    def compiled_layout(self) -> np.ndarray[Any, Any]:
        pointer = self._module.get_global("gr_layout")
        words = self._cupy.ndarray((layout.WORDS,), np.uint32, pointer)
        host: np.ndarray[Any, Any] = words.get()
        return host

    def _empty(self, count: int, dtype: np.dtype[Any]) -> Array:
        return self._cupy.empty(count, dtype)

    def _zeros(self, count: int, dtype: np.dtype[Any]) -> Array:
        # CuPy has no structured dtypes: bytes, cut to rows so that len() counts them.
        return self._cupy.zeros((count, dtype.itemsize), np.uint8)

    def _clear(self, array: Array) -> None:
        array.fill(0)

    def _read(self, array: Array, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
        host: np.ndarray[Any, Any] = array.get()
        return host.reshape(-1).view(dtype)

    def _timed(self, work: Callable[[], None], ahead: bool = False) -> float:
        """Milliseconds of what ``work`` launches. ``ahead``: the device waits a moment before the
        first event, so that the host has queued all of it by then and its own delays do not count."""
        begin, end = self._cupy.cuda.Event(), self._cupy.cuda.Event()
        self._cupy.cuda.get_current_stream().synchronize()
        if ahead:
            self._wait((1,), (1,), (np.uint64(LEAD_NS),))
        begin.record()
        work()
        end.record()
        end.synchronize()
        return float(self._cupy.cuda.get_elapsed_time(begin, end))

    def _launch(self) -> float:
        return self._timed(
            lambda: self._kernel((self._grid,), (self._block,), (self._arguments,),
                                 shared_mem=self._shared),
            ahead=True,
        )

    def _launch_steps(self, goes_on: Callable[[], bool]) -> float:
        kernel = self._function("gr_step")

        def steps() -> None:
            number = 0
            while True:
                kernel((self._grid,), (self._block,), (self._arguments, np.uint32(number)),
                       shared_mem=self._shared)
                number += 1
                if not goes_on():
                    return

        return self._timed(steps)


def _loaded(path: Path) -> Any:
    """The module of a cubin, which CuPy would load at its first use only."""
    import cupy

    module = cupy.RawModule(path=str(path), enable_cooperative_groups=True)
    module.get_function("gr_run")
    return module


def _write(target: Path, data: bytes) -> None:
    target.write_bytes(data)
