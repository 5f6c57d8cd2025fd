"""The cpu backend: the same kernels as host C++, a thread of a team for each block."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

import numpy as np

from gunrock_cli.engine.contract import BYTES_SYMBOL, SYMBOL, pointer_of
from gunrock_cli.engine.program import GRACE_S, Program, RunSettings, leave_running
from gunrock_cli.graph.model import Array, Graph
from gunrock_cli.toolchain import host_compiler
from gunrock_cli.toolchain.binaries import binaries_dir, cached_binary, has_binary, loaded_binary
from gunrock_cli.toolchain.shared import SharedCode
from gunrock_cli.toolchain.unit import Unit


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


_LIBRARIES = SharedCode[ctypes.CDLL]()
_SUFFIX = ".so"


def key_of(source: Unit) -> str:
    """By which the cache knows its binary."""
    return source.key("cpu", *host_compiler.toolchain())


def is_compiled(source: Unit) -> bool:
    """Whether its binary is in the cache."""
    return has_binary(key_of(source), _SUFFIX)


def prepare(source: Unit) -> None:
    """Compile it into the cache, unless it is there."""
    cached_binary(key_of(source), _SUFFIX, _compiler_of(source))


def _compiler_of(source: Unit) -> Callable[[Path], None]:
    return lambda target: host_compiler.compile_shared(source.text, source.path, target)


def _library(source: Unit, key: str) -> ctypes.CDLL:
    library, _ = loaded_binary(key, _SUFFIX, _compiler_of(source), lambda path: ctypes.CDLL(str(path)),
                               f"{source.label} for this processor")
    for name in ("gr_run", "gr_step"):
        getattr(library, name).restype = ctypes.c_uint64
    return library


class CpuProgram(Program):
    """See Program."""

    def __init__(self, source: Unit, graph: Graph, queue_capacity: int, settings: RunSettings,
                 threads: int) -> None:
        key = key_of(source)
        self._library = _LIBRARIES.of((binaries_dir(), key), lambda: _library(source, key))
        self.threads = threads
        super().__init__(source, graph, queue_capacity, settings)

    def contract_bytes(self) -> bytes:
        return library_contract(self._library)

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


def library_contract(library: ctypes.CDLL) -> bytes:
    """What a compiled library says of itself."""
    size = ctypes.c_int64.in_dll(library, BYTES_SYMBOL).value
    return bytes((ctypes.c_char * size).in_dll(library, SYMBOL))
