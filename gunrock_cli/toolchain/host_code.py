"""Code for this machine's processor, or for any of a level."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gunrock_cli.toolchain import host_compiler
from gunrock_cli.toolchain.carried import Archive, archive_for
from gunrock_cli.toolchain.code import Code
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

    def portable_code(self, level: str) -> Code:
        """The library for all processors of a level, as a package carries it."""
        return Code(
            f"{self.what} for {level}",
            _SUFFIX,
            self.key,
            lambda: host_compiler.portable_toolchain(level),
            lambda target: host_compiler.compile_portably(self.text, self.path, target, level),
        )


def carried_here() -> Archive | None:
    """The archive that the package carries for this processor."""
    found = level()
    return archive_for(found) if found else None
