"""The place of a command's program: GUNROCK_PEERS first, then PATH."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

FOLDERS = "GUNROCK_PEERS"
"""The environment's list of folders to search for programs, written like PATH."""


def find_program(name: str, beside: Path | None) -> str | None:
    """The program's path, or None. An absolute name is used as it is; a name that begins with a dot is
    relative to the description; any other is looked for in each folder of GUNROCK_PEERS and then of PATH.
    That includes names with folders in them (``gapbs/bfs``), which may also be next to a user's
    description."""
    if os.path.isabs(name):
        return _executable(Path(name))
    if name.startswith("."):
        return _executable(beside / name) if beside else None
    if "/" not in name:
        return shutil.which(name, path=os.pathsep.join(_folders(FOLDERS))) or shutil.which(name)
    folders = [*_folders(FOLDERS), *([str(beside)] if beside else []), *_folders("PATH")]
    return next((found for folder in folders if (found := _executable(Path(folder) / name))), None)


def where_looked(name: str, beside: Path | None) -> str:
    """The places where ``find_program`` looked, in words."""
    if os.path.isabs(name):
        return name
    if name.startswith("."):
        return str(beside)
    own = os.environ.get(FOLDERS)
    return f"{FOLDERS} ({own if own else 'not set'}) and PATH"


def _folders(variable: str) -> list[str]:
    return [folder for folder in os.environ.get(variable, "").split(os.pathsep) if folder]


def _executable(path: Path) -> str | None:
    return str(path.absolute()) if path.is_file() and os.access(path, os.X_OK) else None
