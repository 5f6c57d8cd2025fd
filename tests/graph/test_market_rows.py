"""The fast reader of large Matrix Market files: the rows that SciPy's way gives, or none."""

import threading

import numpy as np
import pytest
from graph_helper import BANNER, assert_same
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gunrock_cli.errors import OutOfMemory
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.market_rows import market_rows
from gunrock_cli.graph.model import memory
from gunrock_cli.graph.model.tiny_weights import LEAST
from gunrock_cli.graph.rows import build, native, native_library, rows_job
from gunrock_cli.graph.sources.progress import silent
from gunrock_cli.graph.spec import GraphSpec

QUIET = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(autouse=True)
def _always(monkeypatch):
    if native_library.library() is None:
        pytest.skip("no C++ compiler")
    monkeypatch.setattr(native, "WORTH_IT", 0)
    monkeypatch.setattr(build, "FEW_TO_LOOK_UP", 0)  # files that are read this way never have so few


def both_ways(monkeypatch, spec):
    """Read the graph by SciPy, and by compiled code, which must not decline."""
    assert market_rows(spec, silent) is not None
    quick = load_graph(spec, cache=False)
    with monkeypatch.context() as patch:
        patch.setattr(native, "WORTH_IT", 1 << 62)
        assert market_rows(spec, silent) is None
        return load_graph(spec, cache=False), quick


REALS = st.one_of(
    st.floats(width=32, allow_nan=False, allow_infinity=False, allow_subnormal=False).map(repr),
    st.floats(-1e30, 1e30).filter(lambda x: x == 0 or abs(x) > LEAST).map(lambda x: f"{x:.25e}"),
    st.decimals(-1000, 1000, places=6).map(str),
    st.integers(-(10**18), 10**18).map(str),
    st.sampled_from(
        [
            "0",
            "-0",
            "1.",
            "-.5",
            "1e22",
            "1E+02",
            "1e-22",
            "1.2e-38",
            "123456789.123456789",
            "9007199254740993",
            "0.1e-20",
            "00012.50",
        ]
    ),
)
VALUES = {
    "pattern": st.just(""),
    "integer": st.integers(-(2**31) + 1, 2**31 - 1).map(str),
    "real": REALS,
    "double": REALS,
}


@pytest.mark.parametrize("weights", [("0.0", "-0.0"), ("-0.0", "0.0"), ("-0", "0.0")])
def test_a_negative_zero_is_a_zero(tmp_path, monkeypatch, weights):
    """Otherwise the reader and the order would decide which of two equal weights is kept."""
    path = tmp_path / "g.mtx"
    path.write_text(f"{BANNER} real general\n2 2 2\n1 2 {weights[0]}\n1 2 {weights[1]}\n")
    one, two = both_ways(monkeypatch, GraphSpec("market", path=str(path)))
    assert_same(one, two)
    assert not np.signbit(one.csr.values).any()


@QUIET
@given(
    data=st.data(),
    field=st.sampled_from(sorted(VALUES)),
    undirected=st.booleans(),
    loops=st.booleans(),
    duplicates=st.booleans(),
    symmetry=st.sampled_from(["general", "symmetric", "skew-symmetric"]),
    blank=st.sampled_from([" ", "\t", "  "]),
    end=st.sampled_from(["\n", "\r\n", " \n"]),
    ended=st.booleans(),
)
def test_files_of_all_kinds(
    tmp_path, monkeypatch, data, field, undirected, loops, duplicates, symmetry, blank, end, ended
):
    index = st.integers(1, 12)
    entries = data.draw(st.lists(st.tuples(index, index, VALUES[field]), max_size=40))
    lines = [f"{BANNER} {field} {symmetry}", "% about", f"12 12 {len(entries)}"]
    lines += [blank.join(map(str, entry)).rstrip() for entry in entries]
    body = end.join(lines) + (end if ended or not entries else "")
    path = tmp_path / "g.mtx"
    path.write_bytes(body.encode())
    if symmetry == "skew-symmetric":
        undirected = True
    spec = GraphSpec(
        "market", path=str(path), undirected=undirected, keep_self_loops=loops, keep_duplicates=duplicates
    )
    assert_same(*both_ways(monkeypatch, spec))


@pytest.mark.parametrize("field", ["pattern", "integer", "real"])
@pytest.mark.parametrize("n", [3, 70_000, 20_000_000])
def test_more_text_than_a_buffer(tmp_path, monkeypatch, field, n):
    rng = np.random.default_rng(n)
    count = 60_000
    ends = (min(n, 10**6) * rng.random((count, 2)) ** 3).astype(np.int64)
    ends[rng.random(count) < 0.1] += n - int(ends.max()) - 1  # numbers of all lengths
    values = {
        "pattern": [""] * count,
        "integer": rng.integers(-99, 99, count).tolist(),
        "real": rng.random(count).tolist(),
    }[field]
    path = tmp_path / "g.mtx"
    with path.open("w") as file:
        file.write(f"{BANNER} {field} general\n{n} {n} {count}\n")
        file.writelines(f"{u + 1} {v + 1} {w}\n" for (u, v), w in zip(ends.tolist(), values, strict=True))
    spec = GraphSpec("market", path=str(path))
    for threads in ("1", "3"):
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
        assert_same(*both_ways(monkeypatch, spec))


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("1 2\n", "\n1 2\n"),
        lambda text: text.replace("1 2\n", " 1 2\n"),
        lambda text: text.replace("1 2\n", "1 2 3\n"),
        lambda text: text.replace("1 2\n", "+1 2\n"),
        lambda text: text.replace("1 2\n", "1 5\n"),
        lambda text: text.replace("1 2\n", "0 1\n"),
        lambda text: text.replace("1 2\n", "1 2\n1 2\n"),
        lambda text: text.replace("1 2\n", ""),
        lambda text: text.replace("1 2\n", "1 2\n" + " " * (1 << 19) + "\n"),
        lambda text: text.replace("1 2\n", "00000000000000001 2\n"),
        lambda text: text.replace("1 2\n", f"{2**32 + 1} 2\n"),
    ],
)
def test_the_unusual_is_left_to_scipy(tmp_path, change):
    path = tmp_path / "g.mtx"
    path.write_text(change(f"{BANNER} pattern general\n4 4 3\n3 4\n1 2\n4 4\n"))
    assert market_rows(GraphSpec("market", path=str(path)), silent) is None


def test_a_file_that_changes_between_two_looks(tmp_path, monkeypatch):
    """More edges in a row than were counted must not overwrite another row's."""
    path = tmp_path / "g.mtx"
    head = f"{BANNER} pattern general\n4 4 4\n"
    path.write_text(head + "1 2\n1 3\n2 3\n3 4\n")
    make_room = rows_job.Job.make_room

    def meanwhile(job, *arguments):
        with path.open("r+") as file:
            file.seek(len(head))
            file.write("4 4\n4 1\n4 2\n4 3\n")
        make_room(job, *arguments)

    monkeypatch.setattr(rows_job.Job, "make_room", meanwhile)
    assert market_rows(GraphSpec("market", path=str(path)), silent) is None


def test_progress_and_interruption(monkeypatch):
    """Ctrl-C while compiled code reads does not wait for the whole file."""
    monkeypatch.setattr(native, "_LOOK", 0.01)
    told = []
    file = native_library.FileJob()
    stopped = threading.Event()

    def call():
        while not file.stop:
            stopped.wait(0.01)
        stopped.set()
        return -1

    def tell(fraction):
        told.append(fraction)
        file.done += 10
        if len(told) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        native._watched(call, file, tell, 40)
    assert told == [0.0, 0.25, 0.5]
    assert stopped.is_set()


def test_memory_is_asked_for_first(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: 100)
    path = tmp_path / "g.mtx"
    path.write_text(f"{BANNER} pattern general\n90 90 1\n1 2\n")
    with pytest.raises(OutOfMemory, match="90 vertices and 2 directed edges"):
        load_graph(GraphSpec("market", path=str(path)), cache=False)
