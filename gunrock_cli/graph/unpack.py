"""Taking the graph out of a downloaded archive."""

from __future__ import annotations

import gzip
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from gunrock_cli.errors import InputError
from gunrock_cli.graph.files import atomic_write
from gunrock_cli.graph.readers.text import BROKEN, is_gzip

_BLOCK = 1 << 20
_ONE_PERCENT = b"%MatrixMarket"


def unpack(archive: Path, member: str | None, target: Path) -> None:
    """Write ``member`` of a .tar.gz or .zip (or the archive itself, gunzipped where it is gzip) to
    ``target``, which appears whole or not at all. A banner with one % gets its second one.
    Raises InputError."""
    try:
        with _opened(archive, member) as source, atomic_write(target) as out:
            first = source.read(len(_ONE_PERCENT))
            out.write(b"%" + first if first == _ONE_PERCENT else first)
            shutil.copyfileobj(source, out, _BLOCK)
    except (*BROKEN, tarfile.TarError, zipfile.BadZipFile, RuntimeError) as error:
        raise InputError(f"the archive is damaged: {error}", path=str(archive)) from error


@contextmanager
def _opened(archive: Path, member: str | None) -> Iterator[BinaryIO]:
    if member is None:
        opener = gzip.open if is_gzip(str(archive)) else open
        with opener(archive, "rb") as file:
            yield cast(BinaryIO, file)
    elif zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as packed:
            if member not in packed.namelist():
                raise _missing(archive, member, packed.namelist())
            with packed.open(member) as file:
                yield cast(BinaryIO, file)
    else:
        with tarfile.open(archive, "r|*") as tar:
            seen = []
            for entry in tar:
                if entry.name.removeprefix("./") == member and entry.isfile():
                    found = tar.extractfile(entry)
                    assert found is not None  # a regular file
                    yield cast(BinaryIO, found)
                    return
                seen.append(entry.name)
            raise _missing(archive, member, seen)


def _missing(archive: Path, member: str, names: list[str]) -> InputError:
    return InputError(f"no {member} in this archive (it has {', '.join(names[:5])})",
                      path=str(archive))
