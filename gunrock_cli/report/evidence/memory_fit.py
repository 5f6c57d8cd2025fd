"""Device memory as the papers state it: words per edge and words per vertex."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gunrock_cli.bench.records.record import Record

WORD = 4
LEAST_EDGES = 100_000
"""Smaller graphs say more about the memory pool's blocks than about a primitive's needs."""


@dataclass(frozen=True)
class Fit:
    """Words of 4 bytes per directed edge and per vertex; ``error`` is the largest relative error."""

    alpha: float
    beta: float
    error: float


def fit_memory(records: Sequence[Record]) -> Fit | None:
    """Fit by least squares of relative errors, with no coefficient below zero; None if the graphs are too
    few or too similar to tell edges from vertices."""
    rows = [
        (record.graph["edges"], record.graph["vertices"], record.peak_device_bytes / WORD)
        for record in records
        if record.peak_device_bytes
        and (record.graph.get("edges") or 0) >= LEAST_EDGES
        and record.graph.get("vertices")
    ]
    if len(rows) < 2:
        return None
    table = np.array(rows, float)
    terms = table[:, :2] / table[:, 2:]  # in words, relative to the total
    if np.linalg.matrix_rank(terms, tol=1e-3 * float(np.abs(terms).max())) < 2:
        return None
    alpha, beta = _not_negative(terms)
    error = float(np.abs(terms @ np.array([alpha, beta]) - 1).max())
    return Fit(alpha, beta, error)


def _not_negative(terms: np.ndarray[Any, Any]) -> tuple[float, float]:
    wanted = np.ones(len(terms))
    found = np.linalg.lstsq(terms, wanted, rcond=None)[0]
    if (found >= 0).all():
        return float(found[0]), float(found[1])
    only = int(found.argmax())
    alone = float(terms[:, only] @ wanted / (terms[:, only] @ terms[:, only]))
    return (alone, 0.0) if only == 0 else (0.0, alone)
