"""Finding the line that a reader stumbled over. Runs only after the reader failed, so reading can
be quick and messages exact."""

from __future__ import annotations

import re
from typing import BinaryIO

from gunrock_cli.errors import InputError

_BLOCK = 1 << 20
NUMBER = rb"[-+]?(?:[0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?)"


def first_bad_line(stream: BinaryIO, good: bytes, first: int = 1) -> tuple[int, str] | None:
    """The number and the text of the first line that the pattern ``good`` does not match whole.

    ``stream`` stands at the beginning of line ``first``; lines end in LF or CR LF.
    """
    bad = re.compile(rb"^(?!(?:" + good + rb")\r?$).*$", re.MULTILINE)
    number = first
    rest = b""
    while block := stream.read(_BLOCK):
        block = rest + block
        cut = block.rfind(b"\n") + 1
        block, rest = block[:cut], block[cut:]
        if len(rest) > _BLOCK:
            return number + block.count(b"\n"), "a line of more than a million bytes"
        found = _search(bad, block, number)
        if found:
            return found
        number += block.count(b"\n")
    return _search(bad, rest, number) if rest else None


def complain(found: tuple[int, str] | None, expected: str, path: str, otherwise: str) -> InputError:
    """The error for a bad line, or ``otherwise`` where every line looked well."""
    if found is None:
        return InputError(otherwise, path=path)
    line, text = found
    return InputError(f"expected {expected}, found {text!r}", path=path, line=line)


def _search(bad: re.Pattern[bytes], block: bytes, number: int) -> tuple[int, str] | None:
    found = bad.search(block)
    # Behind the last newline the pattern sees an empty line that is none.
    if found is None or (found.start() == len(block) and block.endswith(b"\n")):
        return None
    text = found[0][:60].decode("utf-8", "replace").rstrip("\r")
    return number + block.count(b"\n", 0, found.start()), text
