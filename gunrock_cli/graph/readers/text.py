"""Opening text formats: plain or gzip, from a path or from stdin; watching them being read."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, cast

from gunrock_cli.errors import InputError

STDIN = "-"
BROKEN = (OSError, EOFError, zlib.error)
"""What reading a damaged file raises."""
GZIP_MAGIC = b"\x1f\x8b"


def check_readable(path: str) -> None:
    """InputError unless ``path`` is "-" or a file that can be read."""
    if path == STDIN:
        return
    if not os.path.exists(path):
        raise InputError("no such file", path=path)
    if os.path.isdir(path):
        raise InputError("this is a folder, not a graph file", path=path)
    if not os.access(path, os.R_OK):
        raise InputError("no permission to read this file", path=path)


def open_binary(path: str) -> BinaryIO:
    """The bytes of a file, decompressed where it is gzip by content; "-" is all of stdin."""
    check_readable(path)
    if path == STDIN:
        data = _stdin()
        return io.BytesIO(gzip.decompress(data) if data[:2] == GZIP_MAGIC else data)
    if is_gzip(path):
        return cast(BinaryIO, gzip.open(path, "rb"))
    return Path(path).open("rb")


@cache
def _stdin() -> bytes:
    """All of stdin, kept: diagnosing a bad line reads it again."""
    return sys.stdin.buffer.read()


def is_gzip(path: str) -> bool:
    """Whether a file begins like gzip."""
    with Path(path).open("rb") as file:
        return file.read(2) == GZIP_MAGIC


def shown(path: str) -> str:
    """The path as messages name it."""
    return "<stdin>" if path == STDIN else path


class Watched(io.RawIOBase):
    """A stream that begins with ``head`` and goes on with another one.

    ``seen`` is called with each block of the rest, and the number of its bytes before that block.
    What could crash SciPy's reader is kept from it: the stream ends before the first null byte, whose
    place in the rest is then ``null_at``, and it ends with a newline.
    """

    def __init__(self, head: bytes, rest: BinaryIO, seen: Callable[[bytes, int], None]) -> None:
        self._head, self._rest, self._seen = head, rest, seen
        self._position = 0
        self._last = b"\n"
        self.null_at: int | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._head:
            block, self._head = self._head[: len(buffer)], self._head[len(buffer) :]
        else:
            block = self._next(len(buffer))
            if not block and self._last != b"\n":
                block = b"\n"
            self._last = block[-1:] or b"\n"
        buffer[: len(block)] = block
        return len(block)

    def _next(self, most: int) -> bytes:
        block = self._rest.read(most) if self.null_at is None else b""
        if block:
            self._seen(block, self._position)
            null = block.find(b"\0")
            if null >= 0:
                self.null_at = self._position + null
                block = block[:null]
            self._position += len(block)
        return block


def line_at(path: str, offset: int) -> int:
    """The number (from 1) of the line that byte ``offset`` of a file (decompressed) is in."""
    with open_binary(path) as stream:
        return stream.read(offset).count(b"\n") + 1
