"""Code that is compiled once: by this machine, or when the package was built."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

from gunrock_cli.errors import BackendError
from gunrock_cli.toolchain.binaries import cached_binary, has_binary, loaded_binary
from gunrock_cli.toolchain.carried import Archive, carries

_log = logging.getLogger("gunrock")
_unloadable: set[Archive] = set()
_told = {"compiling": False}
Loaded = TypeVar("Loaded")


def text_key(kind: str, text: str) -> Callable[..., str]:
    """The key of code that is all in a text, for ``Code``; ``kind`` begins the name."""

    def key(*toolchain: str) -> str:
        return f"{kind}-{hashlib.sha256(chr(0).join((text, *toolchain)).encode()).hexdigest()}"

    return key


@dataclass(frozen=True)
class Made(Generic[Loaded]):
    """Loaded code, and the archive that it came from, if this machine did not compile it."""

    code: Loaded
    archive: Archive | None


@dataclass(frozen=True)
class Code:
    """One binary. ``key`` makes its name from words for a toolchain. ``own`` gives the words for this
    machine's (BackendError if it has none), with which ``build`` compiles to a file. ``carried`` are the
    words for the toolchain of the ``archive`` for this machine, if there is one."""

    what: str
    suffix: str
    key: Callable[..., str]
    own: Callable[[], tuple[str, ...]]
    build: Callable[[Path], None]
    archive: Archive | None = None
    carried: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the binary that this machine compiles."""
        return self.key(*self.own())

    @property
    def identity(self) -> tuple[str, str]:
        """Equal for code of which the same binary is loaded."""
        return self._own_name(), self.key(*self.carried)

    def is_compiled(self) -> bool:
        """True if the cache has the binary that this machine compiles."""
        name = self._own_name()
        return bool(name) and has_binary(name, self.suffix)

    def is_ready(self) -> bool:
        """True if nothing has to be compiled to load it."""
        return self.is_compiled() or bool(self._carried_name())

    def prepare(self) -> Path:
        """The binary's place in the cache; it is compiled unless it is there."""
        return cached_binary(self.name, self.suffix, self.build, self.what)[0]

    def load(self, load: Callable[[Path], Loaded]) -> Made[Loaded]:
        """Load the binary with ``load``: the one that this machine has compiled, or else the one that the
        package carries, or else compile it."""
        if carries() and not self.is_compiled():
            found = self._load_carried(load)
            if found is not None:
                return found
            self._say_compiling()
        return Made(loaded_binary(self.name, self.suffix, self.build, load, self.what)[0], None)

    def _load_carried(self, load: Callable[[Path], Loaded]) -> Made[Loaded] | None:
        name = self._carried_name()
        if name is None or self.archive is None:
            return None
        unpack = partial(self.archive.unpack, name + self.suffix)
        try:
            return Made(loaded_binary(name, self.suffix, unpack, load, self.what)[0], self.archive)
        except Exception as error:  # any exception of a driver's or a system's loader
            _unloadable.add(self.archive)
            _log.warning("gunrock: %s cannot be loaded here: %s", self.archive.path, error)
            return None

    def _own_name(self) -> str:
        """``name``, or "" without a compiler."""
        try:
            return self.name
        except BackendError:
            return ""

    def _carried_name(self) -> str | None:
        """The name of the carried binary, if there is one that can be loaded."""
        if self.archive is None or self.archive in _unloadable:
            return None
        name = self.key(*self.carried)
        held = has_binary(name, self.suffix) or self.archive.holds(name + self.suffix)
        return name if held else None

    def _say_compiling(self) -> None:
        """Say, the first time in this process, that compiling takes time; BackendError if nothing can."""
        try:
            self.own()
        except BackendError as error:
            raise BackendError(f"{error} (for {self.what}, which the package does not carry)") from None
        if not _told["compiling"]:
            _log.warning("gunrock: compiling %s, which the package does not carry", self.what)
        _told["compiling"] = True
