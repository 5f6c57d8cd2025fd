"""Graphs of data in memory: matrices of every format, arrays of ends, and input that is no graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from graph_helper import assert_well_formed, edges, matrix
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.arrays import graph_of, graph_of_csr, symmetrized

FORMATS = ("csr", "csc", "coo", "lil", "dok", "dia", "bsr")


def small(dtype: Any = np.int32) -> sparse.csr_array:
    """0 -> 1 (5), 0 -> 2 (7), 2 -> 0 (3), and a loop on 1 (2)."""
    return sparse.csr_array(np.array([[0, 5, 7], [0, 2, 0], [3, 0, 0]], dtype))


EXPECTED = [(0, 1, 5), (0, 2, 7), (1, 1, 2), (2, 0, 3)]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csr_matrix])
def test_every_format_is_the_same_graph(form: str, kind: Any) -> None:
    graph = graph_of(kind(small()).asformat(form))
    assert edges(graph.csr) == EXPECTED
    assert not graph.undirected
    assert graph.hash == graph_of(small()).hash
    assert graph.origin == {
        "kind": "matrix",
        "format": form,
        "undirected": False,
        "keep_self_loops": True,
        "keep_duplicates": False,
        "weights": "given",
        "weight_type": str(graph.csr.values.dtype),
    }
    assert_well_formed(graph)


@pytest.mark.parametrize("dtype", ["i1", "i8", "u8", ">i4", "f2", "f4", "f8"])
def test_values_become_weights_of_32_bits(dtype: Any) -> None:
    graph = graph_of((np.array([0, 0, 1, 2]), np.array([1, 2, 1, 0]), np.array([5, 7, 2, 3], dtype)))
    kind = np.float32 if np.dtype(dtype).kind == "f" else np.int32
    assert graph.csr.values.dtype == kind
    assert edges(graph.csr) == EXPECTED


def test_booleans_weigh_nothing_and_weights_can_be_left() -> None:
    assert graph_of(small(bool)).csr.values is None
    assert graph_of(([0], [1], [True])).csr.values is None
    assert graph_of(small(), weighted=False).csr.values is None
    complex_ones = small().astype(complex)
    assert edges(graph_of(complex_ones, weighted=False).csr) == [edge[:2] for edge in EXPECTED]
    with pytest.raises(InputError, match="complex128 cannot be edge weights"):
        graph_of(complex_ones)


def test_a_stored_zero_is_an_edge() -> None:
    stored = sparse.coo_array(([0, 4], ([0, 1], [1, 0])), shape=(2, 2))
    assert edges(graph_of(stored).csr) == [(0, 1, 0), (1, 0, 4)]


@pytest.mark.parametrize("form", ["coo", "csr"])
@pytest.mark.parametrize("weighted", [True, False])
def test_duplicates_of_a_matrix_are_one_entry_the_sum(form: str, weighted: bool) -> None:
    if form == "coo":
        a = sparse.coo_array(([3, 4, 1], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    else:
        a = sparse.csr_array(([3, 4, 1], [1, 1, 0], [0, 2, 3]), shape=(2, 2))
    before = a.data.copy()
    for keep in (False, True):  # an option of arrays
        graph = graph_of(a, weighted=weighted, keep_duplicates=keep)
        assert edges(graph.csr) == ([(0, 1, 7), (1, 0, 1)] if weighted else [(0, 1), (1, 0)])
    assert (a.data == before).all()


def test_of_duplicates_in_arrays_the_lightest_stays() -> None:
    ends = [0, 0, 1], [1, 1, 0], [3, 4, 1]
    assert edges(graph_of(ends).csr) == [(0, 1, 3), (1, 0, 1)]
    assert edges(graph_of(ends, keep_duplicates=True).csr) == [(0, 1, 3), (0, 1, 4), (1, 0, 1)]


def test_self_loops_stay_unless_asked_otherwise() -> None:
    loops = [edge for edge in EXPECTED if edge[0] != edge[1]]
    assert edges(graph_of(small(), keep_self_loops=False).csr) == loops


def test_rows_out_of_order_are_sorted_and_the_matrix_stays_as_it_is() -> None:
    a = sparse.csr_array(([7, 5, 2, 3], [2, 1, 1, 0], [0, 2, 3, 4]), shape=(3, 3))
    assert edges(graph_of(a).csr) == EXPECTED
    assert a.indices.tolist() == [2, 1, 1, 0]
    a.has_canonical_format = True  # a broken promise
    assert edges(graph_of(a).csr) == EXPECTED


@pytest.mark.parametrize("weighted", [True, False])
def test_room_behind_the_entries_is_not_looked_at(weighted: bool) -> None:
    a = small()
    a.indices, a.data = np.append(a.indices, 99).astype(np.int32), np.append(a.data, 1)
    assert edges(graph_of(a, weighted=weighted).csr) == [e if weighted else e[:2] for e in EXPECTED]


def test_the_graph_is_its_own() -> None:
    a = small()
    graph = graph_of(a)
    a.indices[:], a.indptr[:], a.data[:] = 0, 0, 0
    assert edges(graph.csr) == EXPECTED


@pytest.mark.parametrize("make", [graph_of, lambda a, **how: symmetrized(graph_of(a))])
def test_symmetrizing_adds_reverses_and_the_lightest_stays(make: Any) -> None:
    graph = make(small(), symmetrize=True)
    assert graph.undirected
    assert edges(graph.csr) == [(0, 1, 5), (0, 2, 3), (1, 0, 5), (1, 1, 2), (2, 0, 3)]
    assert symmetrized(graph) is graph
    assert_well_formed(graph)


def test_vertices_are_counted_or_given() -> None:
    assert graph_of(([0, 4], [1, 2])).n == 5
    assert graph_of(([0, 4], [1, 2]), n=np.int64(9)).n == 9
    assert (graph_of(([], [])).n, graph_of(([], []), n=3).n) == (0, 3)
    assert graph_of(sparse.csr_array((4, 4))).m == 0
    assert graph_of(sparse.csr_array((0, 0))).n == 0


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(1, 9)), max_size=25))
@settings(max_examples=60, deadline=None)
def test_a_graph_is_its_matrix(entries: list[tuple[int, int, int]]) -> None:
    rows, columns, values = np.array(entries, np.int64).reshape(-1, 3).T
    a = sparse.coo_array((values, (rows, columns)), shape=(8, 8))
    graph = graph_of(a)
    assert_well_formed(graph)
    assert (matrix(graph.csr).toarray() == a.toarray()).all()


def damaged(key: str, value: Any, form: str = "csr") -> Any:
    a = small().asformat(form)
    getattr(a, key)[1] = value
    return a


@pytest.mark.parametrize(
    ("a", "how", "message"),
    [
        (sparse.csr_array((3, 4)), {}, r"shape \(3, 4\) is not square"),
        (sparse.coo_array(np.array([1, 0, 2])), {}, r"shape \(3,\) is not square"),
        (small(), {"n": 3}, "n goes with arrays of ends"),
        (damaged("indices", 99), {}, "damaged matrix: indices goes from 0 to 99, beyond 0 to 2"),
        (damaged("indices", -1, "csc"), {}, "damaged matrix: indices goes from -1"),
        (damaged("row", 3, "coo"), {}, "damaged matrix: row goes from 0 to 3"),
        (damaged("indptr", 7), {}, "damaged matrix: indptr does not rise"),
        (np.eye(3), {}, r"no graph: a dense array of shape \(3, 3\); give a SciPy or CuPy sparse matrix"),
        ("graph.mtx", {}, "no graph: a str; give"),
        (None, {}, "no graph: a NoneType"),
        (([0], [1], [2], [3]), {}, "no graph: a tuple of 4"),
        (
            [(0, 1), (1, 2)],
            {},
            "no graph: a list of tuples, as of edges",
        ),  # not 0 to 1 and 1 to 2 by chance
        ([(0, 1), (0, 2), (0, 3), (1, 2)], {}, "no graph: a list of tuples"),
        (([0, 1], [1]), {}, r"edge arrays of unequal length: \[2, 1\]"),
        (([0, 1], [1, 0], [1]), {}, r"edge arrays of unequal length: \[2, 2, 1\]"),
        (([0.5], [1]), {}, "source vertices of type float64: give integers"),
        (([0], [True]), {}, "target vertices of type bool: give integers"),
        (([0], ["1"]), {}, "target vertices of type <U1: give integers"),
        (([[0]], [1]), {}, "the source array has 2 dimensions, not 1"),
        (([0, [1]], [1, 1]), {}, "the source array is no array of numbers"),
        (([0], [-1]), {}, "vertex number -1 is out of range"),
        (([0], [2**33]), {}, "vertex number 8589934592 is out of range"),
        (([0], [5]), {"n": 5}, "an edge ends at vertex 5, but vertices are 0 to 4"),
        (([0], [1]), {"n": -1}, "a graph cannot have -1 vertices"),
        (([0], [1]), {"n": 2.0}, "n=2.0: give the number of vertices"),
        (([0], [1], ["x"]), {}, "values of type <U1 cannot be edge weights"),
        (([0], [1], [np.nan]), {}, "edges: the value of entry 1 nan is not a number that fits"),
        (([0], [1], [2**40]), {}, "1099511627776 is not a number that fits in a 32-bit weight"),
        (small(float) * 1e300, {}, "is not a number that fits in a 32-bit weight"),
    ],
)
def test_what_is_no_graph_is_refused_in_one_line(a: Any, how: dict[str, Any], message: str) -> None:
    with pytest.raises((InputError, UsageError), match=message) as refused:
        graph_of(a, **how)
    assert "\n" not in str(refused.value)


@pytest.mark.gpu
@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("to_gpu", [True, False])
def test_a_cupy_matrix_is_the_same_graph(form: str, to_gpu: bool) -> None:
    import cupy
    from cupyx.scipy import sparse as on_gpu

    own = on_gpu.csr_matrix(sparse.csr_matrix(small(np.float32))).asformat(form)
    graph = graph_of(own, xp=cupy if to_gpu else np)
    assert graph.xp is (cupy if to_gpu else np)
    assert edges(graph.to(np).csr) == EXPECTED
    assert graph.hash == graph_of(small(np.float32)).hash
    assert_well_formed(graph.to(np))


@pytest.mark.gpu
@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_cupy_matrices_of_booleans_and_of_duplicates(form: str) -> None:
    import cupy
    from cupyx.scipy import sparse as on_gpu

    own = on_gpu.csr_matrix(sparse.csr_matrix(small(bool))).asformat(form)
    assert edges(graph_of(own, xp=cupy).to(np).csr) == [edge[:2] for edge in EXPECTED]
    twice = on_gpu.csr_matrix(
        (cupy.array([4.0, 3.0, 1.0]), cupy.array([1, 1, 0]), cupy.array([0, 2, 3])), shape=(2, 2)
    )
    assert edges(graph_of(twice, xp=cupy).to(np).csr) == [(0, 1, 7), (1, 0, 1)]
    assert edges(graph_of(twice, weighted=False, xp=cupy).to(np).csr) == [(0, 1), (1, 0)]
    assert twice.data.tolist() == [4, 3, 1]


@pytest.mark.gpu
def test_cupy_arrays_of_ends() -> None:
    import cupy

    ends = cupy.array([0, 0, 1, 2]), cupy.array([1, 2, 1, 0]), cupy.array([5, 7, 2, 3])
    assert edges(graph_of(ends, xp=cupy).to(np).csr) == EXPECTED
    with pytest.raises(InputError, match="vertex number -1"):
        graph_of((ends[0], cupy.array([1, 2, 1, -1])), xp=cupy)
    with pytest.raises(InputError, match="is not a number that fits"):
        graph_of((*ends[:2], cupy.array([1, 2, 1, cupy.nan])), xp=cupy)


class Masked:
    """An object that converts to a masked array, like some file formats' readers."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.ma.array([0, 1], mask=[False, True])


def of_arrow() -> Any:
    return pytest.importorskip("pyarrow").array([0, None])


MISSING: list[Callable[[], Any]] = [
    lambda: np.ma.array([0, 1], mask=[False, True]),
    lambda: [0, np.ma.masked],
    Masked,
    of_arrow,
    lambda: pd.array([0, None], "Int64"),
    *(lambda kind=kind: pd.Series([0, None], dtype=kind) for kind in ("Int64", "category", object)),
]


NO_NUMBER = r"masked or missing|of type (object|float64)|nan is not a number"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("place", range(3))
def test_entries_that_are_missing_are_no_numbers(missing: Callable[[], Any], place: int) -> None:
    arrays: list[Any] = [[0, 1], [1, 0], [1, 1]]
    arrays[place] = missing()
    with pytest.raises(InputError, match=NO_NUMBER):
        graph_of(tuple(arrays))
    if place:
        arrays[0] = [0, 1, 2]
    with pytest.raises(InputError, match=NO_NUMBER):
        graph_of_csr(*arrays)


def test_a_mask_that_masks_nothing_is_no_matter() -> None:
    ends = np.ma.array([0, 1], mask=[False, False])
    graph = graph_of((ends, ends[::-1], np.ma.array([5, 7])))
    assert edges(graph.csr) == [(0, 1, 5), (1, 0, 7)]
    assert all(type(array) is np.ndarray for array in (graph.csr.column_indices, graph.csr.values))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("form", "key"),
    [
        *((form, key) for form in ("csr", "csc", "bsr") for key in ("data", "indices", "indptr")),
        ("coo", "data"),
        ("dia", "data"),
        ("dia", "offsets"),
    ],
)
@pytest.mark.parametrize("weighted", [False, True])
def test_a_matrix_of_masked_arrays_is_refused(form: str, key: str, weighted: bool) -> None:
    a = small().asformat(form)
    setattr(a, key, np.ma.masked_equal(getattr(a, key), getattr(a, key).flat[0]))
    with pytest.raises(InputError, match=f"the matrix's {key} is a masked array"):
        graph_of(a, weighted=weighted)


@pytest.mark.filterwarnings("error")
def test_masked_entries_of_other_matrices_are_refused() -> None:
    ends = sparse.coo_array(small())
    ends.coords = (np.ma.masked_equal(ends.row, 0), ends.col)
    rows, keys = small().tolil(), small().todok()
    rows.data[0][0] = keys._dict[0, 1] = np.ma.masked
    for a in (ends, rows, keys):
        with pytest.raises(InputError, match="masked"):
            graph_of(a)


@pytest.mark.parametrize("n", [np.ma.masked, np.array(3.0), "3", True, 2.0])
def test_a_number_of_vertices_is_a_whole_number(n: Any) -> None:
    with pytest.raises(UsageError, match="give the number of vertices"):
        graph_of(([0], [1]), n=n)
