"""Opening graph files: plain or packed, from a path, a pipe or stdin, as often as needed.

A pipe can be read only once and from its beginning, so its content (or stdin's) is kept in a temporary
file, which disappears with the process.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from gunrock_cli.errors import InputError
from gunrock_cli.graph.sources.files.readers.packing import BROKEN as BROKEN
from gunrock_cli.graph.sources.files.readers.packing import Packing, open_unpacked, packing_of

STDIN = "-"
LONGEST = 1 << 16
"""The most bytes of a line that ``short_line`` returns."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""A mark with which some programs begin UTF-8 text; it is no part of the text."""
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
"""The beginnings of UTF-16 and UTF-32."""
_BLOCK = 1 << 20


def check_readable(path: str) -> None:
    """Raise InputError unless ``path`` is "-", or a file or pipe that can be read."""
    if path == STDIN:
        return
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise InputError("no such file", path=path) from None
    except (OSError, ValueError) as error:  # a loop of links, or a null byte in the name
        raise InputError(f"cannot be read: {error}", path=path) from error
    if stat.S_ISDIR(mode):
        raise InputError("this is a folder, not a file", path=path)
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
        raise InputError("neither a file nor a pipe", path=path)
    if not os.access(path, os.R_OK):
        raise InputError("no permission to read this file", path=path)


def is_stream(path: str) -> bool:
    """True if a path is stdin or a pipe: its content cannot be read again later."""
    return path == STDIN or stat.S_ISFIFO(os.stat(path).st_mode)


def is_descriptor(path: str) -> bool:
    """True if a path is the number of an open file, as shells pass for ``<(...)``."""
    return re.fullmatch(r"/(?:dev|proc/[^/]+)/fd/[0-9]+", path) is not None


def open_binary(path: str) -> BinaryIO:
    """Open a file's bytes, unpacked if its content is packed, after its byte order mark, if any.
    InputError for a file that its mark says is not UTF-8."""
    mark = _mark(first_bytes(path, len(BYTE_ORDER_MARK)), path)
    stream = open_unpacked(local(path), packed_by(path))
    stream.read(len(mark))
    return stream


def first_bytes(path: str, count: int) -> bytes:
    """The first ``count`` bytes of a file, unpacked if its content is packed; fewer if it is shorter."""
    try:
        with open_unpacked(local(path), packed_by(path)) as stream:
            return stream.read(count)
    except BROKEN as error:
        raise InputError(f"cannot be read: {error}", path=display_path(path)) from error


def _mark(head: bytes, path: str) -> bytes:
    if head.startswith(_WIDE_MARKS):
        raise InputError(
            "this is UTF-16 text: write it as UTF-8 (iconv -f UTF-16 -t UTF-8)", path=display_path(path)
        )
    return BYTE_ORDER_MARK if head == BYTE_ORDER_MARK else b""


def local(path: str) -> str:
    """A path where the content of ``path`` can be opened repeatedly: ``path`` itself, unless it is a
    stream."""
    check_readable(path)
    if path == STDIN:
        return _reopened(_stdin())
    looks = os.stat(path)
    if not stat.S_ISFIFO(looks.st_mode):
        return path
    pipe = (path, looks.st_dev, looks.st_ino)  # tells pipes of one name apart
    if pipe not in _pipes:
        with Path(path).open("rb") as source:
            _pipes[pipe] = _kept(source, path)
    return _reopened(_pipes[pipe])


def forget_pipe(path: str) -> None:
    """Drop the content kept of ``path`` if it is a pipe with a name: another program may write to it. (A
    shell's gives nothing a second time.)"""
    for pipe in [each for each in _pipes if each[0] == path and not is_descriptor(path)]:
        _pipes.pop(pipe).close()


@contextmanager
def unpacked(path: str) -> Iterator[str]:
    """A path of the unpacked content of ``path``: itself, or a temporary file for the block. OSError
    without room for it, InputError if it is damaged."""
    if packed_by(path) is None:
        yield local(path)
        return
    with tempfile.TemporaryFile() as kept, open_binary(path) as source:
        while block := _read(source, path):
            kept.write(block)
        kept.flush()
        yield _reopened(kept)


def packed_by(path: str) -> Packing | None:
    """The packing of a file, by its first bytes, or None."""
    try:
        return packing_of(local(path))
    except OSError as error:
        raise InputError(f"cannot be read: {error}", path=display_path(path)) from error


def display_path(path: str) -> str:
    """The path as messages name it."""
    return "<stdin>" if path == STDIN else path


def short_line(stream: BinaryIO) -> bytes:
    """The next line; if it is long, its first 65536 bytes, and the rest is skipped."""
    line = piece = stream.readline(LONGEST)
    while len(piece) == LONGEST and not piece.endswith(b"\n"):
        piece = stream.readline(LONGEST)
    return line


@cache
def _stdin() -> Any:
    if sys.stdin is None:
        raise InputError("closed, so nothing can be read from it", path=display_path(STDIN))
    return _kept(sys.stdin.buffer, display_path(STDIN))


_pipes: dict[tuple[str, int, int], Any] = {}


def _kept(source: BinaryIO, where: str) -> Any:
    """The whole content of a stream, in an unnamed file that lasts until it is closed."""
    try:
        kept = tempfile.TemporaryFile()  # noqa: SIM115
        shutil.copyfileobj(source, kept, _BLOCK)
        kept.flush()
    except OSError as error:
        raise InputError(
            f"cannot be kept in {tempfile.gettempdir()} (TMPDIR says where): {error}", path=where
        ) from error
    return kept


def _reopened(file: Any) -> str:
    """A path by which this process can open an open file again."""
    return f"/dev/fd/{file.fileno()}"


def _read(source: BinaryIO, path: str) -> bytes:
    try:
        return source.read(_BLOCK)
    except BROKEN as error:
        raise InputError(f"cannot be read: {error}", path=display_path(path)) from error
