"""Every primitive compiles for every GPU generation; the shapes that fit in a block's shared memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from arches import ARCHES, BETWEEN, ENDS, NEWEST, OLDEST, compiled, shared_out
from updated_helper import updated

from gunrock_cli.bench.protocol.runner import Protocol
from gunrock_cli.cli.main import main
from gunrock_cli.engine.tuning import Tuning, tune
from gunrock_cli.errors import BackendError, UsageError
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.gather_all import Lists
from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.primitives.all_sources import ALL_SOURCES
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.code import kernel_unit, small_graph
from gunrock_cli.primitives.micro import get_micro, micro_names
from gunrock_cli.primitives.micro.recording import RECORDER
from gunrock_cli.primitives.renumbering import MoveLists
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.toolchain.unit import Unit


def nvrtc_reason() -> str | None:
    from gunrock_cli.toolchain.nvrtc import nvrtc

    try:
        nvrtc()
    except BackendError as error:
        return str(error)
    return None


VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("bfs", {"run_ahead": "1"}),
    ("bfs", {"idempotence": True, "mark_pred": True}),
    ("bfs", {"idempotence": True, "cull": "warp-hash,history"}),
    ("bfs", {"strategy": "contract-expand", "mark_pred": True}),
    ("bfs", {"run_ahead": "16", "direction": "push", "GR_AHEAD_PADDED": 1}),
    ("bfs", {"strategy": "two-phase"}),
    ("bfs", {"strategy": "hybrid", "idempotence": True}),
    ("bfs", {"strategy": "quadratic"}),
    ("bc", {"run_ahead": "1"}),
    ("bc", {"backward": "push"}),
    ("bc", {"frontiers": "rebuilt"}),
    ("bc", {"variant": "edges"}),
    ("sssp", {"run_ahead": "on"}),
    ("sssp", {"run_ahead": "on", "GR_AHEAD_PADDED": 2}),
    ("sssp", {"mark_pred": True, "redundancy": "bitmap"}),
    ("sssp", {"mark_pred": True, "devices": "2"}),
    ("pagerank", {"precision": "float64"}),
    ("pagerank", {"push": True}),
    ("pagerank", {"GR_LISTS": Lists.SHORT, "GR_PADDED": 1}),
    ("pagerank", {"GR_LISTS": Lists.EVEN}),
    ("pagerank", {"GR_LISTS": Lists.UNEVEN}),
    ("pagerank", {"GR_LISTS": Lists.UNEVEN, "precision": "float64"}),
    ("pagerank", {"GR_LISTS": Lists.UNEVEN, "order": "degree", "GR_SHARED_CACHE": 1}),
    ("pagerank", {"filter_converged": True, "precision": "float64"}),
    ("hits", {"GR_LISTS": Lists.UNEVEN, "GR_SHARED_CACHE": 1}),
    ("salsa", {"GR_LISTS": Lists.UNEVEN, "GR_SHARED_CACHE": 1}),
    ("hits", {"GR_LISTS": Lists.UNEVEN}),
    ("salsa", {"GR_LISTS": Lists.UNEVEN, "precision": "float64"}),
    ("salsa", {"GR_LISTS": Lists.UNEVEN, "seeds": "0"}),
    ("salsa", {"variant": "edges"}),
    ("ppr", {"batch": 2}),
    ("ppr", {"batch": 2, "GR_ROWS_BY_OCTETS": 1, "precision": "float64"}),
    ("ppr", {"method": "push"}),
    ("ppr", {"method": "walks"}),
    ("wtf", {"batch": 2}),
    ("cc", {"linking": "random", "sampling": "off"}),
    ("cc", {"variant": "hook-jump"}),
    ("cc", {"sampling": "on", "GR_RUNS": 1}),
    ("mst", {"GR_WEIGHT_FLOAT": 1, "GR_PACKED": 0, "GR_HUBS": 1}),
    ("color", {"waiting": "in-order"}),
    ("color", {"method": "independent-sets"}),
    ("triangles", {"per": "graph", "order": "degree"}),
    ("triangles", {"order": "degree", "marked": "longer"}),
    ("triangles", {"per": "edge", "order": "degree"}),
    ("triangles", {"order": "degree", "devices": "2"}),
    ("clustering", {"GR_DIRECTED": 1, "GR_BY_DEGREE": 1}),
    ("cliques", {"size": 6}),
    ("cdlp", {"asynchronous": True}),
    ("walk", {"visits": True}),
    ("walk", {"p": 2.0, "weighted": True}),
    ("sample", {"replace": True, "weighted": True}),
    ("distances", {"batch": "128"}),
    ("distances", {"batch": "4096", "per": "pair"}),
    ("distances", {"searches": "apart", "per": "pair"}),
    ("distances", {"weighted": True}),
    ("distances", {"weighted": True, "per": "pair"}),
    ("distances", {"nearest": 2}),
    ("closeness", {"searches": "apart"}),
]
"""Options and macros that the defaults on a tiny graph leave out."""
GO_ON = [name for name in primitive_names() if get_primitive(name).goes_on_from]
OF_KNOWN_PARTS: list[tuple[str, dict[str, Any]]] = [
    ("bfs", {"strategy": "expand-contract"}),
    ("bfs", {"fusion": "off", "mark_pred": True}),
    ("sssp", {"fusion": "off", "redundancy": "bitmap"}),
]
"""Operators that other variants compile, in other combinations."""


def ways_and_arches() -> Iterator[Any]:
    """Yield every way and generation; `make test` divides the variants between the oldest and the
    newest."""
    for arch in (OLDEST, BETWEEN, NEWEST):
        now = shared_out(VARIANTS, arch) if arch in ENDS else []
        for way in [*VARIANTS, *OF_KNOWN_PARTS]:
            yield pytest.param(*way, arch, marks=() if way in now else pytest.mark.long)


def compiles(
    name: str, arch: int, mode: str | None = None, edge64: bool = False, way: dict[str, Any] | None = None
) -> bool:
    """True if it compiles, with the trace's code, which is the larger one."""
    options = dict(way or {})
    more = {key: options.pop(key) for key in tuple(options) if key.startswith("GR_")}
    devices = options.pop("devices", RunOptions().devices)
    primitive, run = get_primitive(name), RunOptions(advance_mode=mode, devices=devices, trace=True)
    unit = kernel_unit(primitive, arch, options, run, {**more, "GR_EDGE64": int(edge64)})
    return bool(compiled(arch, unit).kernels)


def modes_and_arches() -> Iterator[Any]:
    """Every primitive for the oldest by default; for the newest by default or in a mode, which primitives
    take in turn in `make test`: what differs between generations and modes is the operators' own, and
    tests/operators/test_nvrtc.py compiles all of that."""
    for place, name in enumerate(primitive_names()):
        modes = (None, "TM", "TWC") if get_primitive(name).frontier.advance_under is not None else (None,)
        now = {(None, OLDEST), (modes[place % len(modes)], NEWEST)}
        every = [(None, OLDEST), (None, BETWEEN), *((mode, NEWEST) for mode in modes)]
        for mode, arch in [*every, *([("LB", BETWEEN)] if len(modes) > 1 else [])]:
            yield pytest.param(name, mode, arch, marks=() if (mode, arch) in now else pytest.mark.long)


@pytest.mark.sampled(5)
@pytest.mark.skipif(nvrtc_reason() is not None, reason=str(nvrtc_reason()))
@pytest.mark.parametrize(("name", "mode", "arch"), list(modes_and_arches()), ids=str)
def test_compiles_for(name: str, mode: str | None, arch: int) -> None:
    way = dict(get_primitive(name).frontier.advance_under or {}) if mode else {}
    assert compiles(name, arch, mode, edge64=mode in ("TWC", "LB") or arch == BETWEEN, way=way)


@pytest.mark.sampled(5)
@pytest.mark.skipif(nvrtc_reason() is not None, reason=str(nvrtc_reason()))
@pytest.mark.parametrize(("name", "way", "arch"), list(ways_and_arches()), ids=str)
def test_variant_compiles_for(name: str, way: dict[str, Any], arch: int) -> None:
    assert compiles(name, arch, way=way)


@pytest.mark.skipif(nvrtc_reason() is not None, reason=str(nvrtc_reason()))
@pytest.mark.parametrize(
    ("name", "arch"),
    [
        pytest.param(name, arch, marks=() if place % 2 == (arch == NEWEST) else pytest.mark.long)
        for place, name in enumerate(GO_ON)
        for arch in (OLDEST, NEWEST)
    ],
)
def test_going_on_from_an_answer_compiles_for(name: str, arch: int) -> None:
    primitive = get_primitive(name)
    graph = updated(primitive, small_graph(primitive), deletes=False)
    wide = {"GR_EDGE64": int(arch == NEWEST)}
    unit = kernel_unit(primitive, arch, {}, RunOptions(trace=True), wide, graph)
    assert compiled(arch, unit).kernels


@pytest.mark.skipif(nvrtc_reason() is not None, reason=str(nvrtc_reason()))
@pytest.mark.parametrize(("name", "arch"), [("bfs", NEWEST), ("bc", OLDEST)])
def test_levels_that_all_blocks_keep_step_in_compile_in_tiles(name: str, arch: int) -> None:
    """Three edges per thread divide no warp (operators/launch_shapes.py, LEVELS)."""
    way = {"run_ahead": "1", **({"direction": "optimized", "alpha": "15"} if name == "bfs" else {})}
    assert compiles(name, arch, "TWC", way=way)


@pytest.mark.skipif(nvrtc_reason() is not None, reason=str(nvrtc_reason()))
@pytest.mark.parametrize(("arch", "precision"), [(75, "float32"), (90, "float64")])
def test_several_devices_by_degree_compile_for(arch: int, precision: str) -> None:
    unit = kernel_unit(
        get_primitive("pagerank"),
        arch,
        {"order": "degree", "precision": precision},
        RunOptions(devices="2", trace=True),
        {"GR_LISTS": Lists.UNEVEN, "GR_SHARED_CACHE": 1},
    )
    assert compiled(arch, unit).kernels


CERTIFIED = [
    "bc",
    "bfs",
    "cc",
    "pagerank",
    "sssp",
    "mis",
    "color",
    "hits",
    "mst",
    "matching",
    "louvain",
    "leiden",
    "triangles",
    "kcore",
    "clustering",
    "ktruss",
    "cliques",
    "walk",
    "sample",
    "scc",
    "cdlp",
    "toposort",
    "biconnected",
    "distances",
]


@pytest.mark.skipif(nvrtc_reason() is not None, reason=str(nvrtc_reason()))
@pytest.mark.parametrize(
    ("name", "arch"),
    [
        pytest.param(name, arch, marks=() if name in shared_out(CERTIFIED, arch) else pytest.mark.long)
        for arch in (OLDEST, NEWEST)
        for name in CERTIFIED
    ]
    + [pytest.param(name, BETWEEN, marks=pytest.mark.long) for name in CERTIFIED],
)
def test_certificate_compiles_for(name: str, arch: int) -> None:
    certificate = certificate_of(get_primitive(name))
    assert certificate is not None
    wide = {"GR_EDGE64": 1, "GR_WEIGHT_FLOAT": 1} if arch == 90 else {}
    assert compiled(arch, kernel_unit(certificate, arch, {}, RunOptions(), wide)).kernels


@pytest.mark.skipif(nvrtc_reason() is not None, reason=str(nvrtc_reason()))
@pytest.mark.parametrize("arch", ARCHES)
def test_what_moves_lists_compiles_for(arch: int) -> None:
    wide = {"GR_EDGE64": int(arch == 90)}
    assert compiled(arch, kernel_unit(MoveLists(), arch, {}, RunOptions(), wide)).kernels


@pytest.mark.skipif(nvrtc_reason() is not None, reason=str(nvrtc_reason()))
@pytest.mark.parametrize("arch", ARCHES)
def test_all_sources_compile_for(arch: int) -> None:
    wide = {"GR_EDGE64": int(arch == 90), "GR_TRACE": 1, "GR_COUNT": 1}
    assert compiled(arch, kernel_unit(ALL_SOURCES, arch, {}, RunOptions(), wide)).kernels


@pytest.mark.skipif(nvrtc_reason() is not None, reason=str(nvrtc_reason()))
@pytest.mark.parametrize("name", micro_names())
def test_microbenchmark_compiles(name: str) -> None:
    assert compiled(75, kernel_unit(get_micro(name), 75)).kernels


@pytest.mark.skipif(nvrtc_reason() is not None, reason=str(nvrtc_reason()))
@pytest.mark.long
@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("name", micro_names())
def test_every_strategy_of_a_microbenchmark_compiles_for(name: str, arch: int) -> None:
    micro, wide = get_micro(name), {"GR_EDGE64": 1, "GR_TRACE": 1}
    for strategy in micro.options[0].choices:
        for more in ({}, wide):
            unit = kernel_unit(micro, arch, {"strategy": strategy}, RunOptions(), more)
            assert compiled(arch, unit).kernels
    assert compiled(arch, kernel_unit(RECORDER, arch)).kernels


@pytest.mark.skipif(nvrtc_reason() is not None, reason=str(nvrtc_reason()))
@pytest.mark.long
def test_gains_of_128_bits_compile() -> None:
    assert compiles("louvain", 90, way={"GR_WIDE": 1})


@pytest.mark.skipif(nvrtc_reason() is not None, reason=str(nvrtc_reason()))
def test_a_block_that_no_multiprocessor_can_hold_is_told() -> None:
    unit = kernel_unit(
        get_primitive("cc"), 75, {"variant": "hook-jump"}, more={"GR_SINGLE_BLOCK_CAPACITY": 8192}
    )
    with pytest.raises(BackendError, match=r"needs \d+ bytes of shared memory, and sm_75 has 65536"):
        compiled(75, unit)


@pytest.mark.skipif(nvrtc_reason() is not None, reason=str(nvrtc_reason()))
def test_a_refusal_shows_the_compilers_words(tmp_path: Path) -> None:
    """The error shows no other words: NVRTC 13.0 took the next header's ``namespace`` for a part of the
    stray word, then read memory that it had never written, and once crashed."""
    from gunrock_cli.toolchain.nvrtc import compile_cubin

    kernel = tmp_path / "bad.cuh"
    kernel.write_text("struct Problem {\n  i32* x;\n};\nnonsense\n")
    with pytest.raises(BackendError, match=r"bad\.cuh\(4\)") as refused:
        compile_cubin(Unit.of(kernel, {}), 90)
    assert "namespace gunrock" not in str(refused.value)


@pytest.mark.parametrize("shared", [64 << 10, 99 << 10, 163 << 10, 227 << 10])
@pytest.mark.parametrize("edge", [4, 8])
def test_tuning_fits(shared: int, edge: int) -> None:
    chosen = tune(shared, edge, edge)
    stage = 2 * chosen.block * chosen.items * edge
    queues = 2 * chosen.solo_capacity * 3 * edge
    assert stage + max(queues, (chosen.block * chosen.items + 1) * 3 * edge) <= shared
    assert chosen.solo_edges <= chosen.solo_capacity


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("128,17,1,256,256", "1 to 16 edges"),
        ("512", "five numbers"),
        ("a,b,c,d,e", "five numbers"),
        ("512,4,1,6144,\u00b2", "five numbers"),
        ("512,4,1,6144,-1", "five numbers"),
        ("512,0,1,6144,1024", "five numbers"),
        ("1" * 5000, "five"),
        ("1025,4,1,256,256", "32 to 1024 threads"),
        ("48,4,1,256,256", "a multiple of 32, not 48"),
        ("512,4,1,256,257", r"solo_edges \(257\) may not be more than solo_capacity \(256\)"),
    ],
)
def test_a_tuning_that_is_none_is_refused(
    text: str, complaint: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GUNROCK_TUNING", text)
    with pytest.raises(UsageError, match=f"^GUNROCK_TUNING=.*{complaint}"):
        tune(99 << 10, 4, 4)
    with pytest.raises(SystemExit) as ended:
        main(["compile", "cc", "--arch", "75"])
    told = capsys.readouterr().err
    assert ended.value.code == 2
    assert told.startswith("gunrock: GUNROCK_TUNING=")
    assert told.count("\n") == 1


def test_a_tuning_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNROCK_TUNING", "96,1,2,300,300")
    assert tune(99 << 10, 4, 4) == Tuning(96, 1, 2, 300, 300)


def test_protocol_records_its_options() -> None:
    assert Protocol(loop="host").options(Advance.BALANCED)["loop"] == "host"
