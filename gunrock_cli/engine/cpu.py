"""The cpu backend: the same kernels as host C++, a thread of a team for each block."""

from __future__ import annotations

import ctypes
import os
import platform
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import cache
from queue import SimpleQueue
from threading import Thread
from typing import Any

import numpy as np

from gunrock_cli.engine import host_compiler, layout
from gunrock_cli.engine.binaries import cached_binary
from gunrock_cli.engine.layout import Types, pointer_of
from gunrock_cli.engine.program import GRACE_S, Program, RunSettings, leave_running
from gunrock_cli.engine.source import Source
from gunrock_cli.graph.graph import Array, Graph


def default_threads() -> int:
    """OMP_NUM_THREADS, or the processors that this process may use."""
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    return int(wanted) if wanted.isdigit() and int(wanted) > 0 else len(os.sched_getaffinity(0))


@cache
def processor_name() -> str:
    """Such as "AMD EPYC 9654 96-Core Processor"."""
    try:
        with open("/proc/cpuinfo") as info:
            for line in info:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


class Caller:
    """A thread that makes the calls, so that Ctrl-C reaches the main one meanwhile. Unlike those of an
    executor no one waits for it at exit."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[tuple[Future[int], Callable[..., int], tuple[Any, ...]]] = SimpleQueue()
        Thread(target=self._work, name="gunrock", daemon=True).start()

    def submit(self, function: Callable[..., int], *arguments: Any) -> Future[int]:
        job: Future[int] = Future()
        self._jobs.put((job, function, arguments))
        return job

    def _work(self) -> None:
        while True:
            job, function, arguments = self._jobs.get()
            try:
                job.set_result(function(*arguments))
            except BaseException as error:  # for whoever waits
                job.set_exception(error)


@cache
def caller() -> Caller:
    """The only one: OpenMP keeps a team for every thread that has asked for one."""
    return Caller()


os.register_at_fork(after_in_child=caller.cache_clear)  # threads stay behind


class CpuProgram(Program):
    """See Program."""

    def __init__(self, source: Source, graph: Graph, types: Types, queue_capacity: int,
                 settings: RunSettings, threads: int) -> None:
        path, self.was_built = cached_binary(
            source.key("cpu", *host_compiler.toolchain()), ".so",
            lambda target: host_compiler.compile_shared(source.text, source.path, target),
        )
        self.threads = threads
        self._library = ctypes.CDLL(str(path))
        for name in ("gr_run", "gr_step"):
            getattr(self._library, name).restype = ctypes.c_uint64
        super().__init__(source, graph, types, queue_capacity, settings)

    def compiled_layout(self) -> np.ndarray[Any, Any]:
        return np.array((ctypes.c_uint32 * layout.WORDS).in_dll(self._library, "gr_layout"), np.uint32)

    def _empty(self, count: int, dtype: np.dtype[Any]) -> Array:
        return np.empty(count, dtype)

    def _zeros(self, count: int, dtype: np.dtype[Any]) -> Array:
        return np.zeros(count, dtype)

    def _clear(self, array: Array) -> None:
        array.view(np.uint8)[:] = 0

    def _read(self, array: Array, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
        copy: np.ndarray[Any, Any] = array.copy()
        return copy

    def _call(self, function: Any, *arguments: Any) -> int:
        job = caller().submit(function, *arguments)
        try:
            return job.result()
        except KeyboardInterrupt:
            self._control["stop"] = 1
            if wait([job], GRACE_S).not_done:
                leave_running(self)
            raise

    def _launch(self) -> float:
        address = ctypes.c_void_p(pointer_of(self._arguments))
        return self._call(self._library.gr_run, address, ctypes.c_int(self.threads)) / 1e6

    def _launch_steps(self, goes_on: Callable[[], bool]) -> float:
        address = ctypes.c_void_p(pointer_of(self._arguments))
        total, number = 0, 0
        while True:
            total += self._call(self._library.gr_step, address, ctypes.c_int(self.threads),
                                ctypes.c_uint32(number))
            number += 1
            if not goes_on():
                return total / 1e6
