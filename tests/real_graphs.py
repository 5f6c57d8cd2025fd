"""Real graphs for tests: packed files in a folder next to the checkout, skipped if absent."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from script_helper import load_script

PACKED = Path(__file__).resolve().parents[2] / "shared" / "datasets"


def real_graph_names() -> list[str]:
    """The names of the packed graphs in the folder."""
    return sorted(path.name.removesuffix(".gpk.xz") for path in PACKED.glob("*.gpk.xz"))


def decode(name: str) -> tuple[dict[str, Any], Any, Any, Any]:
    """Header, sources, destinations and weights (or None) of a packed graph; skips without it."""
    path = PACKED / f"{name}.gpk.xz"
    if not (path.exists() and (PACKED / "decode.py").exists()):
        pytest.skip(f"the packed graph {name} is not beside this checkout")
    return _decoder().decode(path)


def write_mtx(name: str, folder: Path) -> Path:
    """The graph as a Matrix Market file in ``folder``."""
    import numpy as np
    from scipy import sparse
    from scipy.io import mmwrite

    header, u, v, w = decode(name)
    values = np.ones(len(u), np.int8) if w is None else w
    matrix = sparse.coo_matrix(
        (values, (v, u) if not header["directed"] else (u, v)), shape=(header["n"], header["n"])
    )
    path = folder / f"{name}.mtx"
    with path.open("wb") as file:
        mmwrite(
            file,
            matrix,
            field="pattern" if w is None else None,
            symmetry="general" if header["directed"] else "symmetric",
        )
    return path


@cache
def _decoder() -> Any:
    return load_script(PACKED / "decode.py")
