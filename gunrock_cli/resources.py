"""The places of the data that ships with the package, in a wheel or in a checkout, and of the tool's
cache."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parent


def _locate(in_wheel: str, in_checkout: str) -> Path:
    wheel = _PACKAGE / in_wheel
    return wheel if wheel.is_dir() else _CHECKOUT / in_checkout


def package_dir() -> Path:
    """The package's own folder."""
    return _PACKAGE


def kernels_dir() -> Path:
    """The folder of the C++/CUDA headers."""
    return _locate("_kernels", "kernels")


def paper_dir() -> Path:
    """The folder of the papers' printed figures (CSV)."""
    return _locate("_data/paper", "results/paper")


def datasets_dir() -> Path:
    """The folder of the data set catalogue and its Makefile."""
    return _locate("_data/datasets", "datasets")


def carried_dir() -> Path:
    """The folder of compiled kernels that a wheel may carry; a checkout has none."""
    return _PACKAGE / "_carried"


def cache_root() -> Path:
    """The tool's cache folder: ``$GUNROCK_CACHE_DIR``, else the platform's default."""
    root = os.environ.get("GUNROCK_CACHE_DIR")
    if root:
        return Path(root)
    from platformdirs import user_cache_path

    return user_cache_path("gunrock")
