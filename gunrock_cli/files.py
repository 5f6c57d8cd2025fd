"""Write files that a reader never sees half of, and add lines completely or not at all.

When one of these functions returns, its data is on disk. When it raises, the error is one line that names
the path, and the file is as it was.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from gunrock_cli.errors import InputError

_PROBE = 4096  # bytes that must find room before anything is written later


@contextmanager
def atomic_write(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """A binary file that appears at ``path`` only if the block ends well.

    The data goes to a temporary file in the same folder, is flushed to disk and then renamed; a device or
    a pipe gets it directly. A full disk and the like become an InputError that names the path. ``mode``
    is the permissions, reduced by the umask.
    """
    try:
        if is_stream(path):
            with path.open("wb") as file:
                yield file
            return
        target, handle, temporary = _temporary(path)
    except OSError as error:
        raise write_error(path, error) from error
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            _settle(file, mode, temporary)
        os.replace(temporary, target)
        sync_folder(target.parent)
    except OSError as error:
        raise write_error(path, error) from error
    finally:
        Path(temporary).unlink(missing_ok=True)


@contextmanager
def atomic_write_all(paths: Sequence[Path], mode: int = 0o666) -> Iterator[list[BinaryIO]]:
    """Files that belong together, as from ``atomic_write``: they appear when all of them are on disk, the
    first one last. If one cannot be renamed to its name, those already renamed are undone."""
    if len(paths) == 1:
        with atomic_write(paths[0], mode) as file:
            yield [file]
        return
    for path in paths:
        if is_stream(path):
            raise InputError("several files cannot be written to a device", path=str(path))
    names: dict[str, Path] = {}
    try:
        with ExitStack() as stack:
            files: list[BinaryIO] = []
            for path in paths:
                target, handle, temporary = _temporary(path)
                names[temporary] = target
                files.append(stack.enter_context(os.fdopen(handle, "wb")))
            yield files
            for file, temporary in zip(files, names, strict=True):
                _settle(file, mode, temporary)
        _take_names(names)
    except OSError as error:
        raise write_error(paths[0], error) from error
    finally:
        for temporary in names:
            Path(temporary).unlink(missing_ok=True)


def append_lines(path: Path, lines: bytes) -> None:
    """Add whole lines to a file, creating it and its folder: all of them, or none.

    A torn last line, left by a killed writer, is ended first. Writers wait for each other. Raises
    InputError.
    """
    try:
        if is_stream(path):
            with path.open("ab", buffering=0) as stream:
                write_all(stream, lines)
            return
        with locked(path) as file:
            length = file.seek(0, os.SEEK_END)
            try:
                write_all(file, b"\n" + lines if _is_torn(file, length) else lines)
                os.fsync(file.fileno())
            except BaseException:
                os.ftruncate(file.fileno(), length)
                raise
            if length == 0:
                sync_folder(path.parent)
    except OSError as error:
        raise write_error(path, error, "nothing was added") from error


def end_torn_line(path: Path) -> bool:
    """End a last line that its writer left torn; return whether there was one."""
    if not path.is_file():
        return False
    try:
        with locked(path) as file:
            torn = _is_torn(file, file.seek(0, os.SEEK_END))
            if torn:
                write_all(file, b"\n")
                os.fsync(file.fileno())
            return torn
    except OSError as error:
        raise write_error(path, error) from error


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def locked(path: Path) -> Iterator[BinaryIO]:
    """Lock and open a file for reading and appending; other users of this function wait."""
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        with path.open("ab+", buffering=0) as file:
            with suppress(OSError):  # a file system without locks
                fcntl.flock(file, fcntl.LOCK_EX)
            try:
                current = os.path.samestat(os.fstat(file.fileno()), os.stat(path))
            except FileNotFoundError:
                current = False
            if current:  # and not replaced by another writer meanwhile
                yield file
                return


def check_writable(path: Path, *, append: bool = False, make_folder: bool = False) -> None:
    """Raise InputError if ``path`` cannot be written, before the work for it is done.

    ``append``: to the existing file, instead of replacing it. ``make_folder`` makes the folder; otherwise
    a missing folder is refused.
    """
    try:
        if make_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise InputError("cannot be written: it is a folder", path=str(path))
        if is_stream(path):
            _check_stream(path)
            return
        folder = Path(os.path.realpath(path)).parent
        if not folder.is_dir():
            raise InputError(f"cannot be written (no folder {path.parent})", path=str(path))
        if append and path.exists() and not os.access(path, os.R_OK | os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            write_all(file, bytes(_PROBE))
    except OSError as error:
        raise write_error(path, error) from error


def check_folder(folder: Path) -> None:
    """Make a folder that files will be written to; InputError if that is impossible."""
    try:
        check_writable(folder / "file", make_folder=True)
    except InputError as error:
        if isinstance(error.__cause__, OSError):
            raise write_error(folder, error.__cause__) from error
        raise


def sync_folder(folder: Path) -> None:
    """Flush the names in a folder to disk, if the file system can be asked to."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_all(file: BinaryIO, data: bytes) -> None:
    """Write all data: a disk that fills up takes a part before it reports that."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def write_error(path: Path, error: OSError, left: str = "nothing was left there") -> InputError:
    """The reason why a file could not be written, in one line; ``left``: the state of the file."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return InputError(f"the disk is full; {left}", path=str(path))
    return InputError(f"cannot be written: {error.strerror or error}", path=str(path))


def _temporary(path: Path) -> tuple[Path, int, str]:
    """The place of a file (a link stays one), and an open file next to it: descriptor, name."""
    target = Path(os.path.realpath(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{target.name[:100]}."
    try:  # without a name until it is whole, so that a killed writer leaves nothing
        handle = os.open(target.parent, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except (AttributeError, OSError):  # a system that cannot do this; other errors come again
        return target, *tempfile.mkstemp(prefix=prefix, suffix=".part", dir=target.parent)
    return target, handle, str(target.parent / f"{prefix}{secrets.token_hex(4)}.part")


def _settle(file: BinaryIO, mode: int, temporary: str) -> None:
    """Flush a temporary file to disk, with its final permissions and under its name."""
    file.flush()
    os.fchmod(file.fileno(), mode & ~_umask())
    if os.fstat(file.fileno()).st_nlink == 0:
        _take_name(file, temporary)
    os.fsync(file.fileno())


def _take_name(file: BinaryIO, temporary: str) -> None:
    """Give a nameless file a name; if the system refuses that, copy it."""
    unnamed = f"/proc/self/fd/{file.fileno()}"
    try:
        os.link(unnamed, temporary, src_dir_fd=0)  # by linkat, which follows links
    except OSError:
        with open(unnamed, "rb") as whole, open(temporary, "xb") as copy:
            shutil.copyfileobj(whole, copy)
            os.fchmod(copy.fileno(), os.fstat(file.fileno()).st_mode & 0o777)
            copy.flush()
            os.fsync(copy.fileno())


def _take_names(names: dict[str, Path]) -> None:
    """Rename files, the first one last: all or (unless killed in between) none."""
    kept = {target: Path(f"{temporary}.old") for temporary, target in names.items()}
    taken: list[Path] = []
    try:
        for temporary, target in reversed(names.items()):
            _keep(target, kept[target])
            os.replace(temporary, target)
            taken.append(target)
        for folder in {target.parent for target in taken}:
            sync_folder(folder)
    except BaseException:
        for target in taken:
            with suppress(OSError):
                os.replace(kept[target], target) if kept[target].exists() else target.unlink()
        raise
    finally:
        for old in kept.values():
            old.unlink(missing_ok=True)


def _keep(path: Path, name: Path) -> None:
    """Give a file that is about to be replaced a second name, or a copy if links are refused."""
    if path.is_file():
        try:
            os.link(path, name)
        except OSError:
            shutil.copyfile(path, name)


def is_stream(path: Path) -> bool:
    """True if there is no file to replace: a device, a pipe, an open descriptor by its name."""
    if path.exists() and not path.is_file():
        return not path.is_dir()
    folder = os.path.realpath(path.parent)
    return folder == "/dev" or folder.startswith("/proc/")


def _check_stream(path: Path) -> None:
    if path.is_fifo():  # opening it would mean something to its reader
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NOCTTY)
    try:
        os.write(handle, b"")  # /dev/full refuses even that
    finally:
        os.close(handle)


def _is_torn(file: BinaryIO, length: int) -> bool:
    return length > 0 and os.pread(file.fileno(), 1, length - 1) != b"\n"


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
