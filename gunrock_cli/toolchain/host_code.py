"""Code for this machine's processor, or for any of a level."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gunrock_cli.toolchain import host_compiler
from gunrock_cli.toolchain.carried import Archive, archive_for
from gunrock_cli.toolchain.code import Code
from gunrock_cli.toolchain.openmp import has_openmp
from gunrock_cli.toolchain.processor import level

_SUFFIX = ".so"


@dataclass(frozen=True)
class HostSource:
    """A text with the main file ``path``, of which shared libraries are compiled; ``key`` is as in
    ``Code``."""

    what: str
    key: Callable[..., str]
    text: str
    path: Path

    def code(self, flags: tuple[str, ...] = ()) -> Code:
        """The library for this processor. The package may carry one without further ``flags``."""
        archive = None if flags or os.environ.get("GUNROCK_CXXFLAGS") else carried_here()
        return Code(
            f"{self.what} for this processor",
            _SUFFIX,
            self.key,
            lambda: host_compiler.toolchain(flags),
            lambda target: host_compiler.compile_shared(self.text, self.path, target, *flags),
            archive,
            (archive.compiler, *host_compiler.portable_flags(archive.target)) if archive else (),
        )

    def portable_code(self, machines: str) -> Code:
        """The library for other machines (``host_compiler.portable_flags``), as a package carries it."""
        return Code(
            f"{self.what} for {machines}",
            _SUFFIX,
            self.key,
            lambda: host_compiler.portable_toolchain(machines),
            lambda target: host_compiler.compile_portably(self.text, self.path, target, machines),
        )


def carried_here() -> Archive | None:
    """The archive that the package carries for this machine: with OpenMP, if it has that."""
    found = level()
    if found is None:
        return None
    with_openmp = archive_for(found + host_compiler.WITH_OPENMP)
    return with_openmp if with_openmp and has_openmp() else archive_for(found)
