"""The cpu backend: the same kernels as host C++, with one thread of a team per block."""

from __future__ import annotations

import ctypes
import math
import os
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import cache, partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, ClassVar

import numpy as np

from gunrock_cli.engine.contract import BYTES_SYMBOL, SYMBOL, pointer_of
from gunrock_cli.engine.program import Program, QueueRoom, RunSettings, await_all
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.toolchain.binaries import binaries_dir
from gunrock_cli.toolchain.code import Code, Made
from gunrock_cli.toolchain.host_code import HostSource
from gunrock_cli.toolchain.openmp import wait_briefly
from gunrock_cli.toolchain.shared import SharedCode
from gunrock_cli.toolchain.unit import Unit


class Caller:
    """A thread that makes the calls, so that Ctrl-C reaches the main thread meanwhile. Unlike an
    executor's threads, it is not waited for at exit."""

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
            except BaseException as error:  # for the waiting thread
                job.set_exception(error)


def caller(place: int = 0) -> Caller:
    """The only caller of a place; there are several places only if several devices run. (OpenMP keeps a
    team for every thread that has asked for one.)"""
    return _caller(place)


@cache
def _caller(place: int) -> Caller:
    return Caller()


os.register_at_fork(after_in_child=_caller.cache_clear)  # threads stay behind


_LIBRARIES = SharedCode[Made[ctypes.CDLL]]()


def host_source(unit: Unit) -> HostSource:
    """What is compiled of a unit."""
    return HostSource(unit.label, partial(unit.key, "cpu"), unit.text, unit.path)


def _library(code: Code) -> Made[ctypes.CDLL]:
    wait_briefly()
    return code.load(lambda path: ctypes.CDLL(str(path)))


_crashes = {"told": False}


def tell_of_crashes() -> None:
    """Report on stderr, in one line, if a kernel crashes and ends the process. For the command line:
    other programs have their own handlers."""
    _crashes["told"] = True


class CpuProgram(Program):
    """A program on the cpu backend (see ``Program``)."""

    flags: ClassVar[tuple[str, ...]] = ()
    """The compiler's flags, besides the usual ones."""

    def __init__(
        self, source: Unit, graph: Graph, room: QueueRoom, settings: RunSettings, threads: int
    ) -> None:
        code = host_source(source).code(self.flags)
        made = _LIBRARIES.of((binaries_dir(), *code.identity), lambda: _library(code))
        self._library, self.archive = made.code, made.archive
        self._enact = self._library[settings.entry]  # not kept by the library: its type is set here
        self._enact.restype = ctypes.c_uint64
        if _crashes["told"] and hasattr(self._library, "gr_tell_of_crashes"):  # lanes have handlers
            self._library.gr_tell_of_crashes(
                f"gunrock: the kernel {source.label} crashed: an index out of bounds?\n".encode()
            )
        self.threads = threads
        super().__init__(source, graph, room, settings)

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

    def grid_threads(self) -> int:
        return self.threads

    def start(self, step: int | None = None) -> Future[int]:
        where = (ctypes.c_void_p(pointer_of(self._arguments)), ctypes.c_int(self.threads))
        thread = caller(self.device)
        if step is None:
            return thread.submit(self._enact, *where)
        return thread.submit(self._enact, *where, ctypes.c_uint32(step))

    def wait(self, launch: Future[int], limit_s: float) -> bool:
        return not wait([launch], None if limit_s == math.inf else limit_s).not_done

    def elapsed(self, launch: Future[int]) -> float:
        return launch.result() / 1e6

    def ask_to_stop(self) -> None:
        self._control["stop"] = 1

    def _launch(self, step: int | None = None) -> float:
        launch = self.start(step)
        await_all([(self, launch)])
        return self.elapsed(launch)

    def _launch_after(self, first: Program, ms: float) -> float:
        return ms + self._launch()

    def _launch_steps(self, goes_on: Callable[[], bool]) -> float:
        total, number = 0.0, 0
        while True:
            total += self._launch(number)
            number += 1
            if not goes_on():
                return total


def library_contract(library: ctypes.CDLL) -> bytes:
    """The contract of a compiled library, in bytes."""
    size = ctypes.c_int64.in_dll(library, BYTES_SYMBOL).value
    return bytes((ctypes.c_char * size).in_dll(library, SYMBOL))
