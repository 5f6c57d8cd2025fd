"""The cuda backend: NVRTC for the code, CuPy for memory, launches and events."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.engine.contract import BYTES_SYMBOL, SYMBOL
from gunrock_cli.engine.interrupts import watched
from gunrock_cli.engine.program import Program, QueueRoom, RunSettings, await_all
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import BackendError
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.toolchain import nvrtc
from gunrock_cli.toolchain.binaries import binaries_dir
from gunrock_cli.toolchain.code import Code, Made
from gunrock_cli.toolchain.shared import SharedCode
from gunrock_cli.toolchain.unit import Unit


def device_properties() -> dict[str, Any]:
    """CUDA's properties of the current device, by name."""
    import cupy

    return _properties_of(int(cupy.cuda.Device().id))


@cache
def _properties_of(device: int) -> dict[str, Any]:
    import cupy

    properties: dict[str, Any] = cupy.cuda.runtime.getDeviceProperties(device)
    return properties


def pci_bus_id() -> str:
    """The current device's PCI bus id, its name for NVML."""
    import cupy

    return str(cupy.cuda.runtime.deviceGetPCIBusId(cupy.cuda.Device().id))


def compute_capability() -> int:
    """The current device's compute capability, such as 90."""
    properties = device_properties()
    return int(properties["major"]) * 10 + int(properties["minor"])


LEAD_NS = 50_000_000
"""The longest wait of the device for the host to queue a launch, which takes some 50 us."""
SETTLE_NS = 50_000
"""The further wait once the host has queued a launch, so that the device has fetched it."""
_LEAD = np.uint64(LEAD_NS)


class Gate:
    """Two words of page-locked memory: the host opens the first; a device that gave up waiting sets the
    second."""

    def __init__(self, cupy: Any) -> None:
        self._memory = cupy.cuda.alloc_pinned_memory(8)
        self._words = np.frombuffer(self._memory, np.uint32, 2)
        self.address = np.uint64(self._memory.ptr)  # also the device's address

    def close(self) -> None:
        self._words[:] = 0

    def open(self) -> None:
        self._words[0] = 1

    def held(self) -> bool:
        return not self._words[1]


SPIN_S = 0.01
"""The time that the host polls an event without a pause."""


def _look_until(event: Any, spin_s: float, limit_s: float) -> bool:
    """True if an event came within the limit."""
    begin = time.perf_counter()
    while not event.done:
        passed = time.perf_counter() - begin
        if passed > limit_s:
            return False
        if passed > spin_s:
            time.sleep(1e-4)
    return True


_MODULES = SharedCode[Made[Any]]()


def code_of(source: Unit, arch: int) -> Code:
    """A unit's code for a compute capability."""
    return nvrtc.gpu_code(source.label, partial(source.key, "cuda"), source.text, str(source.path), arch)


class CudaProgram(Program):
    """A program on the cuda backend (see ``Program``)."""

    def __init__(
        self, source: Unit, graph: Graph, room: QueueRoom, settings: RunSettings, tuning: Tuning
    ) -> None:
        import cupy

        self._cupy = cupy
        code = code_of(source, compute_capability())
        self._device = cupy.cuda.Device()  # a module belongs to one device
        made = _MODULES.of(
            (binaries_dir(), *code.identity, int(self._device.id)), lambda: code.load(_loaded)
        )
        self._module, self.archive = made.code, made.archive
        super().__init__(source, graph, room, settings)
        self._shared = self.contract.size("BlockShared")
        self._block = self.contract.constant("BLOCK")
        limit = int(device_properties()["sharedMemPerBlockOptin"])
        if self._shared > limit:
            raise BackendError(f"a block needs {self._shared} bytes of shared memory, {limit} is all")
        self._kernel = self._function(settings.entry)
        self._wait = self._module.get_function("wait_for_host")
        self._settle = np.uint64(SETTLE_NS if settings.settles else 0)
        # The same bytes without names: when asked for an address, NumPy describes all members of a
        # struct, which took 0.05 ms per launch.
        self._packed = self._arguments.view(np.dtype((np.void, self._arguments.itemsize)))
        self.gate = Gate(cupy)
        self._events = cupy.cuda.Event(), cupy.cuda.Event()
        # A cooperative launch needs all blocks resident at once.
        resident = cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(
            self._kernel.kernel.ptr, self._block, self._shared
        )
        self._grid = int(device_properties()["multiProcessorCount"]) * max(
            1, min(tuning.blocks_per_sm, int(resident))
        )

    def _function(self, name: str) -> Any:
        kernel = self._module.get_function(name)
        kernel.max_dynamic_shared_size_bytes = self._shared
        return kernel

    def contract_bytes(self) -> bytes:
        size = self._global(BYTES_SYMBOL, 8).view(np.int64)
        return self._global(SYMBOL, int(size[0])).tobytes()

    def _global(self, name: str, size: int) -> np.ndarray[Any, Any]:
        """A copy of a variable of the module."""
        memory = self._cupy.ndarray((size,), np.uint8, self._module.get_global(name))
        host: np.ndarray[Any, Any] = memory.get()
        return host

    def _empty(self, count: int, dtype: np.dtype[Any]) -> Array:
        return self._cupy.empty(count, dtype)

    def _zeros(self, count: int, dtype: np.dtype[Any]) -> Array:
        # CuPy has no structured dtypes: use bytes, cut to rows so that len() counts them.
        return self._cupy.zeros((count, dtype.itemsize), np.uint8)

    def _clear(self, array: Array) -> None:
        array.fill(0)

    def _read(self, array: Array, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
        host: np.ndarray[Any, Any] = array.get()
        return host.reshape(-1).view(dtype)

    def grid_threads(self) -> int:
        return self._grid * self._block

    def start(self, step: int | None = None) -> tuple[Any, Any]:
        """Launch, and return the events before and after. The whole enactor waits for the gate, so that
        the host's own delays do not count."""
        if step is None:
            return self._between_events(
                lambda: self._kernel(
                    (self._grid,), (self._block,), (self._packed,), shared_mem=self._shared
                ),
                ahead=True,
            )
        return self._between_events(lambda: self._step(step))

    def _between_events(self, work: Callable[[], None], ahead: bool = False) -> tuple[Any, Any]:
        begin, end = self._events  # of the previous launch, which has ended
        if self.settings.settles or not ahead:
            self._cupy.cuda.get_current_stream().synchronize()
        if ahead:
            self._wait((1,), (1,), (self.gate.address, _LEAD, self._settle))
        begin.record()
        work()
        end.record()
        return begin, end

    def _step(self, number: int) -> None:
        self._kernel(
            (self._grid,), (self._block,), (self._packed, np.uint32(number)), shared_mem=self._shared
        )

    def wait(self, launch: tuple[Any, Any], limit_s: float) -> bool:
        """Wait for the launch as long as the limit; unlike ``synchronize`` it lets Ctrl-C through."""
        return _look_until(launch[1], SPIN_S if limit_s == math.inf else 0, limit_s)

    def elapsed(self, launch: tuple[Any, Any]) -> float:
        return float(self._cupy.cuda.get_elapsed_time(*launch))

    def ask_to_stop(self) -> None:
        """Set ``Control.stop`` through another stream."""
        self.gate.open()
        with self._device:
            stream = self._cupy.cuda.Stream(non_blocking=True)
            place = self._control.data.ptr + self.contract.member("Control", "stop").offset
            to_device = self._cupy.cuda.runtime.memcpyHostToDevice
            self._cupy.cuda.runtime.memcpyAsync(place, int(self.gate.address), 8, to_device, stream.ptr)
            stream.synchronize()

    def _launch(self) -> float:
        self.gate.close()
        launch = self.start()
        self.gate.open()
        await_all([(self, launch)])
        self._late = not self.gate.held()
        return self.elapsed(launch)

    def _launch_after(self, first: Program, ms: float) -> float:
        assert isinstance(first, CudaProgram)
        begin, end = first._events[0], self._events[1]
        self._kernel((self._grid,), (self._block,), (self._packed,), shared_mem=self._shared)
        end.record()
        await_all([(self, (begin, end))])
        return self.elapsed((begin, end))

    def _launch_steps(self, goes_on: Callable[[], bool]) -> float:
        def steps() -> None:
            number = 0
            with watched() as check:
                while True:
                    self._step(number)
                    number += 1
                    check()
                    if not goes_on():
                        return

        launch = self._between_events(steps)
        await_all([(self, launch)])
        self._late = False
        return self.elapsed(launch)


def _loaded(path: Path) -> Any:
    """The module of a cubin, loaded at once: CuPy would load it only at its first use."""
    import cupy

    module = cupy.RawModule(path=str(path), enable_cooperative_groups=True)
    module.get_function("wait_for_host")
    return module
