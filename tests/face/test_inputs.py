"""A caller's data: frames of named edges, NetworkX graphs, other libraries' arrays, rows."""

from __future__ import annotations

import pickle
import sys
import types
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import gunrock_cli as gunrock
from gunrock_cli.errors import GunrockError, InputError, OutOfMemory, UsageError
from gunrock_cli.graph.arrays import graph_of, module_of
from gunrock_cli.graph.frames import graph_of_frame
from gunrock_cli.graph.model.names import index_of, vertex_named

CPU: dict[str, Any] = {"backend": "cpu", "threads": 2}
FLIGHTS = pd.DataFrame(
    {"src": ["A", "A", "B", "D"], "dst": ["B", "C", "C", "A"], "km": [4.0, 9.0, 2.5, 1.0]}
)
COLUMNS = ("src", "dst", "km")


def arrow(frame: pd.DataFrame) -> Any:
    return pytest.importorskip("pyarrow").Table.from_pandas(frame)


# --- frames -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("form", ["pandas", "arrow", "batch", "strings", "categories"])
def test_vertices_by_name(form: str) -> None:
    frame: Any = FLIGHTS
    if form in ("arrow", "batch"):
        frame = arrow(frame)
        frame = frame.to_batches()[0] if form == "batch" else frame
    elif form == "strings":
        frame = frame.astype({"src": "string", "dst": "string"})
    elif form == "categories":
        frame = frame.astype({"src": "category", "dst": "category"})
    found = gunrock.sssp(frame, source="A", columns=COLUMNS, mark_pred=True, check=True, **CPU)
    table = found.to_frame()
    assert list(table.index) == ["A", "B", "D", "C"]
    assert table.distances.to_dict() == {"A": 0.0, "B": 4.0, "C": 6.5, "D": np.inf}
    assert table.predecessors["C"] == "B"
    assert table.predecessors.isna().to_dict() == {"A": True, "B": False, "C": False, "D": True}
    assert found.record.graph["origin"]["columns"] == ["src", "dst", "km"]


def test_the_columns_are_source_target_and_weight_unless_others_are_named() -> None:
    named = FLIGHTS.rename(columns={"src": "source", "dst": "target", "km": "weight"})
    assert gunrock.sssp(named, "A", **CPU).distances.max() == np.inf
    unweighted = gunrock.sssp(named, "A", columns=["source", "target"], **CPU)
    assert unweighted.distances.tolist() == [0, 1, -1, 1]
    for ends in ("source", "target"), ("src", "dst"), ("from", "to"):
        other = named[["source", "target"]].set_axis(ends, axis=1)
        assert gunrock.bfs(other, "D", **CPU).labels.tolist() == [1, 2, 0, 2]


def test_names_of_any_kind() -> None:
    """Names may be numbers that do not fit 32 bits, or of two types, which must not meet as floats."""
    far = 2**53 + 1
    frame = pd.DataFrame({"source": [far, 5], "target": [5, far - 1]})
    found = gunrock.bfs(frame, far, mark_pred=True, **CPU).to_frame()
    assert found.labels.to_dict() == {far: 0, 5: 1, far - 1: 2}
    assert found.predecessors.tolist() == [pd.NA, far, 5]
    mixed = pd.DataFrame({"source": [1, 2], "target": [0.5, 1.0]})
    assert gunrock.bfs(mixed, 2, **CPU).to_frame().labels.to_dict() == {1: 1, 2: 0, 0.5: 2}
    tuples = pd.DataFrame({"source": [(0, 1), (0, 2)], "target": [(0, 2), "end"]})
    labels = gunrock.bfs(tuples, (0, 1), **CPU).to_frame().labels
    assert list(labels.items()) == [((0, 1), 0), ((0, 2), 1), ("end", 2)]
    scores = gunrock.bc(tuples, [(0, 1), (0, 2)], **CPU).to_frame().scores
    assert scores[("end")] == 0
    days = pd.DataFrame(
        {
            "source": pd.to_datetime(["2024-01-01", "2024-01-02"]),
            "target": pd.to_datetime(["2024-01-02", "2024-01-05"]),
        }
    )
    assert gunrock.bfs(days, pd.Timestamp("2024-01-01"), **CPU).labels.tolist() == [0, 1, 2]


@given(
    st.lists(
        st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh"), st.integers(0, 9)),
        min_size=1,
        max_size=20,
    )
)
@settings(max_examples=15, deadline=None)
def test_frames_answer_as_networkx_does(edges: list[tuple[str, str, int]]) -> None:
    frame = pd.DataFrame(edges, columns=["source", "target", "weight"])
    own = nx.MultiDiGraph()
    own.add_weighted_edges_from(edges)
    start = edges[0][0]
    expected = nx.single_source_dijkstra_path_length(own, start)
    for a in (frame, own):
        table = gunrock.sssp(a, start, **CPU).to_frame()
        assert table.distances[table.distances >= 0].to_dict() == expected
        assert set(table.index) == set(own)
    hops = gunrock.bfs(frame, start, symmetrize=True, **CPU).to_frame().labels
    assert hops[hops >= 0].to_dict() == nx.single_source_shortest_path_length(nx.Graph(own), start)


def test_components_and_lists_are_by_name_too() -> None:
    graph = gunrock.as_graph(FLIGHTS, columns=COLUMNS, symmetrize=True, backend="cpu")
    assert set(gunrock.cc(graph, **CPU).to_frame().components) == {"A"}
    forest = gunrock.mst(graph, **CPU).to_frame()
    assert {frozenset(row[:2]) for row in forest.itertuples(index=False)} == {
        frozenset(pair) for pair in ("AB", "BC", "AD")
    }
    again = pickle.loads(pickle.dumps(gunrock.bfs(graph, "D", **CPU)))
    assert again.to_frame().labels.to_dict() == {"A": 1, "B": 2, "C": 2, "D": 0}


@pytest.mark.parametrize(
    ("frame", "how", "message"),
    [
        (
            FLIGHTS.rename(columns={"src": "by"}),
            {},
            "the frame has no columns that are called source and "
            "target, src and dst, or from and to: there are 'by', 'dst', 'km'; name those",
        ),
        (FLIGHTS, {"columns": ("src", "to")}, "has 0 columns 'to'"),
        (FLIGHTS, {"columns": ("src",)}, "name the source's, the target's"),
        (FLIGHTS, {"columns": "src"}, "columns='src': give a tuple"),
        (FLIGHTS, {"columns": COLUMNS, "n": 9}, "n goes with arrays of ends"),
        (FLIGHTS, {"columns": COLUMNS, "source": "Z"}, "source='Z': no vertex of edges has that name"),
        (FLIGHTS, {"columns": COLUMNS, "source": ["A"]}, "bfs starts from one source"),
        (pd.concat([FLIGHTS, FLIGHTS], axis=1), {"columns": COLUMNS}, "has 2 columns 'src'"),
        (FLIGHTS.replace("C", None), {"columns": COLUMNS}, "row 1 of the frame has no 'dst'"),
        (pd.DataFrame({"source": [[1]], "target": [2]}), {}, "must be hashable"),
        (FLIGHTS.src, {}, "no graph: a Series"),
        (([0], [1]), {"columns": COLUMNS}, "columns goes with frames"),
        (gunrock.as_graph(([0], [1]), backend="cpu"), {"columns": COLUMNS}, "columns goes with frames"),
        (FLIGHTS[:0], {"columns": COLUMNS}, "no vertices, so no source"),
        ("graph.mtx", {}, "give gunrock.load('graph.mtx')"),
        (Path("graph.mtx"), {}, "give gunrock.load('graph.mtx')"),
    ],
)
def test_refused_in_one_line(frame: Any, how: dict[str, Any], message: str) -> None:
    with pytest.raises(GunrockError) as refused:
        gunrock.bfs(frame, **{"source": "A", **CPU, **how})
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_text_is_no_tuple_of_columns() -> None:
    named = pd.DataFrame({"a": [0], "b": [1]})
    with pytest.raises(GunrockError, match="columns='ab': give a tuple"):
        gunrock.as_graph(named, columns="ab", backend="cpu")  # not the letters of the string
    assert gunrock.as_graph(named, columns=["a", "b"], backend="cpu").m == 1


def test_weights_that_are_none_are_refused() -> None:
    for km in (["far"] * 4, [1.0, None, 2.0, 3.0]):
        with pytest.raises(InputError, match=r"cannot be edge weights|not a number that fits"):
            gunrock.sssp(FLIGHTS.assign(km=km), "A", columns=COLUMNS, **CPU)
    whole = FLIGHTS.assign(km=pd.array([1, 2, 3, 4], dtype="Int64"))
    assert graph_of_frame(whole, COLUMNS).csr.values.dtype == np.int32


def test_arrow_that_is_no_table_is_refused() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(InputError, match="no table of edges"):
        gunrock.bfs(pyarrow.chunked_array([[1, 2]]), 0, **CPU)


def test_a_name_is_looked_up_as_it_is() -> None:
    names = index_of(["a", 1, (2, 3), frozenset({4})])
    assert [vertex_named(names, name) for name in ("a", 1, (2, 3), frozenset({4}))] == [0, 1, 2, 3]
    assert all(vertex_named(names, name) is None for name in ("b", [1], None, slice(1)))
    days = pd.DatetimeIndex(["2024-01-01 10:00", "2024-01-01 11:00"])
    assert vertex_named(days, "2024-01-01") is None


# --- NetworkX -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiDiGraph])
def test_networkx_graphs(kind: type) -> None:
    own = kind([("x", "y", {"weight": 3}), ("y", (1, 2), {"weight": 4}), ("z", "x", {})])
    own.add_node("alone")
    found = gunrock.sssp(own, "x", check=True, **CPU)
    lengths = found.to_frame().distances
    expected = nx.single_source_dijkstra_path_length(own, "x")
    assert lengths[lengths >= 0].to_dict() == expected
    assert list(found.names) == list(own)
    with pytest.raises(UsageError, match="no vertex of networkx has that name"):
        gunrock.bfs(own, 0, **CPU)


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
@pytest.mark.parametrize(
    "nodes",
    [
        range(5),
        [3, 0, 4, 1, 2],
        [0, 1, 2, 3, "4"],
        [False, True, 2, 3, 4],
        [0, 1.0, 2, 3, 4],
        range(1, 6),
    ],
)
def test_networkx_nodes_that_are_numbers(kind: type, nodes: list[Any]) -> None:
    """A node's number is its place, also if names are other numbers, or equal ones of other types."""
    own = kind()
    own.add_nodes_from(nodes)
    names = list(nodes)
    ends = [(0, 3), (3, 1), (1, 4), (4, 4), (2, 0)]
    own.add_weighted_edges_from((names[u], names[v], 1 + u) for u, v in ends)
    if 1 in own:
        own.add_edge(names[0], 1.0, weight=9)  # in its row under a name of another type
    found = gunrock.sssp(own, names[2], **CPU).to_frame().distances
    assert found[found >= 0].to_dict() == nx.single_source_dijkstra_path_length(own, names[2])


def test_networkx_weights_that_are_no_numbers_are_refused() -> None:
    own = nx.Graph([(0, 1, {"weight": "far"})])
    with pytest.raises(InputError, match="weights must be numbers"):
        gunrock.sssp(own, 0, **CPU)
    assert gunrock.bfs(own, 0, **CPU).labels.tolist() == [0, 1]


# --- arrays of other libraries ------------------------------------------------------------------------
class Tensor:
    """An array that is not NumPy's and only supports DLPack."""

    def __init__(self, values: Any, device: int = 1) -> None:
        self.values, self.device = np.asarray(values), device

    def __dlpack__(self, **how: Any) -> Any:
        return self.values.__dlpack__(**how)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (self.device, 0)


def test_arrays_by_dlpack() -> None:
    a = tuple(map(Tensor, ([0, 1, 2], [1, 2, 0], [0.5, 1.5, 4.0])))
    assert gunrock.sssp(a, 0, **CPU).distances.tolist() == [0, 0.5, 2]
    rows = Tensor(np.array([0, 1, 2], np.int32)), Tensor(np.array([1, 0], np.int32))
    graph = gunrock.from_csr(*rows, backend="cpu")
    assert np.shares_memory(graph.csr.column_indices, rows[1].values)


def test_arrays_by_dlpack_stay_on_the_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    cupy = types.ModuleType("cupy")
    cupy.ndarray = type("ndarray", (), {})  # type: ignore[attr-defined]
    taken = []
    cupy.from_dlpack = lambda a: taken.append(a) or a.values  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    a = Tensor([0, 1], device=2), Tensor([1, 0], device=13)
    assert module_of(a) is cupy
    assert graph_of(a).m == 2
    assert taken == list(a)


class OnGpu:
    """A stand-in for a sparse matrix of CuPy's that holds NumPy's arrays: booleans are not converted."""

    def __init__(self, matrix: Any) -> None:
        self._matrix = matrix
        self.shape, self.dtype, self.format = matrix.shape, matrix.dtype, matrix.format
        self.data, self.row, self.col = matrix.data, matrix.row, matrix.col

    def astype(self, dtype: Any) -> OnGpu:
        return OnGpu(self._matrix.astype(dtype))

    def tocsr(self) -> Any:
        if self.dtype == bool:
            raise ValueError("cuSPARSE converts no booleans")
        return self._matrix.tocsr()


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8, bool])
def test_matrices_of_cupy(dtype: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    own = OnGpu(sparse.coo_matrix((np.array([2, 3, 4], dtype), ([0, 1, 0], [1, 2, 2])), shape=(3, 3)))
    with pytest.raises(UsageError, match="no graph: a OnGpu"):
        graph_of(own)
    on_gpu, cupy = types.ModuleType("cupyx.scipy.sparse"), types.ModuleType("cupy")
    on_gpu.issparse = lambda a: isinstance(a, OnGpu)  # type: ignore[attr-defined]
    cupy.ndarray = type("ndarray", (), {})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "cupyx.scipy.sparse", on_gpu)
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    graph = graph_of(own)
    assert module_of(own) is cupy
    assert graph.csr.column_indices.tolist() == [1, 2, 2]
    assert (graph.csr.values is None) == (dtype is bool)
    assert dtype is bool or graph.csr.values.tolist() == [2, 4, 3]


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (Tensor([0], device=8), "a device that is neither the host nor a CUDA GPU"),
        (Tensor([[0]]), "the source array has 2 dimensions"),
        (Tensor([0.5]), "source vertices of type float64"),
        (Tensor(np.array(["a"])), "the source array cannot be shared: "),
    ],
)
def test_arrays_by_dlpack_that_are_refused(array: Tensor, message: str) -> None:
    with pytest.raises(InputError, match=message):
        gunrock.bfs((array, [0]), **CPU)


# --- rows ---------------------------------------------------------------------------------------------
def test_rows_are_taken_as_they_are() -> None:
    offsets, columns = np.array([0, 2, 3, 3], np.int32), np.array([1, 2, 2], np.int32)
    graph = gunrock.from_csr(offsets, columns, [5, 1, 1], name="mine", backend="cpu")
    assert (graph.name, graph.n, graph.m, graph.undirected) == ("mine", 3, 3, False)
    assert np.shares_memory(graph.csr.row_offsets, offsets)
    assert np.shares_memory(graph.csr.column_indices, columns)
    assert graph.hash == graph_of(([0, 0, 1], [1, 2, 2], [5, 1, 1])).hash
    assert gunrock.sssp(graph, 0, check=True, **CPU).distances.tolist() == [0, 5, 1]


def test_a_call_reads_a_matrix_where_it_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kept graphs have their own memory, and so have all answers."""
    from gunrock_cli.face import solve

    a = sparse.csr_array(sparse.random(40, 40, density=0.2, format="csr", random_state=3))
    own = a.indptr, a.indices, a.data
    kept = [array.copy() for array in own]
    measure, seen = solve.measure, []

    def noting(primitive: Any, graph: Any, *how: Any, **more: Any) -> Any:
        seen.append(graph)
        return measure(primitive, graph, *how, **more)

    monkeypatch.setattr(solve, "measure", noting)
    for name in ("bfs", "sssp", "bc", "pagerank", "hits", "salsa", "ppr"):
        outputs = getattr(gunrock, name)(a, **CPU).outputs.values()
        assert np.shares_memory(seen[-1].csr.row_offsets, a.indptr)
        assert np.shares_memory(seen[-1].csr.column_indices, a.indices)
        assert not any(np.shares_memory(each, array) for each in outputs for array in own)
    assert all((array == before).all() for array, before in zip(own, kept, strict=True))
    for graph in (gunrock.as_graph(a, backend="cpu"), gunrock.prepare("bfs", a, **CPU).graph):
        assert not np.shares_memory(graph.csr.row_offsets, a.indptr)
        assert not np.shares_memory(graph.csr.column_indices, a.indices)
    a.indices[0], a.indices[1] = a.indices[1], a.indices[0]
    a.has_sorted_indices = False
    gunrock.bfs(a, **CPU)
    assert not np.shares_memory(seen[-1].csr.column_indices, a.indices)  # rows must ascend


def test_a_graph_says_what_it_is() -> None:
    graph = gunrock.as_graph(([0, 1], [1, 2], [1, 5]), n=1200, name="roads", backend="cpu")
    assert repr(graph) == "<roads: 1,200 vertices, 2 directed edges, directed, weighted>"
    assert repr(gunrock.load("path", nodes=3, backend="cpu")).endswith("4 directed edges, undirected>")


def test_rows_in_disorder_are_made_anew() -> None:
    columns = np.array([2, 1, 1, 2])
    graph = gunrock.from_csr([0, 3, 4, 4], columns, [9, 7, 3, 1], backend="cpu")
    assert graph.csr.column_indices.tolist() == [1, 2, 2]
    assert graph.csr.values.tolist() == [3, 9, 1]
    assert columns.tolist() == [2, 1, 1, 2]
    gapped = np.arange(12, dtype=np.int32)[::4] // 4  # 0, 1, 2, with gaps in memory
    graph = gunrock.from_csr(gapped, [1, 0], backend="cpu")
    assert gunrock.bfs(graph, 0, **CPU).labels.tolist() == [0, 1]
    assert gunrock.from_csr([0], [], backend="cpu").n == 0


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (([], []), "no row offsets"),
        (([0, 2], [0]), "do not rise from 0 to the 1 column indices"),
        (([1, 1], [0]), "do not rise"),
        (([0, 2, 1], [0]), "do not rise"),
        (([0, 1], [1]), "go from 1 to 1, beyond 0 to 0"),
        (([0, 1], [-1]), "go from -1 to -1"),
        (([0.0, 1.0], [0]), "row offsets of type float64"),
        (([0, 1], [0], [1, 2]), "1 column indices and 2 values"),
        (([0, 1], [0], ["a"]), "cannot be edge weights"),
    ],
)
def test_damaged_rows_are_refused(rows: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        gunrock.from_csr(*rows, backend="cpu")


def test_files_with_names_keep_them(tmp_path: Path) -> None:
    (tmp_path / "roads.csv").write_text("from,to,km\nBerlin,Bonn,3\nBonn,Rome,1.5\n")
    graph = gunrock.load(tmp_path / "roads.csv", columns=("from", "to", "km"), backend="cpu")
    found = gunrock.sssp(graph, source="Rome", mark_pred=True, **CPU).to_frame()
    assert found.distances.to_dict() == {"Berlin": 4.5, "Bonn": 1.5, "Rome": 0.0}
    assert found.predecessors["Berlin"] == "Bonn"
    (tmp_path / "names").write_text("x\ny\n")
    graph = gunrock.load("path", nodes=2, vertex_names=tmp_path / "names", backend="cpu")
    assert gunrock.bfs(graph, source="y", **CPU).to_frame().labels.to_dict() == {"x": 1, "y": 0}


@pytest.mark.parametrize("names", [list("abcd"), [3, 2, 1, 0]])
def test_options_that_list_vertices_take_numbers_in_lists_and_names_in_text(names: list[Any]) -> None:
    """Names may be numbers themselves."""
    ends = pd.DataFrame({"source": names[:3], "target": names[1:]})
    by_hand = gunrock.as_graph(([0, 1, 2], [1, 2, 3]), n=4, backend="cpu")
    expected = gunrock.ppr(by_hand, seeds=[1], **CPU).ranks
    for seeds in ([1], np.array([1]), str(names[1]), "#1"):
        assert np.array_equal(gunrock.ppr(ends, seeds=seeds, **CPU).ranks, expected)
    assert gunrock.prepare("ppr", ends, seeds=[1], **CPU)().ranks.tolist() == expected.tolist()
    assert np.array_equal(gunrock.ppr(ends, source=names[1], seeds=None, **CPU).ranks, expected)
    found, same = (gunrock.wtf(graph, user=1, recommendations=2, **CPU) for graph in (ends, by_hand))
    assert found.recommendations.tolist() == same.recommendations.tolist()


# --- matrices and arrays that contradict themselves -----------------------------------------------------
def damaged(form: str, **members: Any) -> Any:
    matrix = sparse.eye(4).asformat(form)
    for name, value in members.items():
        setattr(matrix, name, value)
    return matrix


@pytest.mark.parametrize(
    "matrix",
    [
        *(damaged("csr", indices=np.array([0, wrong, 1, 2])) for wrong in (np.nan, 1.5, None, "1", 1j)),
        *(damaged(form, indices=np.array([0, np.nan, 1, 2])) for form in ("csc", "bsr")),
        damaged("csr", indptr=np.array([0, np.nan, 2, 3, 4])),
        damaged("coo", coords=(np.array([0, np.nan, 1, 2]), np.arange(4))),
        damaged("dia", offsets=np.array([np.nan])),
        damaged("lil", rows=np.array([[np.nan]] * 4, object)),
    ],
    ids=lambda matrix: matrix.format,
)
def test_positions_that_are_no_integers_are_refused(matrix: Any) -> None:
    with pytest.raises(InputError, match=r"^a damaged matrix: .*(not integers|Buffer)"):
        graph_of(matrix)


class Liar:
    """An object that claims to support DLPack."""

    def __init__(self, device: Any = (1, 0), capsule: Any = None) -> None:
        self._device, self._capsule = device, capsule

    def __dlpack_device__(self) -> Any:
        return _given(self._device)

    def __dlpack__(self, **_: Any) -> Any:
        return _given(self._capsule)


def _given(value: Any) -> Any:
    if isinstance(value, Exception):
        raise value
    return value


@pytest.mark.parametrize(
    "liar",
    [
        Liar(None),
        Liar(3),
        Liar(()),
        Liar("cpu"),
        Liar(ZeroDivisionError("no")),
        Liar((99, 0)),
        Liar(),
        Liar(capsule=3),
        Liar(capsule=np.zeros(2)),
        Liar(capsule=Exception("two\nlines")),
        Liar(capsule=AttributeError("x")),
    ],
)
def test_what_lies_about_itself_is_refused_in_one_line(liar: Any) -> None:
    with pytest.raises(InputError) as refused:
        gunrock.bfs((liar, liar), backend="cpu")
    assert "\n" not in str(refused.value)


def test_an_array_that_raises_is_no_array() -> None:
    class Broken:
        def __array__(self, *_: Any, **__: Any) -> Any:
            raise RuntimeError("broken")

        def __arrow_c_stream__(self, *_: Any) -> Any:
            raise RuntimeError("broken")

    with pytest.raises(InputError):
        graph_of((Broken(), Broken()))
    with pytest.raises(InputError, match="no table of edges"):
        gunrock.bfs(Broken(), backend="cpu")


@pytest.mark.parametrize("form", ["coo", "dok"])
def test_a_matrix_without_room_is_refused_before_anything_is_made(form: str, monkeypatch: Any) -> None:
    monkeypatch.setattr("gunrock_cli.graph.model.memory.available_bytes", lambda: 2**34)
    empty = sparse.coo_array((2**31 - 1, 2**31 - 1)).asformat(form)
    monkeypatch.setattr(type(empty), "tocsr", lambda *_: pytest.fail("began"))
    with pytest.raises(OutOfMemory, match="2147483647 vertices and 0 edges"):
        graph_of(empty)


@pytest.mark.parametrize("of", ["frame", "networkx"])
def test_names_that_no_text_can_hold_are_refused(of: str) -> None:
    given: Any = nx.Graph([("a\udc80", "b")])
    if of == "frame":
        ends = (pd.Series([name], dtype=object) for name in ("a\udc80", "b"))
        given = pd.DataFrame(dict(zip(("source", "target"), ends, strict=True)))
    with pytest.raises(InputError, match="no text that UTF-8 can hold"):
        gunrock.as_graph(given, backend="cpu")


@pytest.mark.parametrize("how", [{"radius": 1e308}, {"threshold_factor": 1e308}, {"radius": 2.0}])
def test_a_radius_beyond_the_square_joins_all(how: dict[str, float]) -> None:
    assert gunrock.load("rgg", nodes=9, backend="cpu", **how).m == 72


LONG = 2**53
MIXED = [LONG + 1, LONG, 0.5]
"""Numbers of which the first two would be equal as floating-point numbers."""


@pytest.mark.parametrize(
    "a",
    [
        nx.Graph([(MIXED[0], MIXED[1]), (MIXED[1], MIXED[2])]),
        pd.DataFrame({"source": MIXED[:2], "target": pd.Series(MIXED[1:], dtype=object)}),
        pd.DataFrame({"source": MIXED[:2], "target": MIXED[1:]}, dtype=object),
    ],
    ids=["networkx", "frame", "objects"],
)
def test_long_numbers_beside_fractions_are_names_of_their_own(a: Any) -> None:
    graph = gunrock.as_graph(a, symmetrize=True, backend="cpu")
    assert [str(name) for name in graph.names] == [str(name) for name in MIXED]
    for name, hops in zip(MIXED, ([0, 1, 2], [1, 0, 1], [2, 1, 0]), strict=True):
        assert gunrock.bfs(graph, name, backend="cpu").labels.tolist() == hops


def test_long_numbers_of_two_columns_are_names_of_their_own() -> None:
    for kinds in (("int64", "float64"), ("Int64", "Float64"), ("uint64", "float64")):
        columns = (
            pd.Series(each, dtype=kind)
            for each, kind in zip(([LONG + 1, LONG], [0.5, 1.5]), kinds, strict=True)
        )
        graph = gunrock.as_graph(
            pd.DataFrame(dict(zip(("source", "target"), columns, strict=True))), backend="cpu"
        )
        assert graph.names.tolist() == [LONG + 1, LONG, 0.5, 1.5]


def test_a_long_number_is_not_the_name_that_is_nearest() -> None:
    graph = gunrock.as_graph(nx.Graph([(float(LONG), 0.5)]), backend="cpu")
    assert gunrock.bfs(graph, LONG, backend="cpu").labels.tolist() == [0, 1]
    with pytest.raises(UsageError, match="no vertex of networkx has that name"):
        gunrock.bfs(graph, LONG + 1, backend="cpu")
