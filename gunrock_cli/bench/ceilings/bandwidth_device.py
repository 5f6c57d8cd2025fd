"""Measures a GPU's ceilings with kernels that only read or write (``cpp/bandwidth.cu``), and with CuPy's
copies."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.bench.ceilings.rates import Ceilings
from gunrock_cli.engine.cuda import compute_capability, device_properties, pci_bus_id
from gunrock_cli.jsontypes import Json
from gunrock_cli.toolchain.code import Code, text_key
from gunrock_cli.toolchain.nvrtc import gpu_code

TABLES_MIB = (1, 8, 32, 128, 1024)
MEMORY = 1 << 30
"""Bytes of an array that does not fit in any L2."""
PASS_BYTES = 1 << 32
"""Bytes that a launch moves in all, over a smaller array repeatedly: enough to make the launch itself
negligible."""
TIMES = 4
"""Launches of each shape; the fastest counts."""
WARM_UP_MS = 100.0
"""Work before anything is measured: an idle GPU's clocks are low."""
_SHAPES = ((1024, 2), (512, 4), (256, 8))
"""Threads per block, and blocks per multiprocessor."""
_CLOCK, _MULTIPROCESSORS, _MEMORY_CLOCK, _BUS_WIDTH, _L2 = 13, 16, 36, 37, 38
"""Values of cudaDeviceAttr: ClockRate, MultiProcessorCount, MemoryClockRate, GlobalMemoryBusWidth,
L2CacheSize."""


def _attribute(number: int) -> int:
    import cupy

    return int(cupy.cuda.runtime.deviceGetAttribute(number, cupy.cuda.Device().id))


def identity() -> dict[str, Json]:
    """The properties that ceilings depend on; clocks are the device's highest, and those set by an
    administrator (null if NVML does not report them)."""
    name = device_properties()["name"]
    return {
        "name": name.decode() if isinstance(name, bytes) else str(name),
        "multiprocessors": _attribute(_MULTIPROCESSORS),
        "clock_khz": _attribute(_CLOCK),
        "memory_clock_khz": _attribute(_MEMORY_CLOCK),
        "set_clocks_mhz": _set_clocks(),
        "cache_bytes": _attribute(_L2),
    }


def memory_limit() -> float | None:
    """Bytes/s by the memory's clock and width, two transfers per cycle, or None if these are not
    reported."""
    return 2 * 1e3 * _attribute(_MEMORY_CLOCK) * _attribute(_BUS_WIDTH) / 8 or None


def _set_clocks() -> list[int] | None:
    """Application clocks of multiprocessors and memory."""
    try:
        import pynvml

        pynvml.nvmlInit()
        device = pynvml.nvmlDeviceGetHandleByPciBusId(pci_bus_id().encode())
        return [
            int(pynvml.nvmlDeviceGetApplicationsClock(device, clock))
            for clock in (pynvml.NVML_CLOCK_SM, pynvml.NVML_CLOCK_MEM)
        ]
    except Exception:  # no NVML, or a device without such clocks: the attributes have to do
        return None


def measure() -> Ceilings:
    """The best of several launches of each kind."""
    import cupy

    l2 = _attribute(_L2)
    source = cupy.arange(MEMORY // 4, dtype=np.int32)
    target = cupy.empty_like(source)
    _warm_up(source)
    copy = 2 * MEMORY / _best(lambda: cupy.copyto(target, source))
    memory_read = _rate("read_stream", source, MEMORY)
    filled = MEMORY / _best(lambda: target.data.memset_async(1, MEMORY))
    memory_write = max(_rate("write_stream", target, MEMORY), filled)
    resident = sorted({1 << 21, 1 << 23, l2 // 4 >> 20 << 20, l2 // 2 >> 20 << 20} - {0})
    return Ceilings(
        memory_read=memory_read,
        memory_write=memory_write,
        cache_read=max(memory_read, *(_rate("read_stream", source, size) for size in resident)),
        cache_write=max(memory_write, *(_rate("write_stream", target, size) for size in resident)),
        cache_bytes=l2,
        copy=copy,
        gathers=_gathers(source, target),
    )


def _warm_up(array: Any) -> None:
    passed = 0.0
    while passed < WARM_UP_MS:
        passed += _milliseconds_of_shape("read_stream", array, MEMORY, *_SHAPES[0])


def _rate(kernel: str, array: Any, size: int) -> float:
    """Bytes/s of the best shape over the first ``size`` bytes, repeated until they make a pass."""
    return max(
        1e3 * _moved(size) / _milliseconds_of_shape(kernel, array, size, *shape)
        for shape in _SHAPES
        for _ in range(TIMES)
    )


def _moved(size: int) -> int:
    return max(1, PASS_BYTES // size) * size


def _milliseconds_of_shape(kernel: str, array: Any, size: int, threads: int, blocks: int) -> float:
    function = _module().get_function(kernel)
    grid = blocks * _attribute(_MULTIPROCESSORS)
    arguments = [array, np.int64(size // 16), np.int32(_moved(size) // size)]
    if kernel == "read_stream":
        arguments.append(_sink())
    return _milliseconds(lambda: function((grid,), (threads,), tuple(arguments)))


def _gathers(source: Any, target: Any) -> dict[int, float]:
    """Random accesses per second, by the size of the table."""
    import cupy

    found, accesses = {}, MEMORY // 16
    kernel = cupy.ElementwiseKernel(
        "raw int32 table, int32 index", "int32 out", "out = table[index]", "gunrock_gather"
    )
    # a multiplicative hash scatters the indices without a generator's state
    hashes = cupy.ElementwiseKernel(
        "uint64 number, uint64 words",
        "int32 index",
        "index = (number * 0x9E3779B97F4A7C15ull >> 20) % words",
        "gunrock_scatter",
    )
    out = target[:accesses]
    for mib in TABLES_MIB:
        words = mib << 18
        index = hashes(cupy.arange(accesses, dtype=np.uint64), np.uint64(words))
        table = source[:words]
        found[mib << 20] = accesses / _best(partial(kernel, table, index, out))
    return found


def _best(work: Callable[[], Any]) -> float:
    """Seconds of the fastest of several runs, after a warm-up run."""
    work()
    return min(_milliseconds(work) for _ in range(TIMES)) / 1e3


def _milliseconds(work: Callable[[], Any]) -> float:
    import cupy

    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    begin.record()
    work()
    end.record()
    end.synchronize()
    return float(cupy.cuda.get_elapsed_time(begin, end))


@cache
def _module() -> Any:
    import cupy

    return code(compute_capability()).load(lambda path: cupy.RawModule(path=str(path))).code


def code(arch: int) -> Code:
    """The kernels' code for a compute capability."""
    text = Path(__file__).with_name("cpp").joinpath("bandwidth.cu").read_text("utf-8")
    return gpu_code("what measures memory", text_key("bandwidth", text), text, "bandwidth.cu", arch)


@cache
def _sink() -> Any:
    import cupy

    return cupy.zeros(1, np.uint32)
