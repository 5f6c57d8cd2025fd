"""Answers as files (``--save``, ``--save-predecessors``): checked before the run, written after it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gunrock_cli.errors import UsageError
from gunrock_cli.installation import install_extra

if TYPE_CHECKING:
    from gunrock_cli.bench.runner import Measured

SUFFIXES = (".npy", ".csv", ".parquet")


def check_paths(values: Mapping[str, Any], options: Mapping[str, Any]) -> None:
    """Refuse what could not be saved before anything is measured."""
    for flag, key in (("--save", "save"), ("--save-predecessors", "save_predecessors")):
        path = values[key]
        if path is None:
            continue
        if path.suffix not in SUFFIXES:
            raise UsageError(f"{path}: {flag} writes .npy, .csv or .parquet")
        if not path.parent.is_dir():
            raise UsageError(f"{path}: cannot be written (no folder {path.parent})")
        if path.suffix == ".parquet":
            _need_parquet(path)
    if values["save_predecessors"] is not None and options.get("mark_pred") is False:
        raise UsageError("--save-predecessors: nothing would be recorded; add --mark-pred")


def save(measured: Measured, values: Mapping[str, Any]) -> None:
    """Write what was asked for."""
    outputs = measured.outputs
    if values["save"]:
        name = next(iter(outputs))
        write_array(values["save"], name, outputs[name])
    if values["save_predecessors"]:
        if "predecessors" not in outputs:
            raise UsageError(f"--save-predecessors: {measured.record.primitive} has none")
        write_array(values["save_predecessors"], "predecessor", outputs["predecessors"])


def write_array(path: Path, name: str, values: Any) -> None:
    """An answer in vertex order: the bare array as .npy, vertex and value columns otherwise. The
    file appears whole or not at all."""
    import numpy as np
    import pandas as pd

    from gunrock_cli.graph.files import atomic_write

    with atomic_write(path) as file:
        if path.suffix == ".npy":
            np.save(file, values)
            return
        frame = pd.DataFrame({"vertex": np.arange(len(values)), name: values})
        if path.suffix == ".csv":
            frame.to_csv(file, index=False, mode="wb")
        else:
            frame.to_parquet(file, index=False)


def _need_parquet(path: Path) -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise UsageError(f"{path}: Parquet needs pyarrow ({install_extra('parquet')})") from None
