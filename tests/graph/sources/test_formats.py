"""Other formats, round trips, and the faults of bad files."""

import gzip

import numpy as np
import pytest
from graph_helper import assert_well_formed, edges, generated, load_text
from scipy import sparse

from gunrock_cli.errors import GunrockError, InputError, OutOfMemory, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.sources.files.readers.formats import kind_of_file, stem
from gunrock_cli.graph.sources.files.writers import write_graph
from gunrock_cli.graph.spec import GraphSpec

EDGE_LIST = "# SNAP\n% or so\n0\t1\n1 2\n\n4 1\n"
DIMACS = "c roads\np sp 4 3\na 1 2 7\nc more\na 2 3 5\na 4 2 1\n"
METIS = "% mesh\n3 2 001\n2 7\n1 7 3 5\n2 5\n"


def test_edge_list(tmp_path):
    graph = load_text(tmp_path, EDGE_LIST, "g.txt", kind="edge-list", undirected=False)
    assert_well_formed(graph)
    assert graph.n == 5
    assert edges(graph.csr) == [(0, 1), (1, 2), (4, 1)]


@pytest.mark.parametrize(
    ("text", "dtype", "weights"),
    [
        ("0 1 5\n1 2 -6\n", np.int32, [5, -6]),
        ("0,1,0.5\n1,2,2\n", np.float32, [0.5, 2]),
        ("0 1 5 99\n1 2 6 98\n", np.int32, [5, 6]),
        ("0 1 1e3\n1 2 1\n", np.int32, [1000, 1]),
    ],
)
def test_weighted_edge_lists(tmp_path, text, dtype, weights):
    graph = load_text(tmp_path, text, "g.el", kind="edge-list", undirected=False)
    assert graph.csr.values.dtype == dtype
    assert graph.csr.values.tolist() == weights


def test_dimacs(tmp_path):
    graph = load_text(tmp_path, DIMACS, "g.gr", kind="dimacs", undirected=False)
    assert graph.n == 4
    assert edges(graph.csr) == [(0, 1, 7), (1, 2, 5), (3, 1, 1)]
    plain = load_text(tmp_path, "p edge 3 1\ne 1 3\n", "g.gr", kind="dimacs")
    assert edges(plain.csr) == [(0, 2), (2, 0)]


@pytest.mark.parametrize(
    "text",
    [
        METIS,
        "3 2 11 1\n9 2 7\n9 1 7 3 5\n% x\n9 2 5\n",
        "3 2 111 2\n1 9 8 2 7\n1 9 8 1 7 3 5\n1 9 8 2 5\n",
    ],
)
def test_metis(tmp_path, text):
    graph = load_text(tmp_path, text, "g.graph", kind="metis")
    assert edges(graph.csr) == [(0, 1, 7), (1, 0, 7), (1, 2, 5), (2, 1, 5)]


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        (METIS, None),
        ("3 2 10\n9 2\n0 1 3\n2147483647 2\n", [9, 0, 2147483647]),
        ("3 2 11 1\n9 2 7\n8 1 7 3 5\n% x\n7 2 5\n", [9, 8, 7]),
        ("3 2 110 2\n1 9 8 2\n1 7 6 1 3\n1 5 4 2\n", [[9, 8], [7, 6], [5, 4]]),
        ("3 2 100\n1 2\n1 1 3\n1 2\n", None),
        ("0 0 10\n", []),
        ("0 0 10 999999999999999\n", []),  # 8 PB, if a header were believed
    ],
    ids=repr,
)
def test_metis_vertex_weights(tmp_path, text, weights):
    graph = load_text(tmp_path, text, "g.graph", kind="metis")
    assert (None if graph.vertex_weights is None else graph.vertex_weights.tolist()) == weights
    other = load_text(tmp_path, text.replace("9", "6"), "g.graph", kind="metis")
    assert (graph.hash == other.hash) == (weights in (None, []))  # they are content, too


def test_a_packed_metis_file_larger_than_memory_is_not_unpacked_into_it(tmp_path, monkeypatch):
    monkeypatch.setattr("gunrock_cli.graph.model.memory.available_bytes", lambda: 1 << 20)
    bomb = tmp_path / "g.graph.gz"
    bomb.write_bytes(gzip.compress(b"1 0\n" + b"\n" * (1 << 20)))
    with pytest.raises(OutOfMemory, match=r"not enough memory for what .*g\.graph\.gz says"):
        load_graph(GraphSpec("metis", path=str(bomb)), cache=False)


def test_metis_lines_without_neighbours(tmp_path):
    graph = load_text(tmp_path, "3 1\n3\n\n1\n", "g.graph", kind="metis")
    assert edges(graph.csr) == [(0, 2), (2, 0)]


@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
@pytest.mark.parametrize("dtype", [bool, np.int64, np.float64])
def test_npz(tmp_path, layout, dtype):
    matrix = sparse.coo_matrix((np.array([1, 1, 1], dtype), ([0, 1, 2], [1, 2, 2])), shape=(3, 3))
    sparse.save_npz(tmp_path / "g.npz", matrix.asformat(layout))
    graph = load_graph(
        GraphSpec("npz", path=str(tmp_path / "g.npz"), undirected=False, keep_self_loops=True)
    )
    assert [edge[:2] for edge in edges(graph.csr)] == [(0, 1), (1, 2), (2, 2)]
    expected = {bool: None, np.int64: np.int32, np.float64: np.float32}[dtype]
    assert (graph.csr.values is None) if expected is None else graph.csr.values.dtype == expected


@pytest.mark.parametrize("name", ["g.mtx", "g.mtx.gz", "g.npz", "g.gcsr", "g.el", "g.el.gz"])
@pytest.mark.parametrize("weights", [None, "random:1:64", "random:0:1"])
@pytest.mark.parametrize("undirected", [True, False])
def test_round_trips(tmp_path, name, weights, undirected):
    if weights == "random:0:1":
        graph = load_graph(
            GraphSpec(
                "rmat", params={"scale": 6}, undirected=undirected, weights=weights, weight_type="float32"
            )
        )
    else:
        graph = generated("rmat", scale=6, weights=weights, undirected=undirected)
    path = str(tmp_path / name)
    write_graph(graph, path)
    back = load_graph(GraphSpec(kind_of_file(path), path=path, undirected=undirected))
    assert_well_formed(back)
    assert back.undirected == undirected
    assert [edge[:2] for edge in edges(back.csr)] == [edge[:2] for edge in edges(graph.csr)]
    if weights:
        assert back.csr.values.dtype == graph.csr.values.dtype
        assert np.allclose(back.csr.values, graph.csr.values, rtol=1e-6)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_binary_options(tmp_path):
    path = str(tmp_path / "g.gcsr")
    write_graph(generated("rmat", scale=6, undirected=False), path)
    directed = load_graph(GraphSpec("binary", path=path, undirected=False))
    made_undirected = load_graph(GraphSpec("binary", path=path))
    assert not directed.undirected
    assert directed.name == "rmat-s6-e48"
    assert edges(made_undirected.csr) == edges(generated("rmat", scale=6).csr)
    weighted = load_graph(GraphSpec("binary", path=path, weights="random"))
    assert weighted.csr.values is not None
    assert weighted.hash != made_undirected.hash
    assert weighted.origin["made_from"]["kind"] == "rmat"


def test_binary_damage_is_noticed(tmp_path):
    path = tmp_path / "g.gcsr"
    write_graph(generated("rmat", scale=5, weights="random", undirected=False), str(path))
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    good = load_graph(GraphSpec("binary", path=str(path), undirected=False)).hash
    for cut in (0, 4, 12, 100, len(whole) - 64, len(whole) - 1):
        path.write_bytes(whole[:cut])
        with pytest.raises(InputError):
            load_graph(GraphSpec("binary", path=str(path)))
    for place in rng.integers(0, len(whole), 300):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(damaged)
        try:
            graph = load_graph(GraphSpec("binary", path=str(path), undirected=False))
        except GunrockError:
            continue
        # Only the name, the history or padding may have changed.
        assert (
            edges(graph.csr) == edges(generated("rmat", scale=5, weights="random", undirected=False).csr)
            or graph.hash == good
        )


BAD = {
    "word in edge list": ("edge-list", "0 1\n1 x\n", ":2: .*'1 x'"),
    "one number": ("edge-list", "0 1\n5\n", ":2: "),
    "negative vertex": ("edge-list", "0 1\n-1 2\n", "out of range"),
    "large vertex": ("edge-list", "0 1\n4294967296 2\n", "out of range"),
    "larger vertex": ("edge-list", "0 1\n99999999999999999999 2\n", ":2: "),
    "fraction": ("edge-list", "0 1\n1.5 2\n", ":2: "),
    "nan weight": ("edge-list", "0 1 1\n1 2 nan\n", ":2: "),
    "more columns": ("edge-list", "0 1\n1 2 5\n", ":2: 3 columns, but 2 in line 1"),
    "fewer columns": ("edge-list", "# c\n0 1 5\n1 2\n", ":3: 2 columns, but 3 in line 2"),
    "fourth column": ("edge-list", "0 1 5\n1 2 5 6\n", ":2: 4 columns, but 3 in line 1"),
    "commas after blanks": ("edge-list", "0 1\n1,2\n", ":2: .*'1,2'"),
    "tiny vertex": ("edge-list", "0 1\n1e-400 2\n", ":2: .*1e-400"),
    "minus zero": ("edge-list", "0 1\n1 -0.0\n", ":2: .*-0.0"),
    "quoted vertex": ("edge-list", '0 1\n"3" 2\n', ':2: .*"3"'),
    "dotted vertex": ("edge-list", "0 1\n1. 2\n", ":2: .*1. 2"),
    "exponent": ("edge-list", "0 1\n1e5 2\n", ":2: .*1e5"),
    "first line": ("edge-list", "0 1e5\n", ":1: .*0 1e5"),
    "Fortran weight": ("edge-list", "0 1 1\n1 2 1.5D+02\n", ":2: .*D"),
    "hexadecimal weight": ("edge-list", "0 1 1\n1 2 0x10\n", ":2: .*0x10"),
    "wide weight": ("edge-list", "0 1 1\n1 2 1e39\n", ":2: .*32-bit"),
    "null byte": ("edge-list", "0 1\n1 2\0\n", ":2: a null byte"),
    "old line ends": ("edge-list", "0 1\r1 2\r", ":1: "),
    "endless line": ("edge-list", "0 1\n" + "1" * (3 << 20) + "\n", ":2: a line of more than a million"),
    "no edges": ("edge-list", "# nothing\n", "no edges"),
    "no problem line": ("dimacs", "c x\na 1 2 3\n", ":2: expected the line 'p sp"),
    "empty dimacs": ("dimacs", "", "no line 'p sp"),
    "bad problem line": ("dimacs", "p sp 4\n", ":1: "),
    "arc out of range": ("dimacs", "p sp 4 2\na 1 2 7\na 5 1 1\n", ":3: .*1 to 4"),
    "arc zero": ("dimacs", "p sp 12 1\na 0 1 1\n", ":2: .*1 to 12"),
    "wrong mark": ("dimacs", "p sp 4 1\nb 1 2 7\n", ":2: "),
    "no length": ("dimacs", "p sp 4 1\na 1 2\n", ":2: "),
    "extra field": ("dimacs", "p sp 4 1\na 1 2 7 9\n", ":2: .*7 9"),
    "field behind an edge": ("dimacs", "p edge 4 1\ne 1 2 7\n", ":2: .*2 7"),
    "negative length": ("dimacs", "p sp 4 2\na 1 2 7\na 2 3 -7\n", ":3: .*not negative"),
    "wide length": ("dimacs", "p sp 4 2\na 1 2 7\na 2 3 3000000000\n", ":3: .*32-bit"),
    "infinite length": ("dimacs", "p sp 4 2\na 1 2 7\nc\na 2 3 1e400\n", ":4: .*32-bit"),
    "vertex with exponent": ("dimacs", "p sp 400 1\na 1e2 2 7\n", ":2: .*1e2"),
    "second problem line": ("dimacs", "p sp 4 1\np sp 4 1\na 1 2 3\n", ":2: "),
    "too few arcs": ("dimacs", "p sp 4 2\na 1 2 7\n", "1 arcs, but line 1 announces 2"),
    "empty metis": ("metis", "", "no line"),
    "bad metis header": ("metis", "3 x\n", ":1: "),
    "short metis": ("metis", "3 2\n2\n1 3\n", "truncated: 2 lines for 3"),
    "long metis": ("metis", "1 0\n\n1\n", ":3: more lines"),
    "metis word": ("metis", "2 1\n2\nx\n", ":3: .*'x'"),
    "metis range": ("metis", "2 1\n3\n1\n", "neighbour 3"),
    "metis count": ("metis", "2 2\n2\n1\n", "2 edges announced"),
    "metis weights": ("metis", "2 1 1\n2\n1 5\n", "vertex 1 has 1 numbers"),
    "metis one way": ("metis", "3 1\n2\n3\n\n", ":2: vertex 1 lists 2, but vertex 2 .line 3. does not"),
    "metis other way": ("metis", "3 1\n\n\n1 2\n", ":4: vertex 3 lists 1"),
    "metis two weights": ("metis", "% c\n2 1 1\n2 7\n1 8\n", ":3: .* with the same weight"),
    "metis heavy vertex": (
        "metis",
        "2 1 10\n1 2\n2147483648 1\n",
        ":3: vertex 2 weighs 2147483648, which does not fit",
    ),
    "metis exponent": ("metis", "2 1\n2\n1e0\n", ":3: .*'1e0'"),
    "metis carriage return": ("metis", "2 1\n2\r\r\n1\n", ":2: "),
    "metis huge": ("metis", "2 1\n2\n" + "1" * 30 + "\n", ":3: "),
    "metis constraints": ("metis", "2 1 10 0\n2\n1\n", ":1: .*0 weights"),
    "npz rubbish": ("npz", "PK\3\4", "not a SciPy sparse matrix"),
    "binary rubbish": ("binary", "GUNROCK0", "not a binary graph"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files(tmp_path, case):
    kind, text, message = BAD[case]
    with pytest.raises(InputError, match=message) as caught:
        load_text(tmp_path, text, "g.bad", kind=kind)
    assert "\n" not in str(caught.value)
    assert "g.bad" in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("edge-list", "#{long}\n0 1 # so\n%{long}\n1 2 #{long}\n  # x\n2 0%so\n"),
        ("dimacs", "c{long}\np sp 3 3\na 1 2 7\nc{long}\n c x\na 2 3 5\na 3 1 5\n"),
        ("metis", "%{long}\n3 3\n%{long}\n2 3\n1 3\n1 2\n%{long}\n"),
        (
            "market",
            "%%MatrixMarket matrix coordinate pattern general\n%{long}\n3 3 3\n1 2 % so\n"
            "2 3 %{long}\n1 3%\n",
        ),
    ],
)
def test_comments_of_any_length(tmp_path, kind, text):
    for length in (1, 1 << 16, 3 << 20):
        graph = load_text(tmp_path, text.replace("{long}", "c #% 1 2" * (length // 8)), "g", kind=kind)
        assert [edge[:2] for edge in edges(graph.csr)] == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]


def test_npz_with_indices_out_of_range(tmp_path):
    matrix = sparse.csr_matrix(np.eye(3))
    matrix.indices[1] = 7
    sparse.save_npz(tmp_path / "g.npz", matrix)
    with pytest.raises(InputError, match="not a SciPy sparse matrix"):
        load_graph(GraphSpec("npz", path=str(tmp_path / "g.npz")))


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.ones((2, 3)), "not square"),
        (np.eye(2) * 1j, "cannot be edge weights"),
        (np.eye(2) * np.nan, "not a number"),
        (np.eye(2) * 2**40, None),
    ],
)
def test_npz_refuses(tmp_path, matrix, message):
    sparse.save_npz(tmp_path / "g.npz", sparse.csr_matrix(matrix))
    spec = GraphSpec("npz", path=str(tmp_path / "g.npz"), keep_self_loops=True)
    if message is None:
        assert load_graph(spec).csr.values.tolist() == [2.0**40] * 2
    else:
        with pytest.raises(InputError, match=message):
            load_graph(spec)


def test_gzip_of_every_text_format(tmp_path):
    for kind, text in (("edge-list", EDGE_LIST), ("dimacs", DIMACS), ("metis", METIS)):
        plain = load_text(tmp_path, text, "plain", kind=kind)
        (tmp_path / "packed").write_bytes(gzip.compress(text.encode()))
        assert load_graph(GraphSpec(kind, path=str(tmp_path / "packed"))).hash == plain.hash
        (tmp_path / "packed").write_bytes(gzip.compress(text.encode())[:-10])
        with pytest.raises(InputError, match="cannot be read"):
            load_graph(GraphSpec(kind, path=str(tmp_path / "packed")))


def test_names():
    assert kind_of_file("a/b.mtx.gz") == "market"
    assert kind_of_file("-") == "market"
    assert stem("a/b.c.mtx.gz") == "b.c"
    assert stem("a/b") == "b"
    with pytest.raises(UsageError, match="does not tell the format"):
        kind_of_file("graph.dat")


def test_failed_writing_leaves_nothing(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("scipy.io.mmwrite", fail)
    with pytest.raises(InputError, match="the disk is full"):
        write_graph(generated("path", nodes=3), str(tmp_path / "g.mtx"))
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UsageError, match="cannot be written"):
        write_graph(generated("path", nodes=3), str(tmp_path / "g.gr"))
