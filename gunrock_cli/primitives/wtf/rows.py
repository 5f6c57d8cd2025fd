"""Recommendations to many users as a list: one row per recommendation."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

import numpy as np

from gunrock_cli.graph.model.graph import Array
from gunrock_cli.primitives.shown import Outputs

BATCH_COLUMNS = MappingProxyType(
    {"user": "users", "place": "places", "vertex": "recommendations", "score": "scores"}
)
"""The columns that --save writes for a batch, one row per recommendation, and the outputs that hold
them."""


def batch_outputs(users: Array, chosen: Array, scores: Array, circles: Array) -> dict[str, Array]:
    """One row per recommendation, user by user, the best first; ``chosen``, ``scores`` and ``circles``
    have a row per user, padded with -1."""
    found = chosen >= 0
    whose, places = found.nonzero()
    return {
        "users": users[whose],
        "places": (places + 1).astype(np.int32),
        "recommendations": chosen[found],
        "scores": scores[found],
        "circles": circles,
    }


def one_after_the_other(users: Sequence[int], found: Sequence[Outputs], size: int) -> dict[str, Array]:
    """The same outputs from answers found one by one, each with a score for every vertex and a circle
    that is shorter than ``size`` if it has no more members."""
    counts = [len(each["recommendations"]) for each in found]
    circles = np.full((len(users), size), -1, np.int32)
    for row, each in zip(circles, found, strict=True):
        row[: len(each["circle"])] = each["circle"]
    return {
        "users": np.repeat(np.array(users, np.int32), counts),
        "places": np.concatenate([np.arange(1, count + 1, dtype=np.int32) for count in counts]),
        "recommendations": np.concatenate([each["recommendations"] for each in found]),
        "scores": np.concatenate([each["scores"][each["recommendations"]] for each in found]),
        "circles": circles,
    }
