"""Packed files, recognized by their first bytes: gzip, bzip2, xz or Zstandard."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from gunrock_cli.errors import InputError
from gunrock_cli.installation import install_extra

BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError)
"""The exceptions of reading a damaged file."""


@dataclass(frozen=True)
class Packing:
    """``magic`` begins each file, ``opener`` opens the content of one; one byte of it can stand for at
    most ``most`` bytes of content."""

    magic: bytes
    opener: Callable[[str], Any]
    most: int


def open_unpacked(path: str, packing: Packing | None) -> BinaryIO:
    """Open the content of a file, packed this way or not packed."""
    return cast(BinaryIO, open(path, "rb") if packing is None else packing.opener(path))


def packing_of(path: str) -> Packing | None:
    """The packing of a file, or None; OSError if it cannot be read."""
    with open(path, "rb") as file:
        head = file.read(max(len(each.magic) for each in PACKINGS))
    return next((each for each in PACKINGS if head.startswith(each.magic)), None)


def _open_zstd(path: str) -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd

        return zstd.open(path)
    try:
        import pyarrow
    except ImportError:
        raise InputError(
            f"packed with Zstandard, which needs pyarrow ({install_extra('parquet')})", path=path
        ) from None
    return io.BufferedReader(_Told(pyarrow.input_stream(path, compression="zstd")))


class _Told(io.RawIOBase):
    """An Arrow stream that knows how much of it has been read."""

    def __init__(self, stream: Any) -> None:
        self._stream, self._place = stream, 0

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def readinto(self, buffer: Any) -> int:
        block = self._stream.read(len(buffer))
        buffer[: len(block)] = block
        self._place += len(block)
        return len(block)

    def close(self) -> None:
        self._stream.close()
        super().close()


GZIP = Packing(b"\x1f\x8b", gzip.open, 1032)
PACKINGS = (
    GZIP,
    Packing(b"BZh", bz2.open, 1 << 21),
    Packing(b"\xfd7zXZ\0", lzma.open, 1 << 14),
    Packing(b"\x28\xb5\x2f\xfd", _open_zstd, 1 << 16),
)
