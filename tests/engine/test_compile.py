"""Every primitive compiles for every GPU generation; what fits in a block's shared memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gunrock_cli.bench.runner import Protocol
from gunrock_cli.engine import layout
from gunrock_cli.engine.layout import Types
from gunrock_cli.engine.tuning import tune
from gunrock_cli.errors import BackendError
from gunrock_cli.graph.build import build_graph
from gunrock_cli.graph.weights import with_weights
from gunrock_cli.operators.advance import ADVANCE_MODES
from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.toolchain.unit import Unit

SHARED = {75: 64 * 1024, 80: 163 * 1024, 90: 227 * 1024}


def nvrtc_reason() -> str | None:
    from gunrock_cli.toolchain.nvrtc import nvrtc

    try:
        nvrtc()
    except BackendError as error:
        return str(error)
    return None


VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("bfs", {"run_ahead": "1"}), ("bfs", {"idempotence": True, "mark_pred": True}),
    ("bc", {"run_ahead": "1"}), ("bc", {"backward": "push"}), ("bc", {"frontiers": "rebuilt"}),
    ("sssp", {"run_ahead": "on"}), ("sssp", {"mark_pred": True, "redundancy": "bitmap"}),
    ("pagerank", {"precision": "float64"}), ("pagerank", {"push": True}),
    ("pagerank", {"GR_LISTS": 1}), ("pagerank", {"GR_LISTS": 2}),
    ("pagerank", {"GR_LISTS": 2, "precision": "float64"}),
    ("pagerank", {"filter_converged": True, "precision": "float64"}),
    ("cc", {"linking": "random", "sampling": "off"}), ("cc", {"variant": "hook-jump"})]
"""What the defaults on a tiny graph leave out: options, and macros."""


def source_of(name: str, arch: int, mode: str, edge64: bool = False,
              way: dict[str, Any] | None = None) -> Unit:
    primitive = get_primitive(name)
    ends = np.array([0, 1], np.int32)
    graph = build_graph(3, ends, ends + 1, None, undirected=True, keep_self_loops=False,
                        keep_duplicates=False, name="tiny", origin={}, xp=np)
    if primitive.needs_weights:
        graph = with_weights(graph, "random:1:64")
    defaults = {option.key: option.default for option in primitive.options}
    macros = {key: value for key, value in (way or {}).items() if key.startswith("GR_")}
    chosen = {key: value for key, value in (way or {}).items() if key not in macros}
    options = primitive.check_options(graph, defaults | chosen)
    defines: dict[str, str | int] = {
        "GR_EDGE64": int(edge64), "GR_WEIGHT_FLOAT": 0, "GR_EDGE_FRONTIER": 0, "GR_TRACE": 1,
        "GR_AHEAD": 0,
        "GR_ADVANCE_MODE": ADVANCE_MODES.index(mode),
        **tune(SHARED[arch], 8 if edge64 else 4, 4,
               launch=primitive.launch(graph, options)).defines(),
    }
    for option in primitive.options:
        if option.define is not None:
            value = options[option.key]
            defines[option.define] = option.choices.index(value) if option.choices else int(value)
    defines.update(primitive.defines(graph, options) | macros)
    return Unit.of(primitive.kernel_file(graph, options), defines)


@pytest.mark.skipif(nvrtc_reason() is not None, reason=str(nvrtc_reason()))
@pytest.mark.parametrize("arch", SHARED)
@pytest.mark.parametrize("name", primitive_names())
def test_compiles_for(name: str, arch: int) -> None:
    from gunrock_cli.toolchain.nvrtc import compile_cubin

    for mode in ("AUTO", "TM", "TWC") if arch == 90 else ("AUTO",):
        assert compile_cubin(source_of(name, arch, mode), arch).startswith(b"\x7fELF")
    if arch == 80:
        assert compile_cubin(source_of(name, arch, "LB", edge64=True), arch)


@pytest.mark.skipif(nvrtc_reason() is not None, reason=str(nvrtc_reason()))
@pytest.mark.parametrize("arch", SHARED)
@pytest.mark.parametrize(("name", "way"), VARIANTS, ids=str)
def test_variant_compiles_for(name: str, way: dict[str, Any], arch: int) -> None:
    from gunrock_cli.toolchain.nvrtc import compile_cubin

    assert compile_cubin(source_of(name, arch, "AUTO", way=way), arch).startswith(b"\x7fELF")


@pytest.mark.skipif(nvrtc_reason() is not None, reason=str(nvrtc_reason()))
def test_a_refusal_shows_the_compilers_words(tmp_path: Path) -> None:
    from gunrock_cli.toolchain.nvrtc import compile_cubin

    kernel = tmp_path / "bad.cuh"
    kernel.write_text("struct Problem {\n  i32* x;\n};\nnonsense\n")
    with pytest.raises(BackendError, match=r"bad\.cuh"):
        compile_cubin(Unit.of(kernel, {}), 90)


@pytest.mark.parametrize("shared", [64 << 10, 99 << 10, 163 << 10, 227 << 10])
@pytest.mark.parametrize("edge", [4, 8])
def test_tuning_fits(shared: int, edge: int) -> None:
    chosen = tune(shared, edge, edge)
    stage = 2 * chosen.block * chosen.items * edge
    queues = 2 * chosen.solo_capacity * 3 * edge
    assert stage + max(queues, (chosen.block * chosen.items + 1) * 3 * edge) <= shared
    assert chosen.solo_edges <= chosen.solo_capacity


def test_problem_is_read_from_its_source() -> None:
    text = "struct Problem {\n  i32* labels;  // one\n  const u32* bits;\n  double alpha;\n};\n"
    members = layout.problem_members(text, "x.cuh")
    assert [(m.name, m.type_name, m.pointer) for m in members] == [
        ("labels", "i32", True), ("bits", "u32", True), ("alpha", "double", False)]
    types = Types(np.dtype(np.int32), np.dtype(np.int32), np.dtype(np.int32))
    labels = np.zeros(3, np.int32)
    packed = layout.pack_problem(members, types, {"labels": labels, "bits": None, "alpha": 2.5})
    assert packed["labels"] == labels.ctypes.data
    assert packed["bits"] == 0
    assert packed["alpha"] == 2.5
    with pytest.raises(BackendError, match="alpha"):
        layout.pack_problem(members, types, {"labels": labels, "bits": None})
    with pytest.raises(BackendError, match="labels"):
        layout.pack_problem(members, types, {"labels": labels.astype(np.int64), "bits": None,
                                             "alpha": 1})


def test_protocol_records_its_options() -> None:
    assert Protocol(loop="host").options()["loop"] == "host"
