"""Text formats, line by line: parsers get only lines in the format's exact grammar.

The parsers of SciPy and pandas are fast and lenient: `1e5` is vertex 1 to one and 100000 to the other. So
each line is matched against a pattern on its way to them, and the first mismatch is reported with its
number.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any, BinaryIO

from gunrock_cli.errors import InputError
from gunrock_cli.graph.sources.files.readers import text

NUMBER = rb"(?=\.?[0-9])[0-9]*+\.?+[0-9]*+(?:[eE][-+]?+[0-9]++|(?![eE]))"
"""A number without a sign, as C writes it."""
_BLOCK = 1 << 20


class GoodLines(io.RawIOBase):
    """The lines of ``rest``, as long as they match: a stream that ends before the first bad one.

    ``good`` matches one line without its end (LF, or CR LF); ``usual`` matches some of those lines in
    less time. The end of a ``good`` line may be a comment, begun by one of the characters ``comment``.
    The stream begins with ``head``. Blocks of good lines pass through ``normalize``; ``seen`` is called
    with the number of bytes read. Afterwards ``fault`` is the error, or None: a bad line (``explain``
    words it from the line's text), or a damaged file. ``rest`` stands at the beginning of line ``first``;
    the last line gets a line end if it has none.
    """

    def __init__(
        self,
        rest: BinaryIO,
        path: str,
        good: bytes,
        explain: Callable[[str], str],
        *,
        usual: bytes,
        comment: bytes,
        first: int = 1,
        head: bytes = b"",
        normalize: Callable[[bytes], bytes] = bytes,
        seen: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._rest, self._where, self._explain = rest, text.display_path(path), explain
        self._lines = re.compile(rb"(?:%s\r?+\n|(?:%s)\r?\n)*+" % (usual, good))
        self._line = re.compile(rb"(?:%s)\r?\n" % good)
        self._comment = re.compile(rb"[%s]" % comment)
        self._normalize, self._seen = normalize, seen
        self._ready, self._part = head, b""
        self._number, self._looked_at = first, 0
        self._ended = False
        self.fault: InputError | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready and not self._ended:
            self._ready = self._normalize(self._next())
        block, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(block)] = block
        return len(block)

    def refuse(self) -> None:
        """Raise the lines' ``fault``, after reading those not yet asked for."""
        while self.fault is None and not self._ended:
            self._next()
        if self.fault is not None:
            raise self.fault

    def _next(self) -> bytes:
        """Read some more good lines; none if the block ends within the first."""
        block = self._block()
        self._ended = not block
        data = self._part + block if block else self._last_line()
        end = data.rfind(b"\n") + 1
        found = self._lines.match(data, 0, end)
        matched = found.end() if found else 0
        self._number += data.count(b"\n", 0, matched)
        self._part = data[end:]
        if matched < end:
            self._stop(data[matched : data.index(b"\n", matched)])
        elif len(self._part) > _BLOCK:
            self._skip_comment()
        return data[:matched]

    def _block(self) -> bytes:
        try:
            block = self._rest.read(_BLOCK)
        except text.BROKEN as error:
            self.fault = InputError(f"cannot be read: {error}", path=self._where)
            self._part = b""
            return b""
        self._looked_at += len(block)
        self._seen(self._looked_at)
        return block

    def _last_line(self) -> bytes:
        return self._part + b"\n" if self._part else b""

    def _skip_comment(self) -> None:
        """Drop the rest of a very long line, which may only be a comment."""
        kept = self._part[:_BLOCK]
        if not (self._comment.search(kept) and self._line.fullmatch(kept + b"\n")):
            return self._stop(kept)
        self._part = kept
        while block := self._block():
            end = block.find(b"\n")
            if end >= 0:
                self._part += block[end:]
                return None
        return None

    def _stop(self, line: bytes) -> None:
        self._ended = True
        shown = line[:60].decode("utf-8", "replace").rstrip("\r")
        what = self._explain(shown)
        if b"\0" in line:
            what = "a null byte: this is no text"
        elif len(line) >= _BLOCK:
            what = f"a line of more than a million bytes, which begins {shown!r}"
        self.fault = InputError(what, path=self._where, line=self._number)


def line_of_entry(path: str, entry: int, comments: bytes, behind: int = 0) -> int | None:
    """The line number of an entry (from 0): among the lines after number ``behind``, those that are
    neither blank nor only a comment count."""
    blank = re.compile(rb"\s*(?:[%s]|$)" % comments)
    with text.open_binary(path) as stream:
        number = 0
        while line := text.short_line(stream):
            number += 1
            if number > behind and not blank.match(line):
                entry -= 1
                if entry < 0:
                    return number
    return None
