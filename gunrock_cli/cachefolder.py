"""Folders of the cache, and the files in them that the tool wrote, and so may delete.

``$GUNROCK_CACHE_DIR`` can be any folder, with the user's files in it. Ours are recognized by their names
(hexadecimal digits of a hash, see each cache) and by the marker that a folder gets when it is new; in a
folder without a marker, filled by an older version or by others, also by their first bytes.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gunrock_cli.errors import InputError
from gunrock_cli.files import atomic_write

MARKER = "CACHEDIR.TAG"
_MARKER_TEXT = (
    b"Signature: 8a477f597d28d172789f06886806bc55\n"
    b"# Made by gunrock, which deletes what it wrote here: gunrock cache clear.\n"
    b"# See https://bford.info/cachedir/\n"
)
_ABANDONED = 3600.0  # seconds after which no writer still uses a temporary file


@dataclass(frozen=True)
class CacheFolder:
    """``name`` is the pattern of its files' names (a regular expression), ``begin`` the files' first
    bytes; if it is empty, files count as ours only in a marked folder."""

    path: Path
    name: str
    begin: tuple[bytes, ...]

    def mark(self) -> None:
        """Mark an empty folder as ours; to be called before the first file."""
        with suppress(OSError, InputError):  # writing the file itself will report it
            self.path.mkdir(parents=True, exist_ok=True)
            if all(self._is_part(path.name) for path in self.path.iterdir()):
                with atomic_write(self.path / MARKER) as file:
                    file.write(_MARKER_TEXT)

    def files(self) -> Iterator[Path]:
        """The files that the tool wrote and finished. Links are not followed."""
        with suppress(OSError):
            for path in sorted(self._regular()):
                if re.fullmatch(self.name, path.name) and (self._is_marked() or self._is_ours(path)):
                    yield path

    def abandoned(self) -> Iterator[Path]:
        """Files that a killed writer left behind (see ``atomic_write``)."""
        with suppress(OSError):
            for path in self._regular():
                if self._is_part(path.name):
                    with suppress(OSError):
                        if time.time() - path.stat().st_mtime > _ABANDONED:
                            yield path

    def _is_part(self, name: str) -> bool:
        return re.fullmatch(rf"\.(?:{self.name}|{MARKER})\.[a-z0-9_]{{8}}\.part", name) is not None

    def _regular(self) -> list[Path]:
        if self.path.is_symlink() or not self.path.is_dir():
            return []
        return [path for path in self.path.iterdir() if path.is_file() and not path.is_symlink()]

    def _is_marked(self) -> bool:
        try:
            return (self.path / MARKER).read_bytes() == _MARKER_TEXT
        except OSError:
            return False

    def _is_ours(self, path: Path) -> bool:
        try:
            with path.open("rb") as file:
                return file.read(max(map(len, self.begin), default=0)).startswith(self.begin)
        except OSError:
            return False


def size(paths: Iterable[Path]) -> int:
    """The total number of bytes."""
    total = 0
    for path in paths:
        with suppress(OSError):  # deleted meanwhile
            total += path.stat().st_size
    return total


def delete(paths: Iterable[Path]) -> tuple[int, int]:
    """Delete files; returns the number and bytes of those that were still there."""
    count = freed = 0
    for path in list(paths):
        with suppress(FileNotFoundError):
            length = path.lstat().st_size
            path.unlink()
            count, freed = count + 1, freed + length
    return count, freed
