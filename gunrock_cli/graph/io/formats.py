"""Which format a file has, by its name. Imports nothing heavy: the command line reads this."""

from __future__ import annotations

import os

from gunrock_cli.errors import UsageError

SUFFIXES = {
    ".mtx": "market",
    ".el": "edge-list",
    ".edges": "edge-list",
    ".txt": "edge-list",
    ".tsv": "edge-list",
    ".gr": "dimacs",
    ".graph": "metis",
    ".metis": "metis",
    ".npz": "npz",
    ".gcsr": "binary",
}
"""Format (``GraphSpec.kind``) by file name ending; each text format also with .gz behind."""


def kind_of_file(path: str) -> str:
    """The format of a file by its name; UsageError when the name does not imply one."""
    if path == "-":
        return "market"
    plain = path.removesuffix(".gz")
    suffix = os.path.splitext(plain)[1].lower()
    if suffix not in SUFFIXES:
        raise UsageError(f"{path}: the name does not tell the format; say which with --market, "
                         "--edge-list, --dimacs, --metis, --npz or --binary")
    return SUFFIXES[suffix]


def stem(path: str) -> str:
    """The file's name without folder and known endings."""
    name = os.path.basename(path).removesuffix(".gz")
    root, suffix = os.path.splitext(name)
    return root if suffix.lower() in SUFFIXES else name
