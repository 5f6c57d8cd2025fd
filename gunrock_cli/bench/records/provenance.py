"""The identity of the code that ran: a hash over the package and the kernels, and the commit.

The commit alone does not identify it: the tool runs from copies whose ``.git`` names an older commit,
from wheels that have none, and from trees that somebody edits. So files are compared with the commit by
their content. This consults neither git's index (a copy's is stale), nor modes and times (copies lose
them), nor anything else in the tree: a record appended to ``results/`` changes no code."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from gunrock_cli.bench.records.shapes import Code
from gunrock_cli.resources import kernels_dir, package_dir

_NOT_CODE = ("__pycache__",)
_SHIPPED_DATA = ("_kernels", "_data", "_carried")
"""Folders of the package in a wheel; the kernels in them are hashed under their own name."""


@cache
def identify(package: Path | None = None, kernels: Path | None = None) -> Code:
    """``code_hash``, equal for equal files in a checkout and in a wheel; and ``commit``, with ``-dirty``
    if a file in either folder differs from the commit, None outside a checkout."""
    package = package or package_dir()
    files = _code_files(package, kernels or kernels_dir())
    contents = {name: file.read_bytes() for name, file in files.items()}
    return {"commit": _commit(package.parent, contents), "code_hash": _hash(contents)}


def _code_files(package: Path, kernels: Path) -> dict[str, Path]:
    """Every file of the package and of the kernels, by its path in a checkout."""
    return {
        **_files(package, "gunrock_cli", (*_NOT_CODE, *_SHIPPED_DATA)),
        **_files(kernels, "kernels", _NOT_CODE),
    }


def _files(folder: Path, name: str, without: Sequence[str]) -> dict[str, Path]:
    """Files by their names in a folder called ``name``, except those named in ``without`` (and
    ``_NOT_CODE`` anywhere). Every run does this: 2 ms, where Path.rglob takes 14."""
    found: dict[str, Path] = {}
    for entry in os.scandir(folder) if folder.is_dir() else ():
        if entry.name in without:
            continue
        if entry.is_dir(follow_symlinks=False):
            found |= _files(folder / entry.name, f"{name}/{entry.name}", _NOT_CODE)
        elif entry.is_file():
            found[f"{name}/{entry.name}"] = folder / entry.name
    return found


def _hash(contents: Mapping[str, bytes]) -> str:
    """128 bits of SHA-256 over names and contents, in the order of names."""
    digest = hashlib.sha256()
    for name in sorted(contents):
        digest.update(name.encode() + b"\0" + hashlib.sha256(contents[name]).digest())
    return digest.hexdigest()[:32]


def _commit(root: Path, contents: Mapping[str, bytes]) -> str | None:
    if not (root / ".git").exists():
        return None
    try:
        head = _git(root, "rev-parse", "--short=12", "HEAD").decode().strip()
        listing = _git(root, "ls-tree", "-r", "-z", "HEAD", "--", "gunrock_cli", "kernels")
    except (OSError, subprocess.SubprocessError):
        return None
    committed = {}
    for entry in filter(None, listing.split(b"\0")):
        description, _, name = entry.partition(b"\t")
        committed[name.decode(errors="surrogateescape")] = description.split()[2].decode()
    same = committed.keys() == contents.keys() and all(
        _blob(data, len(committed[name])) == committed[name] for name, data in contents.items()
    )
    return head if same else f"{head}-dirty"


def _git(root: Path, *arguments: str) -> bytes:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, capture_output=True, check=True, timeout=10).stdout


def _blob(data: bytes, digits: int) -> str:
    """The name of a file's content in git: by SHA-1, or SHA-256 if names are that long."""
    kind = "sha1" if digits == 40 else "sha256"
    return hashlib.new(kind, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
