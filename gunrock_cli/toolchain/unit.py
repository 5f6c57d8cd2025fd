"""Turn a primitive and its options into one translation unit and the key of its cached binary."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gunrock_cli.errors import BackendError
from gunrock_cli.resources import kernels_dir
from gunrock_cli.toolchain.declared import Declared, name_list


@dataclass(frozen=True)
class Unit:
    """A kernel file with the macros that specialize it. Hashable: equal sources, equal code."""

    path: Path
    defines: tuple[tuple[str, str], ...]
    constants: tuple[str, ...] = ()
    """Names of the kernel's own constants that the host asks for (engine/contract.py)."""

    @classmethod
    def of(cls, path: Path, defines: Mapping[str, str | int], constants: Iterable[str] = ()) -> Unit:
        if not path.is_file():
            raise BackendError(f"{path}: no such kernel")
        return cls(path, tuple(sorted((k, str(v)) for k, v in defines.items())), tuple(sorted(constants)))

    @property
    def label(self) -> str:
        """A name in words: "bfs", or "bfs (ahead)" if there are several kernels."""
        folder, name = self.path.parent, self.path.stem
        several = folder.parent == kernels_dir() / "primitives"
        return f"{folder.name} ({name})" if several else name

    @property
    def text(self) -> str:
        """The translation unit: the primitive, then the entry points. If the primitive leaves something
        open, the semicolon between them ends it, so that errors blame the primitive and not the entry
        points."""
        lines = [f"#define {name} {value}" for name, value in self.defines]
        lines += [*Declared.of(self.path).macros(), name_list("GR_CONSTANTS", self.constants)]
        return "\n".join([*lines, f'#include "{self._included}"', ";", '#include "core/entry.cuh"', ""])

    @property
    def _included(self) -> str:
        """The path as the include path finds it, as a cache of binaries may be moved to a machine whose
        kernels are elsewhere."""
        kernels = kernels_dir()
        return str(self.path.relative_to(kernels) if self.path.is_relative_to(kernels) else self.path)

    def key(self, *toolchain: str) -> str:
        """SHA-256 over the unit, every header that it includes or may include, and the toolchain's
        words."""
        digest = hashlib.sha256(headers_digest(kernels_dir()))
        for source in _sources(self.path):
            digest.update(source.read_bytes() + b"\0")
        for word in (self.text, *toolchain):
            digest.update(word.encode() + b"\0")
        return digest.hexdigest()


_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def _sources(unit: Path) -> list[Path]:
    """The unit's file and, for a user's unit, its own headers, included directly or indirectly."""
    if unit.is_relative_to(kernels_dir()):
        return [unit]
    found = [unit.resolve()]
    for source in found:  # grows meanwhile
        for name in _INCLUDE.findall(source.read_text(errors="replace")):
            header = (source.parent / name).resolve()
            if header.is_file() and header not in found:
                found.append(header)
    return found


@cache
def headers_digest(folder: Path) -> bytes:
    """SHA-256 over every header in a folder, by name."""
    digest = hashlib.sha256()
    for header in sorted(folder.rglob("*.cuh")):
        digest.update(str(header.relative_to(folder)).encode() + b"\0" + header.read_bytes())
    return digest.digest()
