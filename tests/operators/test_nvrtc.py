"""The kernels of these tests compile for every GPU generation; running them needs a GPU."""

from __future__ import annotations

from itertools import product

import pytest
from modes import ON_A_CORE
from operators.cases import One

from gunrock_cli.errors import BackendError
from gunrock_cli.operators.advance import ADVANCE_MODES
from gunrock_cli.operators.culling import HEURISTICS
from gunrock_cli.operators.gather_all import Lists
from gunrock_cli.primitives.code import compile_for, kernel_unit
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.toolchain.nvrtc import nvrtc

ARCHES = (75, 80, 90)
ADVANCES = list(product([0, 1], [0, 1]))
CULLS = tuple(HEURISTICS.values())


@pytest.fixture(autouse=True)
def _needs_nvrtc() -> None:
    try:
        nvrtc()
    except BackendError as error:
        pytest.skip(str(error))


def check(kernel: str, arch: int, wide: bool = False, mode: str = "AUTO", **macros: str | int) -> None:
    unit = kernel_unit(One(kernel, {}, (), **macros), arch, run=RunOptions(advance_mode=mode),
                       more={"GR_EDGE64": int(wide)})
    assert compile_for(arch, unit).kernels


@pytest.mark.parametrize("mode", ADVANCE_MODES)
@pytest.mark.parametrize("wide", [False, True])
def test_advance(wide: bool, mode: str) -> None:
    if wide and mode not in ON_A_CORE:
        pytest.skip("as far as offsets go TWC's code")
    for kind_in, kind_out in ADVANCES if mode in ON_A_CORE else [(1, 1)]:
        for arch in ARCHES if mode == "AUTO" or mode not in ON_A_CORE else (90,):
            check("advance.cuh", arch, wide, mode, GR_IN=kind_in, GR_OUT=kind_out, GR_ALONE=1,
                  GR_INCOMING=int(wide), GR_TOGETHER=int(not wide),
                  GR_EDGE_FRONTIER=int(kind_in or kind_out))


@pytest.mark.parametrize("arch", ARCHES)
def test_filter_and_pull(arch: int) -> None:
    for operator in range(8):
        check("filter.cuh", arch, operator % 2 == 0, GR_OPERATOR=operator, **dict.fromkeys(CULLS, 1))


@pytest.mark.parametrize("arch", ARCHES)
def test_gather_all(arch: int) -> None:
    for double, wide, lists in product([0, 1], [False, True], Lists):
        for padded in (0, 1) if lists is Lists.SHORT else (0,):
            check("gather_all.cuh", arch, wide, GR_VALUE_DOUBLE=double, GR_REVERSE=0,
                  GR_LISTS=lists.value, GR_PADDED=padded)


@pytest.mark.parametrize("arch", ARCHES)
def test_gather(arch: int) -> None:
    for monoid, who in product(range(5), range(3)):
        threads = monoid % 2 if monoid else 2
        check("gather.cuh", arch, who == 1, GR_MONOID=monoid, GR_WHO=who, GR_THREADS=threads,
              GR_SHAPE=list(Lists)[who].value, GR_EMPTY=1)


@pytest.mark.parametrize("wide", [False, True])
def test_in_order(wide: bool) -> None:
    for arch in ARCHES:
        check("in_order.cuh", arch, wide)
        check("histogram.cuh", arch, wide)


@pytest.mark.parametrize("wide", [False, True])
def test_wedges(wide: bool) -> None:
    for arch in ARCHES:
        check("wedges.cuh", arch, wide, GR_EDGE_FRONTIER=1)


def test_all_headers_together() -> None:
    for arch in ARCHES:
        check("together.cuh", arch, GR_AHEAD=1, **dict.fromkeys(CULLS, 1))
