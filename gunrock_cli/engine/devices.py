"""Several devices of one host that run together: their numbers, their memory, and the places where each
may write: the others' memory or, if a GPU has no access to another's, the host's, which all can reach.

On the cpu backend a device is a team of threads with its own memory, so that the code for several GPUs
runs, and is checked, on machines without any.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np

from gunrock_cli.engine.backend import Backend
from gunrock_cli.engine.contract import pointer_of
from gunrock_cli.engine.room import Room
from gunrock_cli.errors import BackendError, UsageError
from gunrock_cli.graph.model.graph import Array
from gunrock_cli.graph.parts.kinds import MOST_PARTS

MOST_DEVICES = MOST_PARTS
"""The limit in kernels/core/several_devices.cuh (the program compares them)."""
_HEAD, _ALIGNMENT = 256, 256
"""Bytes at the head of a heap, for MOST_DEVICES words; and the alignment of each array in it."""
_ACCESS_IS_ON = 704  # cudaErrorPeerAccessAlreadyEnabled


def device_numbers(text: str, backend: Backend) -> tuple[int, ...]:
    """The devices that ``--devices`` asks for: ``auto`` (one), a count, ``all``, or numbers with commas.
    UsageError if there are no such devices."""
    words = text.strip().lower()
    there = count_devices(backend)
    if words == "auto":
        return (_current(backend),)
    if words == "all" and backend.name == "cpu":
        raise UsageError(
            "--devices all: the cpu backend has as many teams as are asked for; give a count"
        )
    parts = words.rstrip(",").split(",")
    if words != "all" and not all(part.isascii() and part.isdigit() and len(part) < 5 for part in parts):
        raise UsageError(f"--devices {text}: give a count, numbers with commas (0,2), all or auto")
    listed = "," in words
    if listed and backend.name == "cpu":
        raise UsageError(f"--devices {text}: teams of the cpu backend have no numbers; give a count")
    numbers = (
        tuple(range(there))
        if words == "all"
        else tuple(map(int, parts))
        if listed
        else tuple(range(int(parts[0])))
    )
    if not numbers or len(set(numbers)) < len(numbers):
        raise UsageError(f"--devices {text}: give at least one device, each of them once")
    if max(numbers) >= there:
        known = (
            f"the cpu backend has at most {there} teams"
            if backend.name == "cpu"
            else f"this machine has {there}, counted from 0"
        )
        raise UsageError(f"--devices {text}: {known}")
    if len(numbers) == 1 and numbers[0] != _current(backend):
        raise UsageError(
            f"--devices {text}: for a run on that GPU alone set CUDA_VISIBLE_DEVICES={numbers[0]}"
        )
    return numbers[:MOST_DEVICES]


def _current(backend: Backend) -> int:
    if backend.name == "cpu":
        return 0
    import cupy

    return int(cupy.cuda.Device().id)


def count_devices(backend: Backend) -> int:
    """The number of devices; on the cpu backend, the number of possible teams."""
    if backend.name == "cpu":
        return MOST_DEVICES
    import cupy

    return int(cupy.cuda.runtime.getDeviceCount())


@dataclass(frozen=True)
class Devices:
    """The devices that share a run, in the order of their parts."""

    backend: Backend
    numbers: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def xp(self) -> ModuleType:
        """The array module of their memory."""
        return self.backend.xp

    def at(self, place: int) -> AbstractContextManager[Any]:
        """The context in which the device at ``place`` allocates memory and runs kernels."""
        if self.backend.name == "cpu":
            return nullcontext()
        import cupy

        device: AbstractContextManager[Any] = cupy.cuda.Device(self.numbers[place])
        return device

    def backend_at(self) -> Backend:
        """The backend of one device: it gets its share of the cpu's threads."""
        return replace(self.backend, threads=max(1, self.backend.threads // len(self)))

    def copied(self, array: Array | None, place: int) -> Array | None:
        """The array in the memory of one device (for the cpu's teams, the array itself, a part's own)."""
        if array is None or self.backend.name == "cpu":
            return array
        import cupy

        with self.at(place):
            if isinstance(array, np.ndarray):  # from a graph that no device holds as a whole
                return cupy.asarray(array)
            if int(array.device.id) == self.numbers[place]:
                return array
            source = cupy.ascontiguousarray(array)
            source.device.synchronize()  # it may not be finished yet
            target = cupy.empty(array.shape, array.dtype)
            if target.nbytes:
                cupy.cuda.runtime.memcpy(
                    target.data.ptr,
                    source.data.ptr,
                    target.nbytes,
                    cupy.cuda.runtime.memcpyDeviceToDevice,
                )
            return target

    def gathered(self, pieces: list[Array]) -> Array:
        """Join pieces on the devices, in their order, into one array on the current device."""
        if self.backend.name == "cpu":
            return np.concatenate(pieces)
        import cupy

        rows = sum(len(piece) for piece in pieces)
        whole = cupy.empty((rows, *pieces[0].shape[1:]), pieces[0].dtype)
        begin = 0
        for place, piece in enumerate(pieces):
            with self.at(place):
                cupy.cuda.get_current_stream().synchronize()
            if piece.nbytes:
                cupy.cuda.runtime.memcpy(
                    whole[begin:].data.ptr,
                    piece.data.ptr,
                    piece.nbytes,
                    cupy.cuda.runtime.memcpyDeviceToDevice,
                )
            begin += len(piece)
        return whole

    def synchronize(self) -> None:
        """Wait until all devices have done their work."""
        if self.backend.name == "cpu":
            return
        import cupy

        for place in range(len(self)):
            with self.at(place):
                cupy.cuda.runtime.deviceSynchronize()

    def connect(self) -> str:
        """Let each device write into the others' memory; return the reason in one line if one cannot."""
        if self.backend.name == "cpu":
            return ""
        pairs = [(a, b) for a in self.numbers for b in self.numbers if a != b]
        for one, other in pairs:
            if not _reaches(one, other):
                return (
                    f"GPU {one} cannot write into the memory of GPU {other} (no peer access): what "
                    "devices tell each other goes through the host's memory, which is slower"
                )
        for place, number in enumerate(self.numbers):
            with self.at(place):
                for other in self.numbers:
                    if other != number:
                        _enable_access(other)
        return ""


def _reaches(one: int, other: int) -> bool:
    from cupy.cuda import runtime

    return bool(runtime.deviceCanAccessPeer(one, other))


def _enable_access(other: int) -> None:
    from cupy.cuda import runtime

    try:
        runtime.deviceEnablePeerAccess(other)
    except runtime.CUDARuntimeError as error:
        if error.status != _ACCESS_IS_ON:
            raise BackendError(f"no peer access to GPU {other}: {error}") from error


class Heaps:
    """A piece of memory per device, all laid out alike, into which the others write: in the device's own
    memory if the devices are ``connected``, else in the host's."""

    def __init__(self, devices: Devices, rooms: Mapping[str, Room], connected: bool = True) -> None:
        self._devices = devices
        self._places: dict[str, tuple[int, Room]] = {}
        end = _HEAD
        for name, room in rooms.items():
            self._places[name] = (end, room)
            end += -(-room.nbytes // _ALIGNMENT) * _ALIGNMENT
        self.nbytes = end
        self._memory = []
        for place in range(len(devices)):
            with devices.at(place):
                self._memory.append(
                    devices.backend.xp.zeros(end + _ALIGNMENT, np.uint8)
                    if connected
                    else _host_memory(end + _ALIGNMENT)
                )

    def addresses(self) -> np.ndarray[Any, Any]:
        """The addresses where the pieces begin, for the kernels."""
        found = np.zeros(MOST_DEVICES, np.uint64)
        for place, memory in enumerate(self._memory):
            found[place] = pointer_of(memory) + self._offset(memory)
        return found

    def arrays(self, place: int) -> dict[str, Array]:
        """The arrays of one device, by name."""
        memory = self._memory[place]
        base = self._offset(memory)
        return {
            name: memory[base + begin : base + begin + room.nbytes].view(room.dtype).reshape(room.shape)
            for name, (begin, room) in self._places.items()
        }

    def clear_heads(self) -> None:
        """Reset the heads: no device has come to a meeting yet."""
        for place, memory in enumerate(self._memory):
            with self._devices.at(place):
                begin = self._offset(memory)
                memory[begin : begin + _HEAD].fill(0)

    @staticmethod
    def _offset(memory: Array) -> int:
        return -pointer_of(memory) % _ALIGNMENT


def _host_memory(size: int) -> Array:
    """Bytes that all GPUs read and write in place, as an array of the current one."""
    import cupy

    pinned = cupy.cuda.alloc_pinned_memory(size)
    memory = cupy.cuda.UnownedMemory(pinned.ptr, size, pinned, int(cupy.cuda.Device().id))
    array = cupy.ndarray(size, cupy.uint8, cupy.cuda.MemoryPointer(memory, 0))
    array.fill(0)
    return array
