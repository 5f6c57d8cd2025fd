"""The vertices that a traversal reached, as an answer shows them."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np
import pytest

from gunrock_cli.primitives import reached

FAR = 2**31 - 1
LABELS = [0, FAR, 7, FAR - 1, FAR]
SHOWN = [0, -1, 7, FAR - 1, -1]


def test_what_is_not_reached_is_minus_one() -> None:
    labels = np.array(LABELS, np.int32)
    shown = reached.with_unreached_shown(labels, FAR)
    assert (shown.dtype, shown.tolist()) == (np.dtype(np.int32), SHOWN)
    assert labels.tolist() == LABELS
    assert not np.shares_memory(shown, labels)
    assert reached.with_unreached_shown(labels[:0], FAR).tolist() == []


def test_on_a_gpu_it_takes_one_launch(monkeypatch: pytest.MonkeyPatch) -> None:
    """The array can only be handed to a kernel, which is compiled once."""
    compiled: list[str] = []

    def kernel(takes: str, gives: str, text: str, name: str) -> Any:
        compiled.append(name)
        return lambda labels, unreached: (takes, gives, text, labels, unreached)

    cupy = types.ModuleType("cupy")
    cupy.ElementwiseKernel = kernel  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    reached._showing.cache_clear()
    labels = object()
    for _ in range(2):
        assert reached.with_unreached_shown(labels, FAR) == (
            "int32 label, int32 unreached",
            "int32 shown",
            "shown = label == unreached ? -1 : label",
            labels,
            FAR,
        )
    reached._showing.cache_clear()
    assert compiled == ["gunrock_show_unreached"]


@pytest.mark.gpu
def test_on_the_gpu() -> None:
    import cupy

    labels = cupy.array(LABELS, cupy.int32)
    shown = reached.with_unreached_shown(labels, FAR)
    assert (shown.dtype, shown.tolist(), shown.base) == (np.dtype(np.int32), SHOWN, None)
    assert labels.tolist() == LABELS
    assert reached.with_unreached_shown(labels[:0], FAR).tolist() == []
