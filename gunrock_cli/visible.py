"""Text from outside (names in records, files and graphs) as it may be shown: one line, nothing hidden."""

from __future__ import annotations


def visible(text: str) -> str:
    """``text`` with its unprintable characters written out: ``\\n``, ``\\x1b``, ``\\u202e``.

    Otherwise line breaks, control characters, marks that change the writing direction and lone surrogates
    (which no file can hold) would end a comment or a table row, or control the terminal.
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else _spelled(sign) for sign in text)


def _spelled(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")
