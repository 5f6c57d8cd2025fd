"""Read compiled code's description of itself (kernels/core/contract.cuh), and pack and read memory by it.

Python repeats no offset, type, size or number of the kernels: it asks for all by name, and a mismatch is
a one-line BackendError.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from gunrock_cli.errors import BackendError
from gunrock_cli.graph.model.graph import Array

SYMBOL, BYTES_SYMBOL = "gr_contract", "gr_contract_bytes"
"""The entries, and their size in bytes."""
_ENTRY = np.dtype(
    [
        ("scope", "S16"),
        ("name", "S48"),
        ("type", "S16"),
        ("place", np.uint64),
        ("value", np.int64),
        ("size", np.int64),
    ]
)
_POINTER = np.dtype(np.uint64)
_SCALARS: dict[str, np.dtype[Any]] = {
    "u8": np.dtype(np.uint8),
    "u16": np.dtype(np.uint16),
    "i32": np.dtype(np.int32),
    "u32": np.dtype(np.uint32),
    "i64": np.dtype(np.int64),
    "u64": np.dtype(np.uint64),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
}
_TYPES = "u8, u16, i32, u32, i64, u64, float, double, vertex_t, edge_t, item_t and weight_t"
PROBLEM = "Problem"


@dataclass(frozen=True)
class Member:
    """One member of a struct: its place, and the type that it holds or points to (``i32``, ``Csr``)."""

    name: str
    element: str
    pointer: bool
    offset: int
    size: int


class Contract:
    """Members of structs, struct sizes, enumerators and constants by name. ``kernel`` is for messages."""

    def __init__(self, data: bytes, kernel: str) -> None:
        self.kernel = kernel
        self._members: dict[str, list[Member]] = {}
        self._numbers: dict[str, dict[str, int]] = {}
        for row in np.frombuffer(data, _ENTRY):
            scope, name, kind = (row[key].decode() for key in ("scope", "name", "type"))
            if kind:
                self._members.setdefault(scope, []).append(
                    Member(
                        name, kind.rstrip("*"), kind.endswith("*"), int(row["place"]), int(row["size"])
                    )
                )
            else:
                self._numbers.setdefault(scope, {})[name] = int(row["value"])
        self._members.setdefault(PROBLEM, [])
        for member in self._members[PROBLEM]:
            if member.element not in _SCALARS:
                raise BackendError(
                    f"{kernel}: Problem.{member.name} has a type that the host cannot "
                    f"give; use {_TYPES}, or a pointer to one of them"
                )

    def members(self, struct: str = PROBLEM) -> list[Member]:
        """The members in the order of the source."""
        return self._members[struct]

    def member(self, struct: str, name: str) -> Member:
        """One member."""
        return next(member for member in self._members[struct] if member.name == name)

    def size(self, struct: str) -> int:
        """A struct's size in bytes."""
        return self._numbers["sizeof"][struct]

    def constant(self, name: str) -> int:
        """One of the kernels' constants."""
        return self._numbers["constant"][name]

    def enum(self, name: str) -> dict[str, int]:
        """Enumerators by name; empty if the kernel has no such enum."""
        return self._numbers.get(name, {})

    @cached_property
    def phases(self) -> dict[int, str]:
        """A trace's names for the phase numbers that the enactor reports: PHASE_NAME is "phase name"."""
        return {value: name.lower().replace("_", " ") for name, value in self.enum("Phase").items()}

    def phase(self, number: int) -> str:
        """The name of one phase."""
        if number not in self.phases:
            raise BackendError(
                f"{self.kernel}: ctx.show was given phase {number}, which enum Phase lacks; add it there"
            )
        return self.phases[number]

    def element(self, struct: str, name: str) -> np.dtype[Any]:
        """The type that a member consists of or points to."""
        return _SCALARS[self.member(struct, name).element]

    def dtype(self, struct: str) -> np.dtype[Any]:
        """The struct's dtype, as the compiler lays it out."""
        members = self.members(struct)
        layout: Any = {
            "names": [member.name for member in members],
            "formats": [self._format(member) for member in members],
            "offsets": [member.offset for member in members],
            "itemsize": self.size(struct),
        }
        found: np.dtype[Any] = np.dtype(layout)
        return found

    def _format(self, member: Member) -> Any:
        if member.pointer:
            return _POINTER
        one = _SCALARS.get(member.element)
        if one is None:
            one = self.dtype(member.element)
        return one if member.size == one.itemsize else (one, member.size // one.itemsize)

    def check_complete(self) -> None:
        """Check that the members of the Problem account for all of its bytes."""
        end, widest = 0, 1
        for member in self.members():
            align = _POINTER.itemsize if member.pointer else _SCALARS[member.element].itemsize
            if member.offset != -(-end // align) * align:
                raise BackendError(
                    f"{self.kernel}: what lies before Problem.{member.name} is not "
                    "known; declare one member per line, as 'type name;'"
                )
            end, widest = member.offset + member.size, max(widest, align)
        if self.size(PROBLEM) != max(1, -(-end // widest) * widest):
            raise BackendError(
                f"{self.kernel}: the Problem has {self.size(PROBLEM)} bytes, its members "
                f"end at {end}; declare one member per line, as 'type name;'"
            )

    def check_constants(self, expected: Mapping[str, int], primitive: str) -> None:
        """Check that the kernel's constants have the values that the Python side expects."""
        for name, value in expected.items():
            found = self.constant(name)
            if (found - value) % 2**64:  # unsigned words come as signed ones
                raise BackendError(
                    f"{self.kernel}: {name} is {found}, and constants() of {primitive} "
                    f"says {value}; make them the same"
                )

    def pack(self, struct: str, target: Any, values: Mapping[str, Any]) -> None:
        """Write arrays and numbers by name into a struct; every member must be given, and no other."""
        known = {member.name for member in self.members(struct)}
        if missing := sorted(known - set(values)):
            raise BackendError(f"{self.kernel}: {struct} needs {', '.join(missing)}; {_remedy(struct)}")
        if extra := sorted(set(values) - known):
            raise BackendError(
                f"{self.kernel}: {struct} has no member {', '.join(extra)}; it has "
                f"{', '.join(member.name for member in self.members(struct)) or 'none'}"
            )
        for member in self.members(struct):
            self._pack_member(struct, member, target, values[member.name])

    def pack_again(
        self, struct: str, target: Any, values: Mapping[str, Any], packed: Mapping[str, Any]
    ) -> None:
        """Pack a struct again, given the values packed last (``packed``), whose arrays are still alive:
        an object that is already in its place is not examined again."""
        if values.keys() != packed.keys():
            self.pack(struct, target, values)
            return
        for name, value in values.items():
            if value is not packed[name]:
                self._pack_member(struct, self.member(struct, name), target, value)

    def _pack_member(self, struct: str, member: Member, target: Any, value: Any) -> None:
        if member.pointer:
            self._check_array(struct, member, value)
            value = pointer_of(value)
        elif getattr(value, "ndim", 0) > 0 or value is None:
            raise BackendError(
                f"{self.kernel}: {struct}.{member.name} is a {member.element}, no pointer; give a number"
            )
        target[member.name] = value

    def _check_array(self, struct: str, member: Member, value: Any) -> None:
        if value is None:
            return
        what = f"{self.kernel}: {struct}.{member.name} is {member.element}*"
        wanted = _SCALARS[member.element]
        if getattr(value, "ndim", 0) == 0:
            raise BackendError(f"{what}; give an array of {wanted}, or None")
        if value.dtype != wanted:
            raise BackendError(f"{what}, not {value.dtype}; give an array of {wanted}")
        if not value.flags.c_contiguous:
            raise BackendError(f"{what}, and must be contiguous; give a copy")


@lru_cache(64)
def contract_of(data: bytes, kernel: str) -> Contract:
    """Read a contract, once for all programs that run the same code."""
    return Contract(data, kernel)


def _remedy(struct: str) -> str:
    return "problem() has to return them" if struct == PROBLEM else "they have to be packed"


def pointer_of(array: Array | None) -> int:
    """The address of a NumPy or CuPy array's data; 0 for None."""
    if array is None:
        return 0
    if isinstance(array, np.ndarray):
        return int(array.ctypes.data)
    return int(array.data.ptr)
