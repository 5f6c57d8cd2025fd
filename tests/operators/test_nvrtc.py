"""The kernels of these tests compile for every GPU generation; running them needs a GPU."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from gunrock_cli.engine.tuning import tune
from gunrock_cli.errors import BackendError
from gunrock_cli.operators.advance import ADVANCE_MODES
from gunrock_cli.operators.gather_all import Lists
from gunrock_cli.toolchain.nvrtc import compile_cubin, nvrtc
from gunrock_cli.toolchain.unit import Unit

SHARED = {75: 64 * 1024, 80: 163 * 1024, 90: 227 * 1024}
ADVANCES = list(product([0, 1], [0, 1]))
CULLS = ("GR_CULL_BITMASK", "GR_CULL_WARP", "GR_CULL_HISTORY")


@pytest.fixture(autouse=True)
def _needs_nvrtc() -> None:
    try:
        nvrtc()
    except BackendError as error:
        pytest.skip(str(error))


def check(kernel: str, arch: int, wide: bool = False, mode: str = "AUTO", **macros: int) -> None:
    edge = 8 if wide else 4
    item = edge if macros.get("GR_EDGE_FRONTIER") else 4
    defines = {"GR_EDGE64": int(wide), "GR_WEIGHT_FLOAT": 0, "GR_EDGE_FRONTIER": 0, "GR_AHEAD": 0,
               "GR_COUNT": 0, "GR_TRACE": 0, "GR_ADVANCE_MODE": ADVANCE_MODES.index(mode),
               **tune(SHARED[arch], edge, item).defines(), **macros}
    source = Unit.of(Path(__file__).with_name(kernel), defines)
    assert compile_cubin(source, arch).startswith(b"\x7fELF")


@pytest.mark.parametrize("mode", ADVANCE_MODES)
@pytest.mark.parametrize("wide", [False, True])
def test_advance(wide: bool, mode: str) -> None:
    for kind_in, kind_out in ADVANCES:
        for arch in SHARED if mode == "AUTO" else (90,):
            check("advance.cuh", arch, wide, mode, GR_IN=kind_in, GR_OUT=kind_out, GR_ALONE=1,
                  GR_INCOMING=int(wide),
                  GR_EDGE_FRONTIER=int(kind_in or kind_out))


@pytest.mark.parametrize("arch", SHARED)
def test_filter_and_pull(arch: int) -> None:
    for operator in range(8):
        check("filter.cuh", arch, operator % 2 == 0, GR_OPERATOR=operator, **dict.fromkeys(CULLS, 1))


@pytest.mark.parametrize("arch", SHARED)
def test_gather_all(arch: int) -> None:
    for double, wide, lists in product([0, 1], [False, True], Lists):
        check("gather_all.cuh", arch, wide, GR_VALUE_DOUBLE=double, GR_REVERSE=0,
              GR_LISTS=int(lists))


@pytest.mark.parametrize("arch", SHARED)
def test_gather(arch: int) -> None:
    for monoid, who in product(range(5), range(3)):
        check("gather.cuh", arch, who == 1, GR_MONOID=monoid, GR_WHO=who, GR_THREADS=monoid % 2,
              GR_SHAPE=who, GR_EMPTY=1)


@pytest.mark.parametrize("wide", [False, True])
def test_wedges(wide: bool) -> None:
    for arch in SHARED:
        check("wedges.cuh", arch, wide, GR_EDGE_FRONTIER=1)


def test_all_headers_together() -> None:
    for arch in SHARED:
        check("together.cuh", arch, GR_AHEAD=1, **dict.fromkeys(CULLS, 1))
