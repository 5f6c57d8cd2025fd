"""Matrix Market files: accepted, or refused with the right words."""

import gzip
import io
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from graph_helper import BANNER, assert_well_formed, edges, load_text

from gunrock_cli.errors import InputError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.sources.files.readers import text
from gunrock_cli.graph.spec import GraphSpec

pytestmark = pytest.mark.usefixtures("cpu_path")

PATTERN = f"{BANNER} pattern general\n% a comment\n\n4 4 4\n1 2\n2 1\n3 3\n3 4\n"


def test_pattern(tmp_path):
    graph = load_text(tmp_path, PATTERN)
    assert_well_formed(graph)
    assert graph.name == "g"
    assert graph.undirected
    assert edges(graph.csr) == [(0, 1), (1, 0), (2, 3), (3, 2)]


@pytest.mark.parametrize("end", ["", " ", "\t", " \n", "\r\n"])
def test_how_the_last_line_ends_does_not_matter(tmp_path, end):
    assert edges(load_text(tmp_path, PATTERN.rstrip() + end).csr) == [(0, 1), (1, 0), (2, 3), (3, 2)]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"undirected": False}, [(0, 1), (1, 0), (2, 3)]),
        ({"undirected": False, "keep_self_loops": True}, [(0, 1), (1, 0), (2, 2), (2, 3)]),
        ({"keep_self_loops": True}, [(0, 1), (1, 0), (2, 2), (2, 3), (3, 2)]),
        ({"keep_duplicates": True}, [(0, 1), (0, 1), (1, 0), (1, 0), (2, 3), (3, 2)]),
    ],
)
def test_cleaning(tmp_path, options, expected):
    graph = load_text(tmp_path, PATTERN, **options)
    assert_well_formed(graph)
    assert edges(graph.csr) == expected


@pytest.mark.parametrize(
    ("field", "value", "dtype"),
    [("integer", "-7", np.int32), ("real", "2.5", np.float32), ("real", "1e-3", np.float32)],
)
def test_weights(tmp_path, field, value, dtype):
    graph = load_text(tmp_path, f"{BANNER} {field} general\n2 2 1\n1 2 {value}\n")
    assert graph.csr.values.dtype == dtype
    assert graph.csr.values.tolist() == [dtype(value)] * 2


@pytest.mark.parametrize("undirected", [True, False])
def test_symmetric_has_both_directions(tmp_path, undirected):
    text = f"{BANNER} integer symmetric\n3 3 3\n2 1 5\n3 1 6\n2 2 9\n"
    graph = load_text(tmp_path, text, undirected=undirected, keep_self_loops=True)
    assert graph.undirected
    assert edges(graph.csr) == [(0, 1, 5), (0, 2, 6), (1, 0, 5), (1, 1, 9), (2, 0, 6)]


def test_skew_symmetric(tmp_path):
    text = f"{BANNER} integer skew-symmetric\n2 2 1\n2 1 5\n"
    assert edges(load_text(tmp_path, text).csr) == [(0, 1, 5), (1, 0, 5)]
    directed = load_text(tmp_path, text, undirected=False)
    assert edges(directed.csr) == [(0, 1, -5), (1, 0, 5)]
    assert_well_formed(directed)


def test_gzip_and_stdin(tmp_path, monkeypatch):
    plain = load_text(tmp_path, PATTERN)
    packed = tmp_path / "g.mtx.gz"
    packed.write_bytes(gzip.compress(PATTERN.encode()))
    graph = load_graph(GraphSpec("market", path=str(packed)))
    assert (graph.hash, graph.name) == (plain.hash, "g")
    for data in (PATTERN.encode(), gzip.compress(PATTERN.encode())):
        text._stdin.cache_clear()
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
        graph = load_graph(GraphSpec("market", path="-"))
        assert (graph.hash, graph.name) == (plain.hash, "stdin")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.rstrip("\n"),
        lambda text: text.upper(),
        lambda text: text + "\n\n",
        lambda text: text.replace("1 2\n", "  1\t2  \n"),
    ],
)
def test_other_spellings(tmp_path, change):
    assert load_text(tmp_path, change(PATTERN)).hash == load_text(tmp_path, PATTERN).hash


def test_no_entries(tmp_path):
    graph = load_text(tmp_path, f"{BANNER} pattern general\n3 3 0\n")
    assert (graph.n, graph.m) == (3, 0)


BAD = {
    "empty": ("", "1: not a Matrix Market file"),
    "no banner": ("3 3 1\n1 2\n", "1: not a Matrix Market file"),
    "short banner": ("%%MatrixMarket matrix\n", "1: the banner must be"),
    "array": ("%%MatrixMarket matrix array real general\n1 1\n1\n", "1: a array matrix"),
    "complex": (f"{BANNER} complex general\n1 1 1\n1 1 1 1\n", "1: .*complex"),
    "hermitian": (f"{BANNER} real hermitian\n1 1 1\n1 1 1\n", "1: .*complex"),
    "field": (f"{BANNER} quaternion general\n", "1: unknown field"),
    "symmetry": (f"{BANNER} real diagonal\n", "1: unknown symmetry"),
    "no size": (f"{BANNER} pattern general\n% x\n", "3: the file ends before its size line"),
    "short size": (f"{BANNER} pattern general\n3 3\n", "2: the size line"),
    "wordy size": (f"{BANNER} pattern general\n3 3 x\n", "2: the size line"),
    "negative size": (f"{BANNER} pattern general\n3 3 -1\n", "2: the size line"),
    "not square": (f"{BANNER} pattern general\n3 4 1\n1 2\n", "2: a 3 x 4 matrix is not square"),
    "huge": (f"{BANNER} pattern general\n3000000000 3000000000 1\n1 2\n", "2: .*32-bit"),
    "lying": (f"{BANNER} pattern general\n3 3 900000000000\n1 2\n", "2: truncated, or a wrong"),
    "null byte": (f"{BANNER} integer general\n3 3 2\n1 2 3\n2 3 4\0", "4: a null byte"),
    "truncated": (f"{BANNER} real general\n3 3 3\n1 2 1\n2 3 1\n", "truncated: 1 of 3 entries"),
    "surplus": (f"{BANNER} pattern general\n3 3 1\n1 2\n2 3\n", "4: more entries than the 1"),
    "out of range": (f"{BANNER} pattern general\n3 3 2\n1 2\n2 4\n", "4: .*1 to 3"),
    "zero": (f"{BANNER} pattern general\n3 3 2\n1 2\n0 1\n", "4: .*1 to 3"),
    "negative": (f"{BANNER} pattern general\n3 3 2\n1 2\n-1 1\n", "4: .*1 to 3"),
    "word": (f"{BANNER} pattern general\n3 3 2\n1 2\nfoo bar\n", "4: "),
    "one column": (f"{BANNER} pattern general\n3 3 2\n1\n2 3\n", "3: "),
    "no value": (f"{BANNER} real general\n3 3 2\n1 2\n2 3 1\n", "3: "),
    "fraction": (f"{BANNER} pattern general\n3 3 2\n1.5 2\n2 3\n", "3: "),
    "fractional integer": (f"{BANNER} integer general\n3 3 1\n1 2 1.5\n", "3: "),
    "nan": (f"{BANNER} real general\n3 3 2\n1 2 1\n2 3 nan\n", "4: .*nan"),
    "infinite": (f"{BANNER} real general\n3 3 2\n1 2 inf\n2 3 1\n", "3: .*inf"),
    "wide integer": (f"{BANNER} integer general\n3 3 1\n1 2 3000000000\n", "3: .*32-bit"),
    "wider integer": (f"{BANNER} integer general\n3 3 1\n1 2 {10**30}\n", "3: "),
    "wide real": (f"{BANNER} real general\n3 3 1\n1 2 1e300\n", "3: .*32-bit"),
    "Fortran exponent": (f"{BANNER} real general\n3 3 2\n1 2 1\n2 3 1.5D+02\n", r"4: .*1\.5D"),
    "exponent of an integer": (f"{BANNER} integer general\n3 3 1\n1 2 1e5\n", "3: .*1e5"),
    "hexadecimal": (f"{BANNER} integer general\n3 3 1\n1 2 0x10\n", "3: .*0x10"),
    "decimal comma": (f"{BANNER} integer general\n3 3 1\n1 2 1,2\n", "3: .*1,2"),
    "real index": (f"{BANNER} pattern general\n3 3 1\n1 3.4e38\n", "3: .*3.4e38"),
    "real index and value": (f"{BANNER} real general\n3 3 1\n3.4e38 2 1\n", "3: .*3.4e38"),
    "value in a pattern": (f"{BANNER} pattern general\n3 3 1\n1 2 5\n", "3: .*1 2 5"),
    "second value": (f"{BANNER} real general\n3 3 1\n1 2 5 6\n", "3: .*5 6"),
    "huge value": (f"{BANNER} real general\n3 3 1\n1 2 1e400\n", "3: .*32-bit"),
    "huge index": (f"{BANNER} pattern general\n3 3 1\n1 {2**32 + 1}\n", "3: .*too large"),
    "comment in the middle": (f"{BANNER} pattern general\n3 3 2\n1 2\n% x\n2 3\n", "4: "),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files(tmp_path, case):
    text, message = BAD[case]
    with pytest.raises(
        InputError, match=r"g\.mtx:" + message if message[0].isdigit() else message
    ) as caught:
        load_text(tmp_path, text)
    assert "\n" not in str(caught.value)
    assert str(tmp_path / "g.mtx") in str(caught.value)


def test_bad_places(tmp_path):
    for path, message in ((tmp_path / "none.mtx", "no such file"), (tmp_path, "folder")):
        with pytest.raises(InputError, match=message):
            load_graph(GraphSpec("market", path=str(path)))


@pytest.mark.parametrize("cut", [10, 30, 60, -4])
def test_truncated_gzip(tmp_path, cut):
    packed = tmp_path / "g.mtx.gz"
    packed.write_bytes(gzip.compress((PATTERN * 1).encode())[:cut])
    with pytest.raises(InputError):
        load_graph(GraphSpec("market", path=str(packed)), cache=False)


def test_binary_rubbish(tmp_path):
    path = tmp_path / "g.mtx"
    path.write_bytes(bytes(range(256)) * 10)
    with pytest.raises(InputError, match="not a Matrix Market file"):
        load_graph(GraphSpec("market", path=str(path)))
