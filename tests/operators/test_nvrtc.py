"""The kernels of these tests compile for every GPU generation; running them needs a GPU."""

from __future__ import annotations

from itertools import product

import pytest
from arches import ARCHES, ENDS, NEWEST, OLDEST, compiled, shared_out
from modes import ON_A_CORE
from operators.cases import One

from gunrock_cli.errors import BackendError
from gunrock_cli.operators.advance import ADVANCE_MODES
from gunrock_cli.operators.culling import HEURISTICS
from gunrock_cli.operators.gather_all import Lists
from gunrock_cli.primitives.code import kernel_unit
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.toolchain.nvrtc import nvrtc

ADVANCES = list(product([0, 1], [0, 1]))
TAKEN_OLD = ("AUTO", "TWC")
"""Modes of advance that `make test` compiles for the oldest, with narrow offsets."""
CULLS = tuple(HEURISTICS.values())
FORMS: dict[Lists, list[dict[str, int]]] = {
    Lists.SHORT: [{}, {"GR_PADDED": 1}],
    Lists.EVEN: [{}, {"GR_PAIRS": 1}],
    Lists.UNEVEN: [{}, {"GR_PAIRS": 1}],
}
"""Ways to keep lists and values, by the shape that has them."""


@pytest.fixture(autouse=True)
def _needs_nvrtc() -> None:
    try:
        nvrtc()
    except BackendError as error:
        pytest.skip(str(error))


def check(
    kernel: str,
    arch: int,
    wide: bool = False,
    mode: str = "AUTO",
    block: int | None = None,
    **macros: str | int,
) -> None:
    unit = kernel_unit(
        One(kernel, {}, (), **macros),
        arch,
        run=RunOptions(advance_mode=mode),
        more={"GR_EDGE64": int(wide), **({"GR_BLOCK": block} if block else {})},
    )
    assert compiled(arch, unit).kernels


@pytest.mark.sampled(8)
@pytest.mark.parametrize("mode", ADVANCE_MODES)
@pytest.mark.parametrize("wide", [False, True])
def test_advance(wide: bool, mode: str) -> None:
    """All kinds of frontiers in the papers' mode, of either width; in the others in turn: the host's
    compiler sees all of them (test_advance.py)."""
    if wide and mode not in ON_A_CORE:
        pytest.skip("as far as offsets go TWC's code")
    kinds = ADVANCES if mode in ON_A_CORE else [(1, 1)]
    if mode in ON_A_CORE and mode != "AUTO":  # narrow and wide take turns, as modes and kinds do
        kinds = [kind for kind in kinds if (sum(kind) + ON_A_CORE.index(mode) + wide) % 2]
    for kind_in, kind_out in kinds:
        check_advance(kind_in, kind_out, mode, wide, NEWEST if wide or mode not in TAKEN_OLD else OLDEST)


@pytest.mark.long
@pytest.mark.parametrize("mode", ADVANCE_MODES)
@pytest.mark.parametrize("wide", [False, True])
def test_every_advance_for_both(wide: bool, mode: str) -> None:
    for (kind_in, kind_out), arch in product(ADVANCES, ENDS):
        check_advance(kind_in, kind_out, mode, wide, arch)


def check_advance(kind_in: int, kind_out: int, mode: str, wide: bool, arch: int) -> None:
    check(
        "advance.cuh",
        arch,
        wide,
        mode,
        GR_IN=kind_in,
        GR_OUT=kind_out,
        GR_SINGLE_BLOCK=1,
        GR_INCOMING=int(wide),
        GR_TOGETHER=int(not wide),
        GR_EDGE_FRONTIER=int(kind_in or kind_out),
    )


@pytest.mark.parametrize("arch", ARCHES)
def test_filter_and_pull(arch: int) -> None:
    for operator in shared_out(range(8), arch):
        check("filter.cuh", arch, operator % 2 == 0, GR_OPERATOR=operator, **dict.fromkeys(CULLS, 1))


@pytest.mark.parametrize("arch", ARCHES)
def test_gather_all(arch: int) -> None:
    for double, wide, lists in shared_out(list(product([0, 1], [False, True], Lists)), arch):
        for form in FORMS[lists]:
            check(
                "gather_all.cuh",
                arch,
                wide,
                GR_VALUE_DOUBLE=double,
                GR_REVERSE=0,
                GR_LISTS=lists.value,
                **dict.fromkeys(("GR_PADDED", "GR_PAIRS"), 0) | form,
            )


@pytest.mark.parametrize("arch", ARCHES)
def test_gather(arch: int) -> None:
    for monoid, who in shared_out(list(product(range(5), range(3))), arch):
        threads = monoid % 2 if monoid else 2
        check(
            "gather.cuh",
            arch,
            who == 1,
            GR_MONOID=monoid,
            GR_WHO=who,
            GR_THREADS=threads,
            GR_SHAPE=list(Lists)[who].value,
            GR_EMPTY=1,
        )


@pytest.mark.parametrize("wide", [False, True])
def test_in_order(wide: bool) -> None:
    for arch in ENDS:
        check("in_order.cuh", arch, wide)
        check("histogram.cuh", arch, wide)
        check("sublists.cuh", arch, wide)
        check("cascade.cuh", arch, wide)


@pytest.mark.parametrize("arch", ENDS)
def test_those_with_tests_on_lanes(arch: int) -> None:
    for sharers, some in ((1, 0), (32, 1)):
        check("resolve.cuh", arch, GR_SHARERS=sharers, GR_SOME=some)
    check("by_rank.cuh", arch, GR_SHARED_CACHE=1)
    check("dataflow.cuh", arch)
    check("advance_by_value.cuh", arch)
    check("edge_queue.cuh", arch, GR_TWICE=1, GR_CARRY_SOURCE=1)
    for operator in shared_out(range(10), arch):
        check("some_lists.cuh", arch, GR_OPERATOR=operator)


@pytest.mark.parametrize("wide", [False, True])
def test_wedges(wide: bool) -> None:
    for arch in ENDS:
        check("wedges.cuh", arch, wide, GR_EDGE_FRONTIER=1)


def test_all_headers_together() -> None:
    for arch in ENDS:
        check("together.cuh", arch, block=128, GR_AHEAD=1, GR_AHEAD_PADDED=1, **dict.fromkeys(CULLS, 1))
