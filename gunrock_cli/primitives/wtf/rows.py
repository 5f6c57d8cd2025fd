"""Recommendations to many users as a list: a row for each."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

import numpy as np

from gunrock_cli.graph.model.graph import Array
from gunrock_cli.primitives.base import Outputs

BATCH_COLUMNS = MappingProxyType(
    {"user": "users", "place": "places", "vertex": "recommendations", "score": "scores"}
)
"""What --save writes for a batch, a row for each recommendation, and the outputs that hold it."""


def batch_outputs(users: Array, chosen: Array, scores: Array, circles: Array) -> dict[str, Array]:
    """A row for each recommendation, user by user, the best first; ``chosen`` and ``scores`` have a row
    for each user, as ``circles`` has, padded with -1."""
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
    """The same for answers found one by one, each with a score for every vertex and a circle that is
    shorter than ``size`` where it has no more members."""
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
