"""Extract the graph from a downloaded archive."""

from __future__ import annotations

import gzip
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from gunrock_cli.errors import InputError
from gunrock_cli.files import atomic_write
from gunrock_cli.graph.sources.files.readers.packing import BROKEN, GZIP, open_unpacked, packing_of

_BLOCK = 1 << 20
_DAMAGED = (*BROKEN, tarfile.TarError, zipfile.BadZipFile, RuntimeError, ValueError)
"""Errors that damaged archives raise; RuntimeError if a password is needed."""
_ONE_PERCENT = b"%MatrixMarket"


def unpack(archive: Path, member: str | None, target: Path) -> None:
    """Write ``member`` of a .tar.gz or .zip (or the archive itself, decompressed) to ``target``, which
    appears whole or not at all. A banner with one % gets its second. Raises InputError."""
    with atomic_write(target) as out:
        for number, block in enumerate(_blocks(archive, member)):
            out.write(b"%" + block if number == 0 and block.startswith(_ONE_PERCENT) else block)


def _blocks(archive: Path, member: str | None) -> Iterator[bytes]:
    """The content of the archive; an InputError follows the readable part of a damaged one. Errors of the
    archive end here, so that they are not taken for errors in writing."""
    try:
        with _opened(archive, member) as source:
            while block := source.read(_BLOCK):
                yield block
    except _DAMAGED as error:
        raise InputError(f"the archive is damaged: {error}", path=str(archive)) from error


@contextmanager
def _opened(archive: Path, member: str | None) -> Iterator[BinaryIO]:
    if member is None:
        with open_unpacked(str(archive), packing_of(str(archive))) as file:
            yield file
    elif zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as packed:
            if member not in packed.namelist():
                raise _missing(archive, member, packed.namelist())
            with packed.open(member) as file:
                yield cast(BinaryIO, file)
    elif packing_of(str(archive)) is GZIP:
        # tarfile would not check the checksum, which follows all members.
        with gzip.open(archive, "rb") as plain:
            with tarfile.open(fileobj=plain, mode="r|") as tar:
                yield _member(tar, archive, member)
            while plain.read(_BLOCK):
                pass
    else:
        with tarfile.open(archive, "r|*") as tar:
            yield _member(tar, archive, member)


def _member(tar: tarfile.TarFile, archive: Path, member: str) -> BinaryIO:
    seen = []
    for entry in tar:
        if entry.name.removeprefix("./") == member and entry.isfile():
            found = tar.extractfile(entry)
            assert found is not None  # a regular file
            return cast(BinaryIO, found)
        seen.append(entry.name)
    raise _missing(archive, member, seen)


def _missing(archive: Path, member: str, names: list[str]) -> InputError:
    return InputError(f"no {member} in this archive (it has {', '.join(names[:5])})", path=str(archive))
