"""The memory layout that host and kernels share, as NumPy dtypes.

The structs of ``kernels/`` are the truth: the members of a primitive's ``Problem`` are read from its
source, and every size is compared with what the compiler reports (``gr_layout``) when the code is
loaded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gunrock_cli.errors import BackendError

STATUS_RUNNING, STATUS_DONE, STATUS_OVERFLOW, STATUS_STEP_LIMIT, STATUS_LONE_OVERFLOW, \
    STATUS_TOO_MANY_EDGES, STATUS_INTERRUPTED = range(7)

WORDS = 9
"""Of ``gr_layout``: six sizes, and these."""
SHARED_BYTES, BLOCK, EDGE_BITS = 6, 7, 8

_POINTER = np.dtype(np.uint64)
CSR = np.dtype(
    [("row_offsets", _POINTER), ("column_indices", _POINTER), ("values", _POINTER),
     ("max_degree", np.int64)], align=True
)
GRAPH = np.dtype(
    [("n", np.int64), ("m", np.int64), ("csr", CSR), ("reverse", CSR)], align=True
)
QUEUE = np.dtype(
    [("items", _POINTER), ("scan", _POINTER), ("rows", _POINTER), ("capacity", np.uint64)],
    align=True,
)
WORKSPACE = np.dtype(
    [
        ("even", QUEUE),
        ("odd", QUEUE),
        ("control", _POINTER),
        ("trace", _POINTER),
        ("trace_capacity", np.int64),
        ("lb_threshold", np.int64),
        ("max_steps", np.int64),
        ("lone_blocks", np.int64),
    ],
    align=True,
)
CONTROL = np.dtype(
    [
        ("tails", np.uint64, 6),
        ("barrier", np.uint32),
        ("status", np.int32),
        ("needed", np.uint64),
        ("steps", np.uint64),
        ("end_ns", np.uint64),
        ("trace_rows", np.uint64),
        ("inspected", np.uint64),
        ("stop", np.uint64),
        ("counters", np.uint64, 8),
        ("state", np.uint64, (2, 16)),
    ],
    align=True,
)
TRACE_ROW = np.dtype(
    [
        ("time_ns", np.uint64),
        ("phase", np.int32),
        ("iteration", np.int32),
        ("count", np.int64),
        ("edges", np.int64),
        ("alone", np.int32),
        ("mode", np.int32),
    ],
    align=True,
)


@dataclass(frozen=True)
class Types:
    """Index and weight types of one compilation."""

    edge: np.dtype[Any]
    weight: np.dtype[Any]
    item: np.dtype[Any]

    def dtype(self, name: str) -> np.dtype[Any]:
        """The NumPy dtype of a C++ type name used in a Problem; KeyError for any other."""
        known: dict[str, np.dtype[Any]] = {
            "i32": np.dtype(np.int32),
            "u32": np.dtype(np.uint32),
            "i64": np.dtype(np.int64),
            "u64": np.dtype(np.uint64),
            "int": np.dtype(np.int32),
            "float": np.dtype(np.float32),
            "double": np.dtype(np.float64),
            "vertex_t": np.dtype(np.int32),
            "edge_t": self.edge,
            "item_t": self.item,
            "weight_t": self.weight,
        }
        return known[name]


@dataclass(frozen=True)
class Member:
    """One member of a Problem: ``type name`` or ``type* name``."""

    name: str
    type_name: str
    pointer: bool


_STRUCT = re.compile(r"struct\s+Problem\s*\{(.*?)\n\};", re.DOTALL)
_MEMBER = re.compile(r"^(?:const\s+)?(\w+)\s*(\*?)\s*(\w+)$")


def problem_members(source: str, path: str) -> list[Member]:
    """The members of ``struct Problem`` in a primitive's source, one plain declaration each."""
    struct = _STRUCT.search(source)
    if struct is None:
        raise BackendError(f"{path}: no 'struct Problem {{ ... }};' with one member a line")
    body = re.sub(r"//[^\n]*", "", struct.group(1))
    members = []
    for statement in filter(None, (part.strip() for part in body.split(";"))):
        match = _MEMBER.match(statement)
        if match is None:
            raise BackendError(f"{path}: cannot read the Problem member '{statement}'")
        members.append(Member(match[3], match[1], bool(match[2])))
    return members


def problem_dtype(members: list[Member], types: Types) -> np.dtype[Any]:
    """The struct's layout by C++ rules."""
    fields: list[tuple[str, Any]] = [
        (m.name, _POINTER if m.pointer else types.dtype(m.type_name)) for m in members
    ]
    return np.dtype(fields or [("unused", np.uint8)], align=True)


def pointer_of(array: Any) -> int:
    """The address of a NumPy or CuPy array's data; 0 for None."""
    if array is None:
        return 0
    if isinstance(array, np.ndarray):
        return int(array.ctypes.data)
    return int(array.data.ptr)


def pack_problem(members: list[Member], types: Types,
                 values: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    """A Problem's bytes from arrays and scalars by name; every member must be given, no other may."""
    known = {m.name for m in members}
    if missing := sorted(known - set(values)):
        raise BackendError(f"the Problem needs {', '.join(missing)}")
    if extra := sorted(set(values) - known):
        raise BackendError(f"the Problem has no member {', '.join(extra)}")
    packed = np.zeros((), problem_dtype(members, types))
    for m in members:
        value = values[m.name]
        if not m.pointer:
            packed[m.name] = value
            continue
        if value is not None:
            if value.dtype != types.dtype(m.type_name):
                raise BackendError(f"Problem.{m.name} is {m.type_name}*, not {value.dtype}")
            if not value.flags.c_contiguous:
                raise BackendError(f"Problem.{m.name} must be contiguous")
        packed[m.name] = pointer_of(value)
    return packed


def arguments_dtype(problem: np.dtype[Any]) -> np.dtype[Any]:
    """``Arguments<Problem>`` of kernels/core/enactor.cuh."""
    return np.dtype([("graph", GRAPH), ("workspace", WORKSPACE), ("problem", problem)], align=True)
