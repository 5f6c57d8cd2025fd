"""Read compiled output: kernels in a cubin or a library (ELF files), and their variables."""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from gunrock_cli.errors import BackendError

_SYMBOL_TABLES = (2, 11)  # SHT_SYMTAB, SHT_DYNSYM
_NO_BYTES = 8  # SHT_NOBITS
_SYMBOL = struct.Struct("<IBBHQQ")


@dataclass(frozen=True)
class Section:
    """A part of an ELF file."""

    name: str
    kind: int
    address: int
    data: bytes
    link: int


@dataclass(frozen=True)
class KernelCode:
    """One kernel; fields that only a GPU's code has are None on the host."""

    name: str
    registers: int | None
    spilled: int | None  # bytes stored and loaded
    shared: int | None  # bytes, not counting memory that the launch asks for
    code: int  # bytes of instructions
    digest: str  # of the instructions


def sections(elf: bytes) -> list[Section]:
    """The sections of a 64-bit file, in its order."""
    (table,) = struct.unpack_from("<Q", elf, 0x28)
    width, count, names_at = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQI", elf, table + i * width) for i in range(count)]
    names = headers[names_at][4]

    def text(at: int) -> str:
        return elf[names + at : elf.index(b"\0", names + at)].decode()

    return [
        Section(text(name), kind, address, b"" if kind == _NO_BYTES else elf[at : at + size], link)
        for name, kind, _, address, at, size, link in headers
    ]


def variable(elf: bytes, wanted: str) -> bytes:
    """The initial bytes of a variable, by its name."""
    parts = sections(elf)
    for table in parts:
        if table.kind not in _SYMBOL_TABLES:
            continue
        names = parts[table.link].data
        for name, _, _, place, address, size in _SYMBOL.iter_unpack(table.data):
            if names[name : names.index(b"\0", name)].decode() == wanted and 0 < place < len(parts):
                begin = address - parts[place].address
                return bytes(parts[place].data[begin : begin + size])
    raise BackendError(f"the compiled code has no variable {wanted}: it is none of this version's")


def gpu_kernels(cubin: bytes, log: str) -> list[KernelCode]:
    """A cubin's entry points by name; ``log`` is ptxas's output (``nvrtc.compile_verbosely``)."""
    code = {part.name[6:]: part.data for part in sections(cubin) if part.name.startswith(".text.gr_")}
    return sorted(_reported(code, log), key=lambda kernel: kernel.name)


def _reported(code: dict[str, bytes], log: str) -> Iterator[KernelCode]:
    for part in log.split("Compiling entry function '")[1:]:
        name = part.split("'")[0]
        if name not in code:
            continue
        used = re.search(r"Used (\d+) registers", part)
        shared = re.search(r"(\d+) bytes smem", part)
        spilled = sum(int(n) for n in re.findall(r"(\d+) bytes spill", part))
        yield KernelCode(
            name,
            int(used[1]) if used else 0,
            spilled,
            int(shared[1]) if shared else 0,
            len(code[name]),
            _digest(code[name]),
        )


def host_code(library: bytes) -> list[KernelCode]:
    """All instructions of a library as one: the compiler splits kernels as it likes."""
    text = next(part.data for part in sections(library) if part.name == ".text")
    return [KernelCode("all", None, None, None, len(text), _digest(text))]


def _digest(code: bytes) -> str:
    return hashlib.sha256(code).hexdigest()[:16]
