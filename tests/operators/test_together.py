"""Any headers can be included together, and a primitive's own names do not clash with theirs."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from operators.cases import One, random_graph, run

from gunrock_cli.resources import kernels_dir

UNIT = Path(__file__).with_name("together.cuh")


def test_the_unit_has_every_operator() -> None:
    included = set(re.findall(r'"operators/(.*)"', UNIT.read_text()))
    assert included == {path.name for path in (kernels_dir() / "operators").iterdir()}


def test_all_headers_together() -> None:
    primitive = One(
        "together.cuh",
        {"done": np.zeros(1, np.uint32)},
        ("done",),
        GR_AHEAD=1,
        GR_AHEAD_PADDED=1,
        GR_CULL_BITMASK=1,
        GR_CULL_WARP=1,
        GR_CULL_WARP_HASH=1,
        GR_CULL_HISTORY=1,
        GR_CULL_GRID=1,
    )
    assert run(primitive, random_graph(3, 2, 1), "cpu")["done"][0] == 11
