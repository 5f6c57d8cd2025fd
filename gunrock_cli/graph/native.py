"""The builder's quick path on the CPU: ``kernels/graph/csr.cpp``, compiled where a compiler is.

Gives the same rows as the NumPy path of ``build``, in less time and on all cores.
"""

from __future__ import annotations

import ctypes
import hashlib
import logging
import os
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.errors import BackendError
from gunrock_cli.resources import kernels_dir

HostArray = np.ndarray[Any, Any]
WORTH_IT = 1 << 20
"""Edges from which on the path is taken: below, NumPy needs no time to speak of."""
_KEYS_PER_BUCKET = 1 << 16
_MOST_BUCKETS = 1 << 10
_MOST_SMALL_BUCKETS = 1 << 14
"""As many buckets as are worth it to have keys of 32 bits."""
_log = logging.getLogger("gunrock")


def native_csr(
    n: int, src: HostArray, dst: HostArray, weights: HostArray | None, *,
    both_directions: bool, keep_self_loops: bool, keep_duplicates: bool,
) -> tuple[HostArray, HostArray, HostArray | None] | None:
    """Row offsets (int64), columns and weights; None where this path cannot be taken, and where an edge
    ends outside of 0 .. n - 1.

    ``src`` and ``dst`` are integers, ``weights`` int32, float32 or None.
    """
    library = _library() if len(src) >= WORTH_IT else None
    kinds = {None: 0, np.dtype(np.int32): 1, np.dtype(np.float32): 2}
    kind = kinds.get(None if weights is None else weights.dtype)
    if library is None or kind is None:
        return None
    src, dst = (np.ascontiguousarray(ends, dtype=np.int32) for ends in (src, dst))
    given = None if weights is None else np.ascontiguousarray(weights)
    flags = (int(both_directions), int(keep_self_loops))
    most = library.gr_count_directed(n, _at(src), _at(dst), len(src), *flags)
    if most < 0:
        return None
    bits, threads = max(1, (n - 1).bit_length()), _threads()
    shift, buckets = _buckets(n, most, bits)
    key = np.dtype(np.uint32 if bits + shift <= 32 else np.uint64)
    keys = np.empty(most, key)
    values = None if given is None else np.empty(most, given.dtype)
    starts, kept = np.empty(buckets + 1, np.int64), np.empty(buckets, np.int64)
    offsets = np.zeros(n + 1 + (1 << shift), np.int64)  # the last bucket may reach beyond n
    m = library.gr_sort_edges(
        n, shift, bits, buckets, *flags, int(keep_duplicates), _at(src), _at(dst), _at(given),
        len(src), kind, threads, key.itemsize, _at(keys), _at(values), _at(starts), _at(kept),
        _at(offsets[1:]))
    offsets = offsets[: n + 1]
    np.cumsum(offsets, out=offsets)
    in_place = key.itemsize == 4
    columns = keys.view(np.int32) if in_place else np.empty(m, np.int32)
    library.gr_emit(bits, buckets, threads, key.itemsize, _at(keys), _at(values), _at(starts),
                    _at(kept), _at(columns))
    return offsets, _first(columns, m), None if values is None else _first(values, m)


def _first(array: HostArray, count: int) -> HostArray:
    """The first entries, without the rest of the memory if that is much."""
    part = array[:count]
    return part if 10 * count >= 9 * len(array) else part.copy()


def _buckets(n: int, keys: int, bits: int) -> tuple[int, int]:
    """Rows of a bucket as a power of two, and how many buckets there are."""
    last = max(n, 1) - 1
    wanted = min(_MOST_BUCKETS, max(1, keys // _KEYS_PER_BUCKET))
    shift = 0
    while last >> shift >= wanted:
        shift += 1
    narrow = 32 - bits  # rows that leave keys 32 bits wide
    if narrow < shift and narrow >= 0 and last >> narrow < _MOST_SMALL_BUCKETS:
        shift = narrow
    return shift, (last >> shift) + 1


def _threads() -> int:
    from gunrock_cli.engine.cpu import default_threads

    return default_threads()


def _at(array: HostArray | None) -> ctypes.c_void_p:
    return ctypes.c_void_p(None if array is None else array.ctypes.data)


@cache
def _library() -> Any:
    """The compiled code, or None where there is no compiler or it fails."""
    from gunrock_cli.engine import host_compiler
    from gunrock_cli.engine.binaries import cached_binary

    path = kernels_dir() / "graph" / "csr.cpp"
    try:
        compiler = host_compiler.find_compiler()
        flags = host_compiler.host_flags(compiler)
        words = [host_compiler.compiler_version(compiler), *flags, _processor()]
        key = hashlib.sha256(path.read_bytes() + "\0".join(words).encode()).hexdigest()
        binary, _ = cached_binary(f"csr-{key}", ".so",
                                  lambda target: _compile(compiler, flags, path, target))
        library = ctypes.CDLL(str(binary))
    except (BackendError, OSError) as error:
        _log.debug("graphs are built by NumPy: %s", error)
        return None
    _declare(library)
    return library


def _declare(library: Any) -> None:
    pointer, number, wide = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
    library.gr_count_directed.restype = wide
    library.gr_count_directed.argtypes = [ctypes.c_int32, pointer, pointer, wide, number, number]
    library.gr_sort_edges.restype = wide
    library.gr_sort_edges.argtypes = [
        ctypes.c_int32, number, number, wide, number, number, number, pointer, pointer, pointer,
        wide, number, number, number, pointer, pointer, pointer, pointer, pointer]
    library.gr_emit.restype = None
    library.gr_emit.argtypes = [number, wide, number, number] + [pointer] * 5


def _compile(compiler: str, flags: tuple[str, ...], path: Path, target: Path) -> None:
    done = subprocess.run([compiler, *flags, str(path), "-o", str(target)], capture_output=True,
                          text=True, check=False, env={**os.environ, "LC_ALL": "C"})
    if done.returncode:
        raise BackendError(f"{compiler} refused {path}: {done.stderr.strip()}")


def _processor() -> str:
    from gunrock_cli.engine.cpu import processor_name

    return processor_name()
