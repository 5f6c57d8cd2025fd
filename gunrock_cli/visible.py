"""Text from outside (names in records, files and graphs) as it may be shown: one line, nothing hidden."""

from __future__ import annotations


def visible(text: str) -> str:
    """``text`` with what does not print written out: ``\\n``, ``\\x1b``, ``\\u202e``.

    Line breaks, control characters, marks that turn the writing direction and halves of surrogate pairs
    (which no file can hold) would otherwise end a comment or a table row, or command the terminal.
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else _spelled(sign) for sign in text)


def _spelled(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")
