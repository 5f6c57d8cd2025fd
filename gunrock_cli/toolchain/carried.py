"""Compiled code that the package carries, if it was installed from a wheel with any.

There is an archive of binaries for each target (a GPU's architecture, a processor's level), and a note of
its SHA-256 next to it. A binary's name is its key (``code.py``), so that one is found only if the same
sources would be compiled with the same options.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from gunrock_cli.files import atomic_write
from gunrock_cli.resources import carried_dir

if TYPE_CHECKING:
    import zipfile

_log = logging.getLogger("gunrock")
_NOTE, _ARCHIVE = ".json", ".zip"
_FIELDS = {"target": str, "compiler": str, "kernels": int, "sha256": str}


@dataclass(frozen=True)
class Archive:
    """The binaries for a target: their number, and the compiler that made them."""

    target: str
    compiler: str
    kernels: int
    sha256: str
    folder: Path

    @property
    def path(self) -> Path:
        """The archive's file."""
        return self.folder / f"{self.target}{_ARCHIVE}"

    @property
    def made_by(self) -> str:
        """The compiler's name and version."""
        return f"NVRTC {self.compiler}" if self.target.startswith("sm_") else self.compiler

    def holds(self, name: str) -> bool:
        """True if there is a binary of this name; False for all if the archive is refused."""
        found = _opened(self)
        return found is not None and name in found.namelist()

    def unpack(self, name: str, target: Path) -> None:
        """Write a binary that it holds to a file."""
        found = _opened(self)
        assert found is not None, "refused"
        target.write_bytes(found.read(name))


def carries() -> bool:
    """True if the package was built with compiled code."""
    return carried_dir().is_dir()


def archive_for(target: str) -> Archive | None:
    """The archive for a target, if the package carries one."""
    return _noted(carried_dir(), target)


def archives() -> list[Archive]:
    """All that the package carries, usable here or not."""
    noted = (_noted(carried_dir(), note.stem) for note in sorted(carried_dir().glob(f"*{_NOTE}")))
    return [archive for archive in noted if archive is not None]


def is_sound(archive: Archive) -> bool:
    """True if an archive is as it was noted; otherwise it is refused, with a warning."""
    return _opened(archive) is not None


def write_archive(folder: Path, target: str, compiler: str, binaries: Mapping[str, bytes]) -> Archive:
    """Write an archive and its note. Equal binaries make an equal file."""
    import zipfile

    made = BytesIO()
    with zipfile.ZipFile(made, "w") as pack:
        for name in sorted(binaries):
            pack.writestr(zipfile.ZipInfo(name), binaries[name], zipfile.ZIP_DEFLATED, 9)
    content = made.getvalue()
    archive = Archive(target, compiler, len(binaries), hashlib.sha256(content).hexdigest(), folder)
    note = {name: getattr(archive, name) for name in _FIELDS}
    for path, data in ((archive.path, content), (folder / f"{target}{_NOTE}", json.dumps(note).encode())):
        with atomic_write(path) as file:
            file.write(data)
    return archive


@cache
def _noted(folder: Path, target: str) -> Archive | None:
    note = folder / f"{target}{_NOTE}"
    try:
        found = json.loads(note.read_bytes())
        types = {name: type(value) for name, value in found.items()}
        if found["target"] != target or types != _FIELDS:
            raise ValueError("not a note")
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        _refuse(note, "it is damaged")
        return None
    return Archive(**found, folder=folder)


@cache
def _opened(archive: Archive) -> zipfile.ZipFile | None:
    """The archive, if it is the one that was noted; otherwise None, with a warning."""
    import zipfile  # here, as most runs find all in the cache

    try:
        content = archive.path.read_bytes()
        if hashlib.sha256(content).hexdigest() == archive.sha256:
            return zipfile.ZipFile(BytesIO(content))
        _refuse(archive.path, "its SHA-256 is not the noted one")
    except OSError as error:
        _refuse(archive.path, error.strerror or str(error))
    except zipfile.BadZipFile as error:
        _refuse(archive.path, str(error))
    return None


def _refuse(path: Path, reason: str) -> None:
    _log.warning("gunrock: not using %s: %s; install the package again", path, reason)
