"""Opening text formats: plain or gzip, from a path or from stdin."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from pathlib import Path
from typing import BinaryIO, cast

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
        data = sys.stdin.buffer.read()
        return io.BytesIO(gzip.decompress(data) if data[:2] == GZIP_MAGIC else data)
    if is_gzip(path):
        return cast(BinaryIO, gzip.open(path, "rb"))
    return Path(path).open("rb")


def is_gzip(path: str) -> bool:
    """Whether a file begins like gzip."""
    with Path(path).open("rb") as file:
        return file.read(2) == GZIP_MAGIC


def shown(path: str) -> str:
    """The path as messages name it."""
    return "<stdin>" if path == STDIN else path
