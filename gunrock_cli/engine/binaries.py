"""The on-disk cache of compiled kernels, safe with several processes at once."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from gunrock_cli.resources import cache_root

_log = logging.getLogger("gunrock")


def binaries_dir() -> Path:
    """Folder of compiled kernels under the tool's cache folder."""
    return cache_root() / "kernels"


@cache
def _temporary_dir() -> tempfile.TemporaryDirectory[str]:
    """For this process only; goes with it."""
    return tempfile.TemporaryDirectory(prefix="gunrock-")


def _writable(folder: Path) -> Path:
    """The folder, or where nothing can be written there a temporary one, with a warning."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
        reason = "no permission"
    except OSError as error:
        reason = error.strerror or str(error)
    _log.warning("gunrock: compiled kernels cannot be kept in %s (%s), so each process compiles them "
                 "again; set GUNROCK_CACHE_DIR to a folder that can be written", folder, reason)
    return Path(_temporary_dir().name)


def cached_binary(key: str, suffix: str, build: Callable[[Path], None]) -> tuple[Path, bool]:
    """The file for ``key``, built by ``build(path)`` where it is not there yet; and whether it was.

    The build writes a temporary file that is renamed when complete, so that a reader never sees a
    half-written binary and the last of two simultaneous builders wins with equal content.
    """
    folder = binaries_dir()
    target = folder / f"{key}{suffix}"
    if target.exists():
        return target, False
    folder = _writable(folder)
    target = folder / target.name
    handle, name = tempfile.mkstemp(suffix=suffix, prefix="build-", dir=folder)
    os.close(handle)
    try:
        build(Path(name))
        os.replace(name, target)
    finally:
        Path(name).unlink(missing_ok=True)
    return target, True
