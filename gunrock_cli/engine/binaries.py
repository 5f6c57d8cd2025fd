"""The on-disk cache of compiled kernels, safe with several processes at once."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from platformdirs import user_cache_path


def binaries_dir() -> Path:
    """Folder of compiled kernels under the user's cache directory (GUNROCK_CACHE_DIR overrides)."""
    root = os.environ.get("GUNROCK_CACHE_DIR")
    return (Path(root) if root else user_cache_path("gunrock")) / "kernels"


def cached_binary(key: str, suffix: str, build: Callable[[Path], None]) -> tuple[Path, bool]:
    """The file for ``key``, built by ``build(path)`` where it is not there yet; and whether it was.

    The build writes a temporary file that is renamed when complete, so that a reader never sees a
    half-written binary and the last of two simultaneous builders wins with equal content.
    """
    folder = binaries_dir()
    target = folder / f"{key}{suffix}"
    if target.exists():
        return target, False
    folder.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(suffix=suffix, prefix="build-", dir=folder)
    os.close(handle)
    try:
        build(Path(name))
        os.replace(name, target)
    finally:
        Path(name).unlink(missing_ok=True)
    return target, True
