"""The fast reader of large edge lists: the rows that pandas' way gives, or none; in passes if memory is
short."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from graph_helper import assert_same
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from gunrock_cli.errors import InputError, OutOfMemory
from gunrock_cli.graph.edge_list_rows import edge_list_rows
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.market_rows import market_rows
from gunrock_cli.graph.model import memory
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.tiny_weights import LEAST
from gunrock_cli.graph.rows import build, layout, native, native_library
from gunrock_cli.graph.sources.progress import silent
from gunrock_cli.graph.spec import GraphSpec

QUIET = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(autouse=True)
def _always(monkeypatch: pytest.MonkeyPatch) -> None:
    if native_library.library() is None:
        pytest.skip("no C++ compiler")
    monkeypatch.setattr(native, "WORTH_IT", 0)
    monkeypatch.setattr(build, "FEW_TO_LOOK_UP", 0)  # files that are read this way never have so few


def both_ways(monkeypatch: pytest.MonkeyPatch, spec: GraphSpec) -> tuple[Graph, Graph]:
    """Read the graph by pandas, and by compiled code, which must not decline."""
    assert edge_list_rows(spec, silent) is not None
    quick = load_graph(spec, cache=False)
    with monkeypatch.context() as patch:
        patch.setattr(native, "WORTH_IT", 1 << 62)
        assert edge_list_rows(spec, silent) is None
        return load_graph(spec, cache=False), quick


WHOLE = st.one_of(
    st.integers(-(2**31) + 1, 2**31 - 1).map(str),
    st.sampled_from(["3.0", "-0", "-0.0", "1e3", "250e-1", "2147483647.0"]),
)
REAL = st.one_of(
    WHOLE,
    st.floats(width=32, allow_nan=False, allow_infinity=False, allow_subnormal=False).map(repr),
    st.floats(-1e30, 1e30).filter(lambda x: x == 0 or abs(x) > LEAST).map(lambda x: f"{x:.25e}"),
    st.sampled_from(["1.", "-.5", "1E+02", "1.2e-38", "9007199254740993", "0.1e-20", "2147483648"]),
)


@QUIET
@given(
    data=st.data(),
    weights=st.sampled_from([None, WHOLE, REAL]),
    asked=st.sampled_from([None, "none"]),
    undirected=st.booleans(),
    loops=st.booleans(),
    duplicates=st.booleans(),
    short=st.booleans(),
    blank=st.sampled_from([" ", "\t", "  "]),
    end=st.sampled_from(["\n", "\r\n", " \n"]),
    ended=st.booleans(),
    head=st.sampled_from(["", "# a b\n", "% 1 2\n\n#\n", "\n\n"]),
)
def test_files_of_all_kinds(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    data: Any,
    weights: Any,
    asked: str | None,
    undirected: bool,
    loops: bool,
    duplicates: bool,
    blank: str,
    end: str,
    ended: bool,
    head: str,
    short: bool,
) -> None:
    vertex = st.one_of(st.integers(0, 12), st.sampled_from([0, 99, 12345])).map(str)
    edge = st.tuples(vertex, vertex) if weights is None else st.tuples(vertex, vertex, weights)
    lines = [blank.join(each) for each in data.draw(st.lists(edge, min_size=1, max_size=30))]
    path = tmp_path / "g.txt"
    path.write_bytes((head + end.join(lines) + (end if ended else "")).encode())
    spec = GraphSpec(
        "edge-list",
        path=str(path),
        undirected=undirected,
        keep_self_loops=loops,
        keep_duplicates=duplicates,
        weights=asked,
    )
    found = [float(line.split()[2]) for line in lines if weights is not None]
    assume(not all(map(float.is_integer, found)) or all(-(2**31) < each < 2**31 for each in found))
    with monkeypatch.context() as patch:
        if short:
            make_short_of_memory(patch)
        assert_same(*both_ways(patch, spec))


def make_short_of_memory(patch: pytest.MonkeyPatch) -> None:
    """Make memory so short that keys are sorted a few at a time."""
    patch.setattr(native, "_COMFORT", 0.0)
    for constant, value in {"_SMALL": 200, "_NARROW": 0, "_KEYS_PER_BUCKET": 4}.items():
        patch.setattr(layout, constant, value)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("1 2 5", "1,2,5"),
        lambda text: text.replace("1 2 5", " 1 2 5"),
        lambda text: text.replace("1 2 5", "1 2 5 # five"),
        lambda text: text.replace("1 2 5", "1 2 +5"),
        lambda text: text.replace("1 2 5", "1 2 5 6"),
        lambda text: text.replace("1 2 5", "1 2"),
        lambda text: text.replace("1 2 5", "1 x 5"),
        lambda text: text.replace("1 2 5", "1 -2 5"),
        lambda text: text.replace("1 2 5", "1 2147483647 5"),
        lambda text: text.replace("1 2 5", "1 00000000002 5"),
        lambda text: text.replace("1 2 5", "1 2 2147483648"),  # refused, as it is written as an integer
        lambda text: text.replace("1 2 5", "1 2 nan"),
        lambda text: text.replace("1 2 5", "1 2 inf"),
        lambda text: text.replace("1 2 5", "1 2 1e39"),
        lambda text: text.replace("1 2 5", "1 2 0x5"),
        lambda text: text.replace("1 2 5", "1 2 ."),
        lambda text: text.replace("1 2 5", "1 2 5\n\n"),
        lambda text: text.replace("1 2 5", "1 2 5\n# more"),
        lambda text: text.replace("1 2 5", "1 2 5" + " " * (1 << 19)),
        lambda text: text.replace("1 2 5", "1 2 5\r "),
        lambda text: text.replace("1 2 5", "1 2 5\r\r"),
    ],
)
def test_the_unusual_is_left_to_pandas(tmp_path: Path, change: Any) -> None:
    path = tmp_path / "g.txt"
    path.write_bytes(change("# u v w\n3 4 1\n1 2 5\n4 4 2\n").encode())
    assert edge_list_rows(GraphSpec("edge-list", path=str(path)), silent) is None


def test_more_text_than_a_buffer_packed_or_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    ends = (10**6 * rng.random((60_000, 2)) ** 3).astype(np.int64).tolist()
    text = "# many\n" + "".join(f"{u}\t{v}\n" for u, v in ends)
    (tmp_path / "g.txt").write_text(text)
    (tmp_path / "g.txt.gz").write_bytes(gzip.compress(text.encode(), 1))
    for name, threads in (("g.txt", "1"), ("g.txt", "3"), ("g.txt.gz", "2")):
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
        assert_same(*both_ways(monkeypatch, GraphSpec("edge-list", path=str(tmp_path / name))))


def test_numbers_of_all_lengths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "g.txt"
    path.write_text("".join(f"{10**k} {10**k - 1}\n0{10**k} 0\n" for k in range(8)) + "0012345678 3\n")
    assert_same(*both_ways(monkeypatch, GraphSpec("edge-list", path=str(path))))


def test_a_file_that_changes_between_two_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Vertices beyond the counted ones must not be written anywhere."""
    path = tmp_path / "g.txt"
    path.write_text("1 2\n1 3\n2 3\n3 4\n")
    code = native_library.library()
    count = code.gr_count_list

    class Meanwhile:
        def __getattr__(self, name: str) -> Any:
            if name == "gr_count_list":
                path.write_text("9 9\n1 9\n2 3\n3 4\n")
                return count
            return getattr(code, name)

    monkeypatch.setattr(native, "library", Meanwhile)
    assert edge_list_rows(GraphSpec("edge-list", path=str(path)), silent) is None


def test_memory_is_asked_for_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 100)
    path = tmp_path / "g.txt"
    path.write_text("88 89\n")
    with pytest.raises(OutOfMemory, match="90 vertices and 2 directed edges"):
        load_graph(GraphSpec("edge-list", path=str(path)), cache=False)


def test_what_is_wrong_is_said_as_ever(tmp_path: Path) -> None:
    path = tmp_path / "g.txt"
    path.write_text("1 2\n3 x\n")
    with pytest.raises(InputError, match=r"g\.txt:2: expected two vertex numbers"):
        load_graph(GraphSpec("edge-list", path=str(path)), cache=False)


@pytest.mark.parametrize("weight", ["", " 7", " 2.5"])
def test_short_of_memory_a_matrix_is_read_in_passes(
    tmp_path: Path, weight: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(1)
    ends = rng.integers(1, 500, (9000, 2)).tolist()
    field = {"": "pattern", " 7": "integer", " 2.5": "real"}[weight]
    path = tmp_path / "g.mtx"
    path.write_text(
        f"%%MatrixMarket matrix coordinate {field} general\n500 500 {len(ends)}\n"
        + "".join(f"{u} {v}{weight}\n" for u, v in ends)
    )
    spec = GraphSpec("market", path=str(path))
    expected = load_graph(spec, cache=False)
    make_short_of_memory(monkeypatch)
    told: list[float | None] = []
    monkeypatch.setattr(native, "_LOOK", 1e-4)
    assert market_rows(spec, lambda _, fraction: told.append(fraction)) is not None
    assert max(fraction or 0.0 for fraction in told) > 0.2
    assert_same(expected, load_graph(spec, cache=False))
