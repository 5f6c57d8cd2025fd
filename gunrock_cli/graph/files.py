"""Writing files so that a reader never sees half of one."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from gunrock_cli.errors import InputError


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """A binary file that appears at ``path`` when the block ends well, and never otherwise.

    The data goes to a temporary file in the same folder, is flushed to the disk and then renamed.
    A full disk and the like become an InputError that names the path.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part",
                                             dir=path.parent)
    except OSError as error:
        raise write_error(path, error) from error
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as error:
        raise write_error(path, error) from error
    finally:
        Path(temporary).unlink(missing_ok=True)


def write_error(path: Path, error: OSError) -> InputError:
    """What kept a file from being written, in one line."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return InputError("the disk is full; nothing was left there", path=str(path))
    return InputError(f"cannot be written: {error.strerror or error}", path=str(path))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
