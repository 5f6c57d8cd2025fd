"""Load the library of ``cpp/``, compiled once for this processor, and declare its functions."""

from __future__ import annotations

import ctypes
import logging
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gunrock_cli.errors import BackendError

if TYPE_CHECKING:
    from gunrock_cli.toolchain.host_code import HostSource

_log = logging.getLogger("gunrock")
_SOURCES = Path(__file__).with_name("cpp")
_I32, _I64, _POINTER = ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p


class Shape(ctypes.Structure):
    """``Shape`` of ``rows.hpp``."""

    _fields_ = (
        ("buckets", _I64),
        ("n", _I32),
        ("first_row", _I32),
        ("rows", _I32),
        ("first_column", _I32),
        ("columns", _I32),
        ("shift", _I32),
        ("bits", _I32),
        ("threads", _I32),
        ("parts", _I32),
        ("key_bytes", _I32),
        ("both", _I32),
        ("keep_loops", _I32),
        ("keep_duplicates", _I32),
        ("degree_bytes", _I32),
        ("heaviest", _I32),
    )


class RowsJob(ctypes.Structure):
    """``Rows`` of ``rows.hpp``."""

    _fields_ = (
        *(
            (name, _POINTER)
            for name in ("keys", "weights", "columns", "values", "places", "starts", "degrees")
        ),
        ("first", _I64),
        ("last", _I64),
        ("m", _I64),
    )


class FileJob(ctypes.Structure):
    """``MarketFile`` of ``market.hpp``."""

    _fields_ = (
        ("begin", _I64),
        ("end", _I64),
        ("count", _I64),
        ("done", _I64),
        ("descriptor", _I32),
        ("stop", _I32),
    )


class EdgeFileJob(ctypes.Structure):
    """``EdgeFile`` of ``edge_list.hpp``."""

    _fields_ = (
        ("file", FileJob),
        ("last", _I64),
        ("columns", _I32),
        ("fractional", _I32),
        ("wide", _I32),
    )


class DrawJob(ctypes.Structure):
    """``Drawn`` of ``drawn.hpp``."""

    _fields_ = (("count", _I64), ("done", _I64), ("turned", _I32), ("stop", _I32))


SIGNATURES: dict[str, list[Any]] = {
    "gr_count_arrays": [_POINTER, _POINTER, _I64],
    "gr_sort_arrays": [_POINTER, _POINTER, _POINTER, _I64, _I32],
    "gr_count_market": [_POINTER, _I32],
    "gr_sort_market": [_POINTER, _I32],
    "gr_look_at_list": [_POINTER],
    "gr_count_list": [_POINTER, _I32],
    "gr_sort_list": [_POINTER, _I32],
    "gr_count_drawn": [_I32, _POINTER, _POINTER],
    "gr_tally_drawn": [_I32, _POINTER, _POINTER],
    "gr_sort_drawn": [_I32, _POINTER, _POINTER],
}
"""The functions' arguments after their shape and their rows."""


@cache
def library() -> Any:
    """The compiled code, or None if there is no compiler or it fails."""
    try:
        found = host_source().code().load(lambda path: ctypes.CDLL(str(path))).code
    except (BackendError, OSError) as error:
        _log.debug("graphs are built by NumPy: %s", error)
        return None
    _declare(found)
    return found


def is_ready() -> bool:
    """True if the library need not be compiled, or nothing can compile it."""
    code = host_source().code()
    try:
        return code.is_ready() or not code.own()
    except (BackendError, OSError):
        return True


def host_source() -> HostSource:
    """What is compiled."""
    from gunrock_cli.toolchain.code import text_key
    from gunrock_cli.toolchain.host_code import HostSource

    main = _SOURCES / "csr.cpp"
    texts = "\0".join(path.read_text("utf-8") for path in sorted(_SOURCES.iterdir()))
    return HostSource("what builds graphs", text_key("csr", texts), f'#include "{main}"\n', main)


def _declare(code: Any) -> None:
    for name, arguments in SIGNATURES.items():
        function = getattr(code, name)
        function.restype, function.argtypes = _I64, [_POINTER, _POINTER, *arguments]
