"""Graphs drawn in passes over the vertices: bit for bit those of the list of edges, on both backends, in
the memory that was announced."""

from __future__ import annotations

import ctypes
import itertools
import math
import sys
import threading
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from graph_helper import generated

from graph.teams import Teams
from gunrock_cli.errors import OutOfMemory
from gunrock_cli.graph import drawn_rows, load
from gunrock_cli.graph.drawn_parts import drawn_in_parts
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model import memory
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.parts.partition import cut, ends_within
from gunrock_cli.graph.rows import device_rows, layout, native, native_library
from gunrock_cli.graph.rows.drawing import Piece, Window
from gunrock_cli.graph.sources.generate import complete_params, drawing_of
from gunrock_cli.graph.sources.generate.parameters import GENERATORS
from gunrock_cli.graph.sources.progress import silent
from gunrock_cli.graph.spec import GraphSpec

RECIPES: list[tuple[str, dict[str, Any]]] = [
    ("rmat", {"scale": 0, "edge_factor": 3}),
    ("rmat", {"scale": 1}),
    ("rmat", {"scale": 7, "seed": 5}),
    ("rmat", {"scale": 10, "edge_factor": 16, "a": 0.45, "b": 0.15, "c": 0.15}),
    ("rmat", {"scale": 9, "permute": False, "seed": 2**63 - 1}),
    ("rmat", {"scale": 8, "edges": 0}),
    ("rmat", {"scale": 6, "a": 1.0, "b": 0.0, "c": 0.0}),
    ("rmat", {"scale": 6, "a": 0.0, "b": 0.0, "c": 0.0}),
    ("bipartite", {"left": 100, "right": 300, "edges": 4000}),
    ("bipartite", {"left": 1, "right": 77, "edges": 500, "skew": 1.0}),
    ("bipartite", {"left": 1000, "right": 130, "edges": 9000, "skew": 0.52, "seed": 3}),
    ("smallworld", {"nodes": 3, "neighbors": 2, "rewire": 1.0}),
    ("smallworld", {"nodes": 700, "rewire": 0.3}),
    ("smallworld", {"nodes": 500, "neighbors": 0}),
]
CLEANINGS = [
    dict(zip(("undirected", "keep_self_loops", "keep_duplicates"), bits, strict=True))
    for bits in itertools.product((True, False), repeat=3)
]


def assert_same(one: Graph, two: Graph) -> None:
    assert (one.hash, one.undirected) == (two.hash, two.undirected)
    for left, right in ((one.csr, two.csr), (one.reverse, two.reverse)):
        assert (left is None) == (right is None)
        if left is not None and right is not None:
            assert left.row_offsets.dtype == right.row_offsets.dtype
            assert left.column_indices.dtype == right.column_indices.dtype
            np.testing.assert_array_equal(left.row_offsets, right.row_offsets)
            np.testing.assert_array_equal(left.column_indices, right.column_indices)


def of_a_list(spec: GraphSpec) -> Graph:
    """The graph from the list of all edges, without any code that is tested here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gunrock_cli.graph.load.drawn_rows", lambda *_: None)
        patch.setattr(native, "WORTH_IT", 1 << 62)
        return load_graph(spec)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    if native_library.library() is None:
        pytest.skip("no C++ compiler")
    monkeypatch.setattr(native, "WORTH_IT", 0)


WAYS = {
    "one pass": {},
    "narrow keys in many passes": {
        "_SMALL": 0,
        "_NARROW": 12,
        "_MOST_SMALL_BUCKETS": 60,
        "_FEW_PASSES": 1 << 20,
    },
    "narrow keys, most of them dropped": {"_SMALL": 400, "_SHARE": 0.0},
    "wide keys apart, in slices": {"_SMALL": 900, "_NARROW": 0, "_KEYS_PER_BUCKET": 16},
}


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("name", "params"), RECIPES)
def test_compiled_code_draws_the_same_graph(
    name: str, params: dict[str, Any], way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for constant, value in WAYS[way].items():
        monkeypatch.setattr(layout, constant, value)
    for threads, cleaning in zip("13131313", CLEANINGS, strict=True):
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
        spec = GraphSpec(name, params=params, **cleaning)
        assert drawn_rows.drawn_rows(spec, np, silent) is not None
        assert_same(load_graph(spec), of_a_list(spec))


@pytest.mark.usefixtures("compiled")
def test_there_are_as_many_passes_as_memory_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the test above would prove nothing."""
    monkeypatch.setattr(layout, "_SMALL", 0)
    keys = 1 << 15
    monkeypatch.setattr(layout, "_NARROW", 12)
    monkeypatch.setattr(layout, "_MOST_SMALL_BUCKETS", 100)
    how = layout.layout(1 << 10, keys, frugal=True)
    assert (how.key.itemsize, how.apart, how.buckets, how.span) == (4, False, 256, 100)
    # Few keys are held at a time if most are dropped.
    assert layout.layout(1 << 10, keys, frugal=True, made=keys - 5).most == keys
    assert layout.layout(1 << 10, keys, frugal=True, made=keys // 8).most <= 0.3 * keys // 8
    monkeypatch.setattr(layout, "_NARROW", 0)
    monkeypatch.setattr(layout, "_KEYS_PER_BUCKET", 16)
    how = layout.layout(1 << 10, keys, frugal=True)
    assert how.apart
    assert how.most * 8 <= 0.3 * keys * 4
    starts = np.linspace(0, keys, how.buckets + 1).astype(np.int64)
    passes = list(how.passes(starts))
    assert [0, *(last for _, last in passes)] == [*(first for first, _ in passes), how.buckets]
    assert len(passes) >= 6
    assert max(starts[last] - starts[first] for first, last in passes) <= how.most
    hub = np.full(how.buckets + 1, keys)
    hub[0] = 0
    assert list(how.passes(hub)) == [(0, 1), (1, how.buckets)]


@pytest.mark.parametrize(("name", "params"), RECIPES)
@pytest.mark.parametrize("cleaning", CLEANINGS)
def test_no_more_edges_than_expected(
    name: str, params: dict[str, Any], cleaning: dict[str, bool]
) -> None:
    drawing = drawing_of(name, complete_params(name, params))
    assert drawing is not None
    found = of_a_list(GraphSpec(name, params=params, **cleaning))
    both = cleaning["undirected"] or drawing.symmetric
    assert found.m <= drawing.expected(both, cleaning["keep_self_loops"], cleaning["keep_duplicates"])


@pytest.mark.parametrize("both", [True, False])
@pytest.mark.parametrize(
    "params",
    [
        {"scale": 12, "edge_factor": 48},
        {"scale": 13, "edge_factor": 16, "permute": False},
        {"scale": 10, "edge_factor": 100, "a": 0.25, "b": 0.5, "c": 0.1},
    ],
)
def test_the_size_of_an_rmat_graph_is_known_before(params: dict[str, Any], both: bool) -> None:
    drawing = drawing_of("rmat", complete_params("rmat", params))
    assert drawing is not None
    for loops in (True, False):
        spec = GraphSpec("rmat", params=params, undirected=both, keep_self_loops=loops)
        mean = drawing.distinct(both, loops)
        assert abs(of_a_list(spec).m - mean) < 6 * math.sqrt(mean)


@pytest.mark.usefixtures("compiled")
def test_what_does_not_fit_is_refused_before_an_edge_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 3 << 30)
    monkeypatch.setattr(native, "rows_from_drawing", lambda *_, **__: pytest.fail("drawn"))
    with pytest.raises(
        OutOfMemory,
        match=r"rmat-s26-e16: 67108864 vertices and up to 21\d{8} directed "
        r"edges: it needs about \d+\.\d GiB, and 3\.0 GiB are free$",
    ):
        load_graph(GraphSpec("rmat", params={"scale": 26, "edge_factor": 16}))


@pytest.mark.usefixtures("compiled")
def test_progress_goes_up_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    for constant, value in WAYS["wide keys apart, in slices"].items():
        monkeypatch.setattr(layout, constant, value)
    monkeypatch.setattr(native, "_LOOK", 1e-4)
    told: list[float] = []
    load_graph(
        GraphSpec("rmat", params={"scale": 14}), progress=lambda _, fraction: told.append(fraction or 0.0)
    )
    assert told == sorted(told)
    assert 0.2 < told[-1] <= 1.0


# --- the GPU's kernels, on threads of the host --------------------------------------------------------
_HOST_BLOCK = 4
_ALONE = threading.Lock()
_LAUNCHERS = """
extern "C" {
#define GR_LAUNCHED(RECIPE)                                                                          \\
  void host_count_##RECIPE(int grid, const RECIPE* recipe, const Cleaning* clean, i64 edges,         \\
                           u32 first, u32 rows, i32 shift, u64* counts) {                            \\
    launch(grid, BLOCK,                                                                              \\
           [=] { gr_count_##RECIPE(*recipe, *clean, edges, first, rows, shift, counts); });          \\
  }                                                                                                  \\
  void host_keep_##RECIPE(int grid, const RECIPE* recipe, const Cleaning* clean, i64 edges,          \\
                          u32 first, u32 rows, u64* keys, i64 room, u64* tail) {                     \\
    launch(grid, BLOCK,                                                                              \\
           [=] { gr_keep_##RECIPE(*recipe, *clean, edges, first, rows, keys, room, tail); });        \\
  }
GR_LAUNCHED(Rmat)
GR_LAUNCHED(Bipartite)
GR_LAUNCHED(SmallWorld)
void host_count_kept(int grid, const u64* keys, i64 count, i32 keep_duplicates, i64* kept) {
  launch(grid, BLOCK, [=] { gr_count_kept(keys, count, keep_duplicates, kept); });
}
void host_write_kept(int grid, const u64* keys, i64 count, i32 keep_duplicates, const i64* ends,
                     i32* columns, u64* degrees) {
  launch(grid, BLOCK, [=] { gr_write_kept(keys, count, keep_duplicates, ends, columns, degrees); });
}
}
"""


@pytest.fixture(scope="module")
def host_kernels(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from gunrock_cli.errors import BackendError
    from gunrock_cli.toolchain import host_compiler

    shim = __file__.replace("test_drawn_rows.py", "host_gpu.hpp")
    target = tmp_path_factory.mktemp("host") / "slices.so"
    text = f'#define GR_BLOCK {_HOST_BLOCK}\n#include "{shim}"\n{device_rows.source()}\n{_LAUNCHERS}'
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            host_compiler,
            "FLAGS",
            ("-O1", *(flag for flag in host_compiler.FLAGS if not flag.startswith("-O"))),
        )
        try:
            host_compiler.compile_shared(text, target, target)
        except BackendError as error:
            if "no C++ compiler" in str(error):
                pytest.skip(str(error))
            raise
    return ctypes.CDLL(str(target))


class _HostModule:
    """A stand-in for CuPy's module of the kernels' text, with NumPy's arrays for the device's."""

    def __init__(self, library: Any) -> None:
        self._library, self._alone = library, _ALONE

    def get_function(self, name: str) -> Any:
        kernel = getattr(self._library, name.replace("gr_", "host_"))

        def call(grid: tuple[int], block: tuple[int], arguments: tuple[Any, ...]) -> None:
            assert block == (_HOST_BLOCK,)
            with self._alone:  # blocks' shared memory is one for all launches here
                kernel(grid[0], *map(_as_c, arguments))

        return call


def _as_c(argument: Any) -> Any:
    if isinstance(argument, np.ndarray):
        return ctypes.c_void_p(argument.ctypes.data)
    assert isinstance(argument, np.generic), "a plain number has no width on a GPU"
    return np.ctypeslib.as_ctypes_type(argument.dtype)(argument.item())


@pytest.fixture
def host_as_gpu(host_kernels: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    cupy = ModuleType("cupy")
    pool = SimpleNamespace(
        free_all_blocks=lambda: None, free_bytes=lambda: 0, used_bytes=lambda: 0, get_limit=lambda: 0
    )
    vars(cupy).update(
        {name: getattr(np, name) for name in ("empty", "zeros", "cumsum", "ndarray", "int32", "int64")},
        get_default_memory_pool=lambda: pool,
        cuda=SimpleNamespace(
            Device=lambda: SimpleNamespace(attributes={"MultiProcessorCount": 1}),
            runtime=SimpleNamespace(memGetInfo=lambda: (1 << 34, 1 << 35)),
        ),
    )
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.setattr(device_rows, "_module", lambda: _HostModule(host_kernels))
    monkeypatch.setattr(device_rows, "BLOCK", _HOST_BLOCK)
    monkeypatch.setattr(device_rows, "_BLOCKS_PER_PROCESSOR", 3)
    return cupy


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("rmat", {"scale": 0, "edge_factor": 3}),
        ("rmat", {"scale": 7, "edge_factor": 16, "seed": 5}),
        ("rmat", {"scale": 6, "edge_factor": 12, "permute": False}),
        ("rmat", {"scale": 5, "edges": 0}),
        ("rmat", {"scale": 6, "edge_factor": 9, "a": 1.0, "b": 0.0, "c": 0.0}),
        ("bipartite", {"left": 100, "right": 33, "edges": 900, "skew": 0.52}),
        ("bipartite", {"left": 10, "right": 300, "edges": 700}),
        ("smallworld", {"nodes": 200, "rewire": 0.3}),
    ],
)
def test_the_kernels_make_the_same_graph(
    name: str, params: dict[str, Any], host_as_gpu: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    for (small, bits), cleaning in zip(
        itertools.product((1 << 22, 40), (20, 3)), CLEANINGS[::2], strict=True
    ):
        monkeypatch.setattr(device_rows, "SMALL", small)
        monkeypatch.setattr("gunrock_cli.graph.rows.drawing.BUCKET_BITS", bits)
        spec = GraphSpec(name, params=params, **cleaning)
        rows = drawn_rows.drawn_rows(spec, host_as_gpu, silent)
        assert rows is not None
        expected = of_a_list(spec)
        for made, wanted in ((rows.csr, expected.csr), (rows.reverse, expected.reverse)):
            if made is not None and wanted is not None:
                assert made.row_offsets.dtype == wanted.row_offsets.dtype
                np.testing.assert_array_equal(made.row_offsets, wanted.row_offsets)
                np.testing.assert_array_equal(made.column_indices, wanted.column_indices)
        assert rows.changes == expected.changes


@pytest.mark.parametrize("both", [True, False])
@pytest.mark.parametrize("turned", [True, False])
def test_the_kernels_make_some_rows_of_some_columns(
    both: bool, turned: bool, host_as_gpu: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device_rows, "SMALL", 40)
    spec = GraphSpec("rmat", params={"scale": 7, "edge_factor": 5}, undirected=both, reverse=turned)
    whole = of_a_list(spec)
    side = whole.reverse if turned and not both else whole.csr
    assert side is not None
    drawing = drawing_of("rmat", complete_params("rmat", dict(spec.params)))
    assert drawing is not None
    for window in (Window(0, 128, 32, 96), Window(40, 101, 0, 128), Window(17, 17, 0, 128)):
        how = {"both_directions": both, "keep_self_loops": False, "turned": turned}
        keys = int(device_rows.tally_of_drawing(drawing, window, 3, **how).sum())
        rows = device_rows.rows_from_drawing(
            drawing,
            **how,
            keep_duplicates=False,
            name="some",
            report=lambda _: None,
            piece=Piece(window, keys),
        )
        wanted = ends_within(side, window.low, window.high)
        first, last = wanted.row_offsets[window.first], wanted.row_offsets[window.last]
        np.testing.assert_array_equal(
            rows.row_offsets, wanted.row_offsets[window.first : window.last + 1] - first
        )
        np.testing.assert_array_equal(rows.column_indices, wanted.column_indices[first:last])
        assert len(rows.column_indices) <= keys


@pytest.mark.parametrize(
    ("name", "params", "how"),
    [
        ("rmat", {"scale": 9, "edge_factor": 5}, {}),
        (
            "rmat",
            {"scale": 9, "edge_factor": 3, "permute": False},
            {"undirected": False, "reverse": True},
        ),
        ("smallworld", {"nodes": 300, "rewire": 0.3}, {"keep_duplicates": True}),
    ],
)
def test_the_kernels_make_the_same_parts(
    name: str,
    params: dict[str, Any],
    how: dict[str, bool],
    host_as_gpu: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All parts are made at the same time, as GPUs do."""
    monkeypatch.setattr(device_rows, "SMALL", 300)
    monkeypatch.setattr("gunrock_cli.graph.rows.drawing.BUCKET_BITS", 3)
    spec = GraphSpec(name, params=params, **how)
    graph, expected = drawn_in_parts(spec, Teams(3, host_as_gpu)), of_a_list(spec)
    assert_same(graph.to(np), expected)
    for place, part in enumerate(graph.each_part(by_source=True, by_target=True)):
        wanted = cut(expected, graph.partition, place, by_source=True, by_target=True)
        for made, right in ((part.csr, wanted.csr), (part.reverse, wanted.reverse)):
            assert made is not None
            assert right is not None
            np.testing.assert_array_equal(made.row_offsets, right.row_offsets)
            np.testing.assert_array_equal(made.column_indices, right.column_indices)


def test_slices_that_turn_out_larger_than_expected(
    host_as_gpu: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gunrock_cli.graph.rows.drawing.Drawing.expected", lambda *_: 7)
    monkeypatch.setattr(device_rows, "SMALL", 100)
    spec = GraphSpec("rmat", params={"scale": 6, "edge_factor": 8})
    rows = drawn_rows.drawn_rows(spec, host_as_gpu, silent)
    assert rows is not None
    np.testing.assert_array_equal(rows.csr.column_indices, of_a_list(spec).csr.column_indices)


def test_a_device_that_is_too_small(host_as_gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_as_gpu.cuda.runtime, "memGetInfo", lambda: (150 << 30, 200 << 30))
    monkeypatch.setattr(device_rows, "rows_from_drawing", lambda *_, **__: pytest.fail("drawn"))
    spec = GraphSpec("rmat", params={"scale": 30, "edge_factor": 24})
    with pytest.raises(
        OutOfMemory,
        match=r"on the GPU for rmat-s30-e24: 1073741824 vertices and up to "
        r"5\d{10} directed edges: .* and 150\.0 GiB are free$",
    ):
        drawn_rows.drawn_rows(spec, host_as_gpu, silent)


@pytest.mark.parametrize("arch", [75, 90])
def test_the_kernels_compile(arch: int) -> None:
    from gunrock_cli.errors import BackendError
    from gunrock_cli.toolchain import nvrtc

    try:
        nvrtc.nvrtc()
    except BackendError as error:
        pytest.skip(str(error))
    assert nvrtc.compile_text(device_rows.source(), "slices.cu", arch)[0][:4] == b"\x7fELF"


@pytest.mark.gpu
@pytest.mark.parametrize("small", [1 << 22, 500])
@pytest.mark.parametrize(("name", "params"), RECIPES)
def test_a_gpu_draws_the_same_graph(
    name: str, params: dict[str, Any], small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    import cupy

    monkeypatch.setattr(device_rows, "SMALL", small)
    monkeypatch.setattr(load, "FEW_EDGES", -1)
    for cleaning in CLEANINGS:
        spec = GraphSpec(name, params=params, **cleaning)
        assert_same(load_graph(spec, cupy).to(np), of_a_list(spec))


@pytest.mark.gpu
@pytest.mark.slow
def test_a_gpu_takes_little_more_than_the_graph() -> None:
    import cupy

    pool = cupy.get_default_memory_pool()
    pool.free_all_blocks()
    before, most = pool.total_bytes(), 0

    def look(*_: object) -> None:
        nonlocal most
        most = max(most, pool.total_bytes() - before)
        pool.free_all_blocks()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gunrock_cli.graph.rows.device_rows.release_unused", look)  # after each slice
        graph = load_graph(GraphSpec("rmat", params={"scale": 24, "edge_factor": 16}), cupy)
    size = graph.csr.row_offsets.nbytes + graph.csr.column_indices.nbytes
    assert most <= 1.4 * size


def test_which_generators_are_drawn() -> None:
    drawn = {name for name in GENERATORS if drawing_of(name, complete_params(name, {})) is not None}
    assert drawn == {"rmat", "bipartite", "smallworld"}
    assert generated("path", nodes=9).m == 16  # the others are made as usual
