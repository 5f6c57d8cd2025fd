"""Vertices by name: lists of edges, tables, files of names."""

import bz2
import io
import random

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gunrock_cli.errors import GunrockError, InputError, OutOfMemory, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.names import index_of, index_of_words, named, names_of, vertex_called
from gunrock_cli.graph.sources.files import cache
from gunrock_cli.graph.sources.files.names_file import read_names, write_names
from gunrock_cli.graph.spec import GraphSpec, spec_from_name
from gunrock_cli.graph.vertex_list import listed_vertices

LARGE = 2**62
pytestmark = pytest.mark.usefixtures("own_cache")


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "cache"))


def edges_by_name(graph):
    """``{(source, target): weight}``, with None for no weight."""
    csr = graph.csr
    weights = [None] * csr.m if csr.values is None else csr.values.tolist()
    names = list(graph.names)
    return {
        (names[source], names[target]): weight
        for source, target, weight in zip(
            csr.sources().tolist(), csr.column_indices.tolist(), weights, strict=True
        )
    }


def loaded(tmp_path, data, **how):
    (tmp_path / "g").write_bytes(data if isinstance(data, bytes) else data.encode())
    return load_graph(
        GraphSpec(how.pop("kind", "edge-list"), path=str(tmp_path / "g"), undirected=False, **how)
    )


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["7", "-3", str(LARGE)], [7, -3, LARGE]),
        (["7", "07"], ["7", "07"]),
        (["7", "a"], ["7", "a"]),
        ([str(2**63 - 1), str(-(2**63))], [2**63 - 1, -(2**63)]),
        ([str(2**63)], [str(2**63)]),
        (["-0"], ["-0"]),
        (["+1"], ["+1"]),
        (["1_0"], ["1_0"]),
        (["١"], ["١"]),
        ([], []),
    ],
)
def test_words_are_numbers_where_they_are_written_as_such(words, names):
    assert list(index_of_words(words)) == names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# c\nann bob 3\nbob cid 2\n", {("ann", "bob"): 3, ("bob", "cid"): 2}),
        ("ann, bob, 1.5\n% c\n\nbob,cid,2", {("ann", "bob"): 1.5, ("bob", "cid"): 2}),
        (f"{LARGE} -5\r\n-5\t{LARGE}\r\n", {(LARGE, -5): None, (-5, LARGE): None}),
        ("C# é 1 x y\né z 2 x y\n", {("C#", "é"): 1, ("é", "z"): 2}),
    ],
)
def test_lists_of_edges(tmp_path, text, expected):
    assert edges_by_name(loaded(tmp_path, text, named=True)) == expected
    packed = bz2.compress(text.encode())
    assert edges_by_name(loaded(tmp_path, packed, named=True)) == expected


def test_large_lists_have_names_too(tmp_path, monkeypatch):
    """The fast reader of large lists of numbers leaves names alone."""
    monkeypatch.setattr("gunrock_cli.graph.rows.native.WORTH_IT", 0)
    assert edges_by_name(loaded(tmp_path, "7 07\n", named=True)) == {("7", "07"): None}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a b\na b c\n", "g:2: 3 columns, but 2 in line 1"),
        ("a\n", "g:1: expected two names, found 'a'"),
        ("# a b\n", "g: no edges"),
        ("a b 1e\n", "g:1: the weight '1e' is no number"),
        ("a b inf\n", "g:1: the weight 'inf'"),
        ("a,b\n,b\n", "g:2: an empty name"),
        (b"a b\n\xff b\n", "g:2: this is no UTF-8"),
        ("a b\nc\0 d\n", "g:2: a name with .*control"),
        ("a b 1\na c 1e99\n", "g:2: the value 1e.99 is not a number that fits"),
        ("x" * 70_000 + " b\n", "g:1: a line of more than 65536 bytes"),
    ],
)
def test_bad_lists_are_refused_by_line(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        loaded(tmp_path, text, named=True)


def test_words_in_a_list_of_numbers_say_what_to_do(tmp_path):
    with pytest.raises(InputError, match=r"g:1: expected two vertex numbers.*\(--named takes"):
        loaded(tmp_path, "ann bob\n")


CSV = 'from,to,note,km\n"Paris, TX",Rome,x,3\nRome,"a ""b""",,1.5\n'
TABLE = {("Paris, TX", "Rome"): 3, ("Rome", 'a "b"'): 1.5}


@pytest.mark.parametrize(
    "text",
    [
        CSV,
        "\ufeff" + CSV,
        CSV.replace("\n", "\r\n"),
        CSV + "\n\n",
        'km;to;from\n3;Rome;Paris, TX\n1.5;"a ""b""";Rome\n',
        'from\tto\tkm\nParis, TX\tRome\t3\nRome\t"a ""b"""\t1.5',
    ],
)
def test_csv(tmp_path, text):
    graph = loaded(tmp_path, text, kind="table", columns=("from", "to", "km"))
    assert edges_by_name(graph) == TABLE
    assert set(edges_by_name(loaded(tmp_path, text, kind="table", columns=("from", "to")))) == set(TABLE)
    assert graph.origin["columns"] == ["from", "to", "km"]


def test_the_columns_of_a_table_have_usual_names(tmp_path):
    graph = loaded(tmp_path, "weight,target,source\n4,b,a\n", kind="table")
    assert edges_by_name(graph) == {("a", "b"): 4}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("source,target\na\n", "g:2: 1 columns, but 2 in the header"),
        ("source,target\na,b\na,b,c\n", "g:3: 3 columns, but 2"),
        ('source,target\n"a,b\n', "g:2: unexpected end of data"),
        ("source,target,weight\na,b,\n", "g:2: the weight '' is no number"),
        ("source,target\na,\n", "g:2: an empty name"),
        ("source,target\na,b \n", "g:2: a name with blanks"),
        ('source,target\n"a\nb",c\n', "g:3: a name with .*control"),
        (b"source,target\na,\xff\n", "g: neither UTF-8 text"),
        (b"\xff", "g: neither UTF-8 text"),
        (b"FEA1....", "g: Feather's first version"),
        (b"PAR1....", "g: cannot be read: .*"),
        (b"ARROW1..", "g: cannot be read: .*"),
        (bz2.compress(b"source,target\na,b\n")[:-4], "g: cannot be read: "),
    ],
)
def test_bad_tables_are_refused(tmp_path, text, message):
    with pytest.raises(InputError, match=message) as refused:
        loaded(tmp_path, text, kind="table")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", ["a,b\nx,y\n", "", "source,source,target\na,b,c\n"])
def test_columns_that_are_not_there_or_twice(tmp_path, text):
    with pytest.raises(UsageError, match=r"g has no columns that are called source and.*with --columns"):
        loaded(tmp_path, text, kind="table")


def binary(frame, form):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import ipc, parquet

    table = frame if isinstance(frame, pa.Table) else pa.Table.from_pandas(frame, preserve_index=False)
    out = io.BytesIO()
    if form == "parquet":
        parquet.write_table(table, out)
    else:
        with (ipc.new_file if form == "arrow" else ipc.new_stream)(out, table.schema) as writer:
            writer.write_table(table, max_chunksize=1)
    return out.getvalue()


@pytest.mark.parametrize("form", ["parquet", "arrow", "stream"])
@pytest.mark.parametrize("pack", [bytes, bz2.compress])
@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": ["x", "y"], "b": ["y", "z"], "w": [1.5, 2.0]}),
        pd.DataFrame({"a": [LARGE, -1], "b": [-1, 5], "w": [3, 4]}),
        pd.DataFrame(
            {"a": np.array([2**64 - 1, 1], np.uint64), "b": [1, 5], "w": np.array([1, 2], np.float16)}
        ),
        pd.DataFrame({"a": pd.Categorical(["x", "y"]), "b": pd.Categorical(["y", "x"]), "w": [1, 2]}),
    ],
)
def test_parquet_and_arrow(tmp_path, frame, form, pack):
    graph = loaded(tmp_path, pack(binary(frame, form)), kind="table", columns=("a", "b", "w"))
    assert edges_by_name(graph) == {(row.a, row.b): row.w for row in frame.itertuples()}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"source": [1.5], "target": [2.5]}, "column 'source' is of type double"),
        ({"source": [True], "target": [False]}, "column 'source' is of type bool"),
        ({"source": ["a", None], "target": ["b", "c"]}, "row 2 has no 'source'"),
        ({"source": ["a"], "target": ["b"], "weight": ["c"]}, "weights are numbers"),
        ({"source": ["a"], "target": ["b"], "weight": [float("nan")]}, "the value of entry 1 nan"),
        ({"source": ["a "], "target": ["b"]}, "a name with blanks"),
    ],
)
def test_bad_columns_of_parquet(tmp_path, columns, message):
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(InputError, match=message):
        loaded(tmp_path, binary(pa.table(columns), "parquet"), kind="table")


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_many_rows_in_a_small_file_are_refused(tmp_path, monkeypatch, form):
    pa = pytest.importorskip("pyarrow")
    ends = pa.array([7] * 1000)
    data = binary(pa.table({"source": ends, "target": ends}), form)
    monkeypatch.setattr("gunrock_cli.graph.model.memory.available_bytes", lambda: 1 << 14)
    with pytest.raises(OutOfMemory, match="g: 1000 rows: it needs about"):
        loaded(tmp_path, data, kind="table")


def test_parquet_without_pyarrow(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"g: Parquet and Arrow files need pyarrow \(pip install"):
        loaded(tmp_path, b"PAR1", kind="table")


@pytest.mark.parametrize("name", ["g.csv", "g.parquet", "g.arrow", "g.csv.gz", "g.CSV"])
def test_the_name_of_a_table_tells_its_format(tmp_path, name):
    (tmp_path / name).touch()
    assert spec_from_name(str(tmp_path / name)).kind == "table"


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1), st.booleans())
def test_all_ways_give_the_same_graph(ends, as_words):
    """A list, CSV and Parquet: vertices in the order of the sources, then of the targets."""
    import tempfile
    from pathlib import Path

    rows = [tuple(f"v{end}" if as_words else str(end) for end in pair) for pair in ends]
    frame = pd.DataFrame(rows, columns=["source", "target"])
    ways = {
        "edge-list": frame.to_csv(index=False, header=False, sep=" ").encode(),
        "table": frame.to_csv(index=False).encode(),
        "parquet": binary(frame if as_words else frame.astype(np.int64), "parquet"),
    }
    graphs = []
    with tempfile.TemporaryDirectory() as folder:
        for kind, data in ways.items():
            graphs.append(
                loaded(
                    Path(folder),
                    data,
                    kind=kind.replace("parquet", "table"),
                    named=kind == "edge-list",
                    keep_self_loops=True,
                )
            )
    expected = list(dict.fromkeys([row[0] for row in rows] + [row[1] for row in rows]))
    for graph in graphs:
        assert list(map(str, graph.names)) == expected
        assert graph.hash == graphs[0].hash


def test_damaged_tables_never_end_in_a_traceback(tmp_path):
    pytest.importorskip("pyarrow")
    rng = random.Random(5)
    frame = pd.DataFrame({"source": ["x", "y"], "target": ["y", "z"], "weight": [1, 2]})
    seeds = [binary(frame, form) for form in ("parquet", "arrow", "stream")] + [CSV.encode()]
    told = []
    for number in range(400):
        data = bytearray(seeds[number % len(seeds)])
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        length = rng.choice((len(data), rng.randrange(len(data))))
        try:
            loaded(tmp_path, bytes(data[:length]), kind="table")
        except GunrockError as error:
            told.append(str(error))
    assert len(told) > 100
    assert not any("\n" in line for line in told)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (GraphSpec("market", "g.mtx", columns=("a", "b")), "--columns names those of a table"),
        (GraphSpec("path", named=True), "--named goes with a list of edges"),
        (GraphSpec("table", "g.csv", vertex_names="n"), "--vertex-names is for graphs that have none"),
    ],
)
def test_contradictions_are_refused(spec, message):
    with pytest.raises(UsageError, match=message):
        load_graph(spec)


def test_a_file_names_the_vertices_of_any_graph(tmp_path):
    (tmp_path / "names").write_text("Ann Lee\nBob\r\nCid, Jr.\n")
    graph = load_graph(GraphSpec("path", params={"nodes": 3}, vertex_names=str(tmp_path / "names")))
    assert set(edges_by_name(graph)) == {
        ("Ann Lee", "Bob"),
        ("Bob", "Ann Lee"),
        ("Bob", "Cid, Jr."),
        ("Cid, Jr.", "Bob"),
    }
    assert graph.origin["vertex_names"] == str(tmp_path / "names")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\nb\n", "n: 2 names, and the graph has 3 vertices"),
        ("a\nb\na\n", "n:3: the name 'a' is that of line 1"),
        ("a\n\nb\n", "n:2: an empty name"),
        (b"a\n\xff\n", "n:2: this is no UTF-8 text"),
    ],
)
def test_bad_files_of_names(tmp_path, text, message):
    (tmp_path / "n").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError, match=message):
        read_names(str(tmp_path / "n"), 3)


@pytest.mark.parametrize("names", [["a", "b c", "é"], [5, -7, LARGE]])
def test_written_names_are_read_back(tmp_path, names):
    target = write_names(tmp_path / "x.npy", index_of(names))
    assert target == tmp_path / "x.npy.names"
    assert list(read_names(str(target), 3)) == names


def test_names_do_not_hide_in_the_cache(tmp_path):
    """Graphs of files with named vertices are not kept, as the cache has no names; a graph named by a
    separate file is, and gets another file's names the next time."""
    loaded(tmp_path, "a b\n", named=True)
    assert cache.entries() == []
    (tmp_path / "g.el").write_text("0 1\n")
    for word in ("x", "z"):
        (tmp_path / "n").write_text(f"{word}\ny\n")
        spec = GraphSpec("edge-list", path=str(tmp_path / "g.el"), vertex_names=str(tmp_path / "n"))
        assert list(load_graph(spec).names) == [word, "y"]
    assert len(cache.entries()) == 1


def test_vertices_are_found_as_they_are_typed(tmp_path):
    mixed = index_of(["5", 5, "a,b", "a", "b"])
    assert [vertex_called(mixed, word) for word in ("5", "a,b", "c")] == [0, 2, None]
    graph = loaded(tmp_path, 'source,target\n"a,b",a\na,b\nlast one,#5\n', kind="table")
    assert listed_vertices(graph, "a,b", "--src") == [0]
    assert listed_vertices(graph, "b,a", "--src") == [3, 1]
    (tmp_path / "list").write_text("# those\n\nlast one\na,b\n")
    assert listed_vertices(graph, f"@{tmp_path / 'list'}", "--src") == [2, 0]
    with pytest.raises(UsageError, match="--src 0: no vertex of g has that name; its first is a,b"):
        listed_vertices(graph, "0", "--src")
    with pytest.raises(UsageError, match="--src a,a: vertex a is named twice"):
        listed_vertices(graph, "a,a", "--src")
    (tmp_path / "list").write_text("a\nzed\n")
    with pytest.raises(InputError, match="list:2: 'zed': no vertex of g"):
        listed_vertices(graph, f"@{tmp_path / 'list'}", "--src")


def test_no_vertex_has_no_name():
    names = index_of([LARGE, 3])
    assert list(named(names, np.array([1, 0]))) == [3, LARGE]
    assert pd.isna(named(names, np.array([-1, 0]))[0])
    assert named(names, np.array([-1, 0]))[1] == LARGE
    assert names_of(names, np.array([1, -1])) == [3, None]
    assert names_of(None, np.array([1, -1])) == [1, -1]
