"""The on-disk cache of compiled code, safe against concurrent processes and damage.

A file's name ends in the hash (XXH3-128) of its content, so an empty, truncated, overwritten or foreign
file is detected before it is loaded, and name and content appear in one step.
"""

from __future__ import annotations

import logging
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TypeVar

import xxhash

from gunrock_cli.cachefolder import CacheFolder
from gunrock_cli.errors import InputError
from gunrock_cli.files import atomic_write
from gunrock_cli.resources import cache_root

_log = logging.getLogger("gunrock")
_NAME = r"(?:[a-z]+-)?[0-9a-f]{64}(?:-[0-9a-f]{32})?(?:\.so|\.cubin)?"
"""Names of any version: older ones did not include the content's hash."""
_ELF = b"\x7fELF"
_making = threading.Lock()
Loaded = TypeVar("Loaded")


def binaries_dir() -> Path:
    """The folder of compiled code under the tool's cache folder."""
    return cache_root() / "kernels"


def binaries_folder() -> CacheFolder:
    """The folder of compiled code, and how its files are recognized."""
    return CacheFolder(binaries_dir(), _NAME, (_ELF,))


_listeners: list[Callable[[str], None]] = []


@contextmanager
def listening(tell: Callable[[str], None]) -> Iterator[None]:
    """Call ``tell`` with a description when a compilation begins, and with "" when it ends."""
    _listeners.append(tell)
    try:
        yield
    finally:
        _listeners.remove(tell)


@contextmanager
def _told(what: str) -> Iterator[None]:
    for tell in _listeners:
        tell(what)
    try:
        yield
    finally:
        for tell in _listeners:
            tell("")


def loaded_binary(
    key: str,
    suffix: str,
    build: Callable[[Path], None],
    load: Callable[[Path], Loaded],
    what: str = "code",
) -> tuple[Loaded, bool]:
    """Load the file for ``key`` with ``load``; return the result, and whether the file was built for this
    call. ``what`` describes it.

    A cached file that cannot be loaded is built again: its content is as written, but perhaps by another
    system that shares the cache. A file that others clear before it is loaded is also built again, at
    last in a place where no other process looks: however often they clear, this one gets on.
    """
    was_built = False
    for _ in range(2):
        path, built = cached_binary(key, suffix, build, what)
        was_built |= built
        try:
            return load(path), was_built
        except Exception as error:  # any exception of a driver's or a system's loader
            if built and path.exists():
                raise
            _log.warning("gunrock: building %s again: %s", path.name, error)
            path.unlink(missing_ok=True)
    with _told(what):
        return load(_built(key, suffix, build, folder=None)), True


def has_binary(key: str, suffix: str) -> bool:
    """True if there is a sound file for ``key``."""
    return _sound(binaries_dir(), key, suffix) is not None


def cached_binary(
    key: str, suffix: str, build: Callable[[Path], None], what: str = "code"
) -> tuple[Path, bool]:
    """The file for ``key``, built by ``build(path)`` if there is no sound one yet, and whether it was
    built. A cache that cannot be written costs a warning, not the run."""
    folder = binaries_folder()
    found = _sound(folder.path, key, suffix)
    if found is not None:
        return found, False
    with _told(what):
        return _built(key, suffix, build, None if _unwritable(folder.path) else folder), True


def _built(key: str, suffix: str, build: Callable[[Path], None], folder: CacheFolder | None) -> Path:
    """Build the file and put it into ``folder``, or, without one, keep it for this process."""
    own = _temporary_dir()
    handle, made = tempfile.mkstemp(suffix, "build-", own)
    os.close(handle)
    built = Path(made)
    try:
        begin = time.perf_counter()
        build(built)
        _log.debug("gunrock: built %s%s in %.2f s", key[:12], suffix, time.perf_counter() - begin)
        content = built.read_bytes()
        name = _full_name(key, suffix, content)
        if folder is not None and _keep(folder, name, content, os.access(built, os.X_OK)):
            return folder.path / name
        return built.replace(own / name)
    finally:
        built.unlink(missing_ok=True)


def _full_name(key: str, suffix: str, content: bytes) -> str:
    return f"{key}-{xxhash.xxh3_128_hexdigest(content)}{suffix}"


def _sound(folder: Path, key: str, suffix: str) -> Path | None:
    """A file for the key whose content matches its name, or None; others for the key are dropped."""
    try:
        names = [
            name
            for name in os.listdir(folder)  # a tenth of Path.glob's time among thousands
            if name.startswith(f"{key}-") and name.endswith(suffix)
        ]
        for path in (folder / name for name in sorted(names)):
            if path.name == _full_name(key, suffix, path.read_bytes()):
                return path
            _log.warning("gunrock: dropping damaged compiled code: %s", path)
            path.unlink(missing_ok=True)
    except OSError:  # cleared by another process meanwhile, or not ours to read
        pass
    return None


def _keep(folder: CacheFolder, name: str, content: bytes, executable: bool) -> bool:
    """Put a file into the cache; False, with a warning, if that fails."""
    folder.mark()
    try:
        with atomic_write(folder.path / name, 0o777 if executable else 0o666) as file:
            file.write(content)
    except InputError as error:
        _log.warning("gunrock: compiled code was not kept: %s", error)
        return False
    return True


def _unwritable(folder: Path) -> bool:
    """True, with a warning, if the folder cannot be written to; a missing folder is made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return False
        reason = "no permission"
    except OSError as error:
        reason = error.strerror or str(error)
    _say_unwritable(folder, reason)
    return True


@cache
def _say_unwritable(folder: Path, reason: str) -> None:
    """Warn only once, as a run has several kernels."""
    _log.warning(
        "gunrock: compiled kernels cannot be kept in %s (%s), so each process compiles them "
        "again; set GUNROCK_CACHE_DIR to a folder that can be written",
        folder,
        reason,
    )


@cache
def _temporary() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="gunrock-")


def _temporary_dir() -> Path:
    """A folder for this process only; it disappears with the process. Threads that ask first get the same
    one: of two, one would disappear at once."""
    with _making:
        return Path(_temporary().name)
