"""Files of other systems: byte for byte, there and back."""

import gzip
import os
import struct
import threading

import numpy as np
import pytest
from fuzzing import cases
from graph_helper import assert_well_formed, edges
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from gunrock_cli.errors import InputError, OutOfMemory, UsageError
from gunrock_cli.graph import load
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model import memory
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.sources.files.exchange import ligra_binary
from gunrock_cli.graph.sources.files.readers.formats import FORMATS, format_to_write, kind_of_file
from gunrock_cli.graph.sources.files.writers import check_fits, write_graph
from gunrock_cli.graph.spec import GraphSpec, spec_from_name


def pack(*parts):
    """Pack numbers of one type per part: ("q", 1, 2) are two of 64 bits."""
    return b"".join(struct.pack(f"<{len(numbers)}{code}", *numbers) for code, *numbers in parts)


def small(undirected, weighted):
    """0 -> 1 (7), 0 -> 3 (5), 2 -> 3 (6), and their reverse if undirected; 1 has no neighbour but 0."""
    ends = np.array([[0, 1], [0, 3], [2, 3]], np.int32)
    weights = np.array([1, 1, 1] if weighted == "unit" else [7, 5, 6], np.int32) if weighted else None
    return build_graph(4, *ends.T, weights, undirected=undirected, name="small")


ROWS = {True: [0, 2, 3, 4, 6], False: [0, 2, 2, 3, 3]}
ENDS = {True: [1, 3, 0, 3, 0, 2], False: [1, 3, 3]}
WEIGHTS = {True: [7, 5, 7, 6, 5, 6], False: [7, 5, 6]}
IN_ROWS, IN_ENDS, IN_WEIGHTS = [0, 0, 1, 1, 3], [0, 0, 2], [7, 5, 6]


def pairs(first, second):
    return [number for both in zip(first, second, strict=True) for number in both]


def lines(*words):
    return "".join(f"{word}\n" for word in words).encode()


def golden(undirected, weighted):
    """The expected files of every format, by the endings added to the path."""
    rows, ends, weights = ROWS[undirected], ENDS[undirected], WEIGHTS[undirected]
    m, given = len(ends), [weights] if weighted else []
    sides = (
        [(rows, ends, weights)] if undirected else [(rows, ends, weights), (IN_ROWS, IN_ENDS, IN_WEIGHTS)]
    )
    gap = pack(("B", not undirected), ("q", m, 4))
    sources = [row for row in range(4) for _ in range(rows[row], rows[row + 1])]
    files = {
        "ligra": {
            "": lines(
                "Weighted" * weighted + "AdjacencyGraph",
                4,
                m,
                *rows[:-1],
                *ends,
                *(weights if weighted else []),
            )
        },
        "ligra-binary": {
            ".config": lines(4, m),
            ".idx": pack(("I", *rows[:-1])),
            ".adj": pack(("I", *ends), *(("i", *each) for each in given)),
        },
        "egr": {"": pack(("i", 4, m), ("i", *rows), ("i", *ends), *(("i", *each) for each in given))},
        "gr": {
            "": pack(
                ("Q", 1, 4 * weighted, 4, m),
                ("Q", *rows[1:]),
                ("I", *ends, *[0] * (m % 2)),
                *(("i", *each) for each in given),
            )
        },
        "csr": {
            "": pack(
                ("i", 4, 4, m), ("i", *rows), ("i", *ends), ("f", *(weights if weighted else [1] * m))
            )
        },
        "gunrock1": {
            ".meta": f"array false\ngot_edge_values {str(weighted).lower()}\nnum_edges {m}\n"
            "num_vertices 4\nskew false\nsymmetric false\n".encode(),
            ".coo_edge_pairs": pack(("q", m, 0x106), ("I", *(end + 1 for end in pairs(sources, ends)))),
            **({".coo_edge_values": pack(("q", m, 6), ("I", *weights))} if weighted else {}),
        },
    }
    if weighted:
        files["wsg"] = {
            "": gap
            + b"".join(pack(("q", *rows), ("i", *pairs(ends, weights))) for rows, ends, weights in sides)
        }
        files["wel"] = {
            "": b"1\t0\t7\n3\t0\t5\n3\t2\t6\n" if undirected else b"0\t1\t7\n0\t3\t5\n2\t3\t6\n"
        }
    else:
        files["sg"] = {"": gap + b"".join(pack(("q", *rows), ("i", *ends)) for rows, ends, _ in sides)}
        files["el"] = {"": b"1\t0\n3\t0\n3\t2\n" if undirected else b"0\t1\n0\t3\n2\t3\n"}
    return files


GOLDEN = {
    (name, undirected, weighted): content
    for undirected in (True, False)
    for weighted in (True, False)
    for name, content in golden(undirected, weighted).items()
}


@pytest.mark.parametrize("case", GOLDEN, ids=str)
def test_byte_for_byte(tmp_path, case):
    name, undirected, weighted = case
    graph, path = small(undirected, weighted), tmp_path / "g"
    written = write_graph(graph, path, name)
    assert {str(file).removeprefix(str(path)): file.read_bytes() for file in written} == GOLDEN[case]
    assert sorted(tmp_path.iterdir()) == sorted(written)
    back = load_graph(GraphSpec(FORMATS[name].kind, path=str(path), undirected=undirected), cache=False)
    assert_well_formed(back)
    assert back.undirected == undirected
    if name == "csr" and not weighted:
        graph = small(undirected, "unit")
    assert edges(back.csr) == edges(graph.csr)
    assert back.hash == graph.hash


@pytest.mark.parametrize("name", ["wel", "wsg"])
def test_weights_that_lack_are_asked_for(tmp_path, name):
    with pytest.raises(InputError, match=f"g: {name} has weights, .* --weights"):
        write_graph(small(True, False), tmp_path / "g", name)
    assert list(tmp_path.iterdir()) == []


def test_formats_without_weights_leave_them_out(tmp_path):
    write_graph(small(True, True), tmp_path / "g", "sg")
    assert (tmp_path / "g").read_bytes() == GOLDEN["sg", True, False][""]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("undirected", [True, False])
@pytest.mark.parametrize("weights", [None, np.int32, np.float32])
def test_a_graph_without_edges_is_read_back_or_not_written(tmp_path, name, undirected, weights):
    none = np.empty(0, np.int32)
    graph = build_graph(
        3, none, none, None if weights is None else none.astype(weights), undirected=undirected
    )
    form = FORMATS[name]
    if form.loses_last or (form.weights == "needed" and weights is None):
        with pytest.raises(InputError, match=f"g: {name} "):
            write_graph(graph, tmp_path / "g", name)
        assert not list(tmp_path.iterdir())
        return
    write_graph(graph, tmp_path / "g", name)
    back = load_graph(GraphSpec(form.kind, path=str(tmp_path / "g"), undirected=undirected), cache=False)
    assert (back.n, back.m) == (3, 0)
    if name in ("mtx", "npz", "binary"):
        assert back.hash == graph.hash  # and so with weights, or without


def test_no_such_format(tmp_path):
    with pytest.raises(UsageError, match="no format gexf; there are mtx, el"):
        write_graph(small(True, False), tmp_path / "g", "gexf")


def test_lists_tell_what_they_lose(tmp_path, caplog):
    graph = build_graph(9, np.array([0]), np.array([3]))
    write_graph(graph, tmp_path / "g.el", "el")
    assert "the last 5 vertices have no edges" in caplog.text
    write_graph(graph, tmp_path / "g.sg")
    write_graph(small(True, False), tmp_path / "h.el", "el")
    assert len(caplog.records) == 1


@pytest.mark.parametrize(
    ("name", "weight", "message"),
    [
        ("wel", 0.5, "wel has integers of 32 bits as weights, and the edge from 2 to 3 weighs 0.5"),
        ("egr", 3e9, "the edge from 2 to 3 weighs 3000000000"),
        ("wsg", -0.25, "weighs -0.25"),
        ("gr", 2.0**31, "weighs 2147483648"),
        ("ligra", 1e30, "weighs"),
        ("ligra-binary", 0.1, "weighs 0.1"),
        ("csr", 2**24 + 1, "csr has floats of 32 bits as weights, .* weighs 16777217"),
    ],
)
def test_weights_that_do_not_fit(tmp_path, name, weight, message):
    dtype = np.int32 if isinstance(weight, int) else np.float32
    graph = build_graph(4, np.array([0, 2]), np.array([1, 3]), np.array([1, weight], dtype))
    with pytest.raises(InputError, match=f"g: .*{message}") as caught:
        write_graph(graph, tmp_path / "g", name)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["wsg", "egr", "gr", "ligra", "wel"])
def test_whole_floats_are_integers(tmp_path, name):
    graph = build_graph(4, np.array([0, 2]), np.array([1, 3]), np.array([64, -3], np.float32))
    write_graph(graph, tmp_path / "g", name)
    back = load_graph(GraphSpec(FORMATS[name].kind, path=str(tmp_path / "g")))
    assert edges(back.csr) == [(0, 1, 64), (1, 0, 64), (2, 3, -3), (3, 2, -3)]


@pytest.mark.parametrize(
    ("name", "n", "m", "message"),
    [
        ("egr", 0, 0, "egr has at least 1 vertices, and this graph has 0"),
        ("egr", 1, 2**31, "egr has at most 2147483647 directed edges, and this graph has 2147483648"),
        ("csr", 1, 2**31, "at most 2147483647"),
        ("ligra", 1, 2**31, "at most 2147483647"),
        ("ligra-binary", 1, 2**31, "at most 2147483647"),
        ("gunrock1", 1, 2**32, "at most 4294967295"),
        ("egr", 1, 2**31 - 1, None),
        ("csr", 0, 2**31 - 1, None),
        ("gr", 0, 2**40, None),
        ("sg", 0, 2**40, None),
        ("gunrock1", 0, 2**32 - 1, None),
    ],
)
def test_counts_that_do_not_fit(name, n, m, message):
    if message is None:
        check_fits(n, m, FORMATS[name], name, "g")
        return
    with pytest.raises(InputError, match=f"g: .*{message}"):
        check_fits(n, m, FORMATS[name], name, "g")


def test_a_graph_that_is_too_large_is_refused_before_a_byte_is_written(tmp_path):
    with pytest.raises(InputError, match="egr has at least 1 vertices"):
        write_graph(build_graph(0, np.array([], np.int32), np.array([], np.int32)), tmp_path / "g", "egr")
    assert list(tmp_path.iterdir()) == []


NAMES = {
    "g.sg": "sg",
    "g.wsg": "wsg",
    "g.egr": "egr",
    "g.csr": "csr",
    "g.adj": "ligra",
    "g.wel": "wel",
    "g.config": "ligra-binary",
    "q.mtx.meta": "gunrock1",
    "g.mtx": "mtx",
    "g.mtx.gz": "mtx",
    "g.el": "edge-list",
    "g.gcsr": "binary",
}


@pytest.mark.parametrize("name", NAMES)
def test_names_tell_the_format(tmp_path, name):
    graph = small(True, True)
    written = write_graph(graph, tmp_path / name)
    assert tmp_path / name in written
    assert FORMATS[format_to_write(name)] is FORMATS[NAMES[name]]
    spec = spec_from_name(str(tmp_path / name))
    assert load_graph(spec).csr.column_indices.tolist() == graph.csr.column_indices.tolist()


def test_two_formats_called_gr(tmp_path):
    path = tmp_path / "g.gr"
    write_graph(small(True, True), path, "gr")
    assert kind_of_file(str(path)) == "galois"
    packed = tmp_path / "p.gr.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert kind_of_file(str(packed)) == "galois"
    assert load_graph(spec_from_name(str(packed))).hash == small(True, True).hash
    packed.write_bytes(gzip.compress(path.read_bytes())[:12])
    assert kind_of_file(str(packed)) == "dimacs"  # its reader says that it is damaged
    path.write_text("p sp 2 1\na 1 2 5\n")
    assert kind_of_file(str(path)) == "dimacs"
    assert kind_of_file("not-there.gr") == "dimacs"
    with pytest.raises(UsageError, match=r"g\.gr: DIMACS files cannot be written; .* --format gr"):
        format_to_write(str(path))


@pytest.mark.parametrize("kind", ["ligra-binary", "gunrock1"])
def test_graphs_in_several_files(tmp_path, kind):
    """The cache checks all files, and a missing one is named."""
    written = write_graph(small(True, True), tmp_path / "g", kind)
    assert len(written) == 3
    spec = GraphSpec(kind, path=str(tmp_path / "g"))
    assert load_graph(spec).hash == small(True, True).hash
    assert load_graph(GraphSpec(kind, path=str(written[0]))).hash == small(True, True).hash
    data = bytearray(written[2].read_bytes())
    data[-4:] = struct.pack("<i", 9)  # the weight of 3 -> 2
    written[2].write_bytes(data)
    assert edges(load_graph(spec).csr)[-1] == (3, 2, 6)  # the lighter of two that differ
    assert edges(load_graph(GraphSpec(kind, path=spec.path, undirected=False)).csr)[-1] == (3, 2, 9)
    written[2].unlink()
    with pytest.raises(
        InputError,
        match=r"g\.adj: no such file"
        if kind == "ligra-binary"
        else r"g\.meta: it says that there are weights, but there is no \.coo_edge_values",
    ):
        load_graph(spec)


def test_packed_rows(tmp_path):
    write_graph(small(False, True), tmp_path / "g", "wsg")
    (tmp_path / "h.wsg.gz").write_bytes(gzip.compress((tmp_path / "g").read_bytes()))
    back = load_graph(spec_from_name(str(tmp_path / "h.wsg.gz"), undirected=False))
    assert back.hash == small(False, True).hash
    with pytest.raises(UsageError, match="only text formats are compressed"):
        write_graph(small(False, True), tmp_path / "g.wsg.gz")


def test_rows_through_a_pipe(tmp_path):
    write_graph(small(True, True), tmp_path / "g", "egr")
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(
        target=lambda: (tmp_path / "pipe").write_bytes((tmp_path / "g").read_bytes()), daemon=True
    )
    writer.start()
    assert load_graph(GraphSpec("egr", path=str(tmp_path / "pipe"))).hash == small(True, True).hash
    writer.join()


def test_ligra_without_a_number_of_edges(tmp_path):
    """Files as Ligra's own tools write them: weights cannot be told from neighbours then."""
    write_graph(small(True, False), tmp_path / "g", "ligra-binary")
    (tmp_path / "g.config").write_text("4")
    assert load_graph(GraphSpec("ligra-binary", path=str(tmp_path / "g"))).m == 6
    write_graph(small(True, True), tmp_path / "g", "ligra-binary")
    (tmp_path / "g.config").write_text("4")
    with pytest.raises(InputError, match=r"g\.config: whether .* write the number of edges"):
        load_graph(GraphSpec("ligra-binary", path=str(tmp_path / "g")))


def test_ligra_with_wide_offsets(tmp_path):
    write_graph(small(True, True), tmp_path / "g", "ligra-binary")
    (tmp_path / "g.idx").write_bytes(pack(("Q", 0, 2, 3, 4)))
    assert load_graph(GraphSpec("ligra-binary", path=str(tmp_path / "g"))).hash == small(True, True).hash


@settings(
    max_examples=cases(100),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
)
@given(data=st.data())
def test_there_and_back(tmp_path, data):
    """Any graph comes back from every format that can hold it: its hash tells."""
    n = data.draw(st.integers(1, 12), "n")
    vertex = st.integers(0, n - 1)
    ends = data.draw(st.lists(st.tuples(vertex, vertex, st.integers(-99, 99)), max_size=20), "edges")
    undirected, weighted = data.draw(st.booleans(), "undirected"), data.draw(st.booleans(), "weighted")
    keep = {key: data.draw(st.booleans(), key) for key in ("keep_self_loops", "keep_duplicates")}
    src, dst, values = np.array(ends, np.int32).reshape(-1, 3).T
    graph = build_graph(n, src, dst, values if weighted else None, undirected=undirected, **keep)
    name = data.draw(st.sampled_from(list(FORMATS)), "format")
    assume(holds(FORMATS[name], name, graph, keep["keep_duplicates"]))
    write_graph(graph, tmp_path / "g", name)
    spec = GraphSpec(FORMATS[name].kind, path=str(tmp_path / "g"), undirected=undirected, **keep)
    back = load_graph(spec, cache=False)
    assert (back.hash, back.undirected) == (graph.hash, undirected)
    assert_well_formed(back)


def holds(form, name, graph, duplicates):
    """True if a format can give a graph back as it was."""
    if not graph.m:  # no entry shows that there are weights; SciPy's empty matrices are real
        needs = form.loses_last or form.weights in ("needed", "ones") or name == "mtx"
        return not (graph.weighted or needs)
    if duplicates and graph.undirected and name in ("gunrock1", "npz"):
        return False  # each edge is there twice already, and is read as two
    last = max(graph.csr.column_indices.max(), graph.csr.sources().max())
    if form.loses_last and last < graph.n - 1:
        return False
    return {"none": not graph.weighted, "needed": graph.weighted, "ones": graph.weighted, "kept": True}[
        form.weights
    ]


def test_rows_that_are_clean_are_taken_as_they_are(tmp_path, monkeypatch):
    """No edge is sorted again."""
    for undirected in (True, False):
        for name in ("sg", "egr", "gr", "csr", "ligra", "ligra-binary"):
            write_graph(small(undirected, False), tmp_path / f"{name}-{undirected}", name)
    monkeypatch.setattr(load, "csr_from_edges", None)
    for undirected in (True, False):
        for name in ("sg", "egr", "gr", "csr", "ligra", "ligra-binary"):
            spec = GraphSpec(
                FORMATS[name].kind, path=str(tmp_path / f"{name}-{undirected}"), undirected=undirected
            )
            assert load_graph(spec, cache=False).m == (6 if undirected else 3)


def test_directed_rows_are_made_undirected(tmp_path):
    for name in ("wsg", "egr", "gr", "csr", "ligra", "gunrock1"):
        write_graph(small(False, True), tmp_path / "g", name)
        assert (
            load_graph(GraphSpec(FORMATS[name].kind, path=str(tmp_path / "g")), cache=False).hash
            == small(True, True).hash
        )


def test_an_undirected_sg_stays_so(tmp_path):
    write_graph(small(True, False), tmp_path / "g", "sg")
    back = load_graph(GraphSpec("sg", path=str(tmp_path / "g"), undirected=False))
    assert back.undirected
    assert back.hash == small(True, False).hash


def test_weights_asked_for_replace_those_of_the_file(tmp_path):
    write_graph(small(False, True), tmp_path / "g", "wsg")
    spec = GraphSpec("wsg", path=str(tmp_path / "g"), undirected=False, weights="unit")
    assert_well_formed(load_graph(spec))
    assert load_graph(spec).csr.values.tolist() == [1, 1, 1]


GAP_BOTH = [("B", 0), ("q", 6, 4), ("q", 0, 2, 3, 4, 6), ("i", 1, 3, 0, 3, 0, 2)]
ADJACENT = b"AdjacencyGraph\n2\n2\n0\n1\n1\n"
"""All but the last number of an edge in both directions."""
META = "num_edges 2\nnum_vertices 3\n"
HOSTILE = {
    "empty": ("sg", {"": b""}, "truncated: 0 bytes, and its header takes 17"),
    "direction": ("sg", {"": pack(("B", 7), *GAP_BOTH[1:])}, "begins with the byte 7"),
    "count": (
        "sg",
        {"": pack(("B", 0), ("q", 2**62, 4), *GAP_BOTH[2:])},
        "truncated: 4 vertices and 4611686018427387904 .* take 18446744073709551673 bytes",
    ),
    "negative": ("sg", {"": pack(("B", 0), ("q", -6, 4), *GAP_BOTH[2:])}, "damaged header: 4 .* and -6"),
    "short": ("sg", {"": pack(*GAP_BOTH)[:-1]}, "truncated: 4 vertices and 6 .* take 81 bytes"),
    "long": ("sg", {"": pack(*GAP_BOTH) + b"\0"}, "longer than it says: .* the file has 82"),
    "offsets": (
        "sg",
        {"": pack(*GAP_BOTH[:2], ("q", 0, 5, 3, 4, 6), GAP_BOTH[3])},
        "damaged: the row of vertex 1 begins at 5 and ends at 3",
    ),
    "first offset": (
        "sg",
        {"": pack(*GAP_BOTH[:2], ("q", 1, 2, 3, 4, 6), GAP_BOTH[3])},
        "row offsets go from 1 to 6, and not from 0 to 6",
    ),
    "neighbour": (
        "sg",
        {"": pack(*GAP_BOTH[:3], ("i", 1, 3, 0, 3, 4, 2))},
        "vertex 3 has a neighbour 4, but vertices are 0 to 3",
    ),
    "negative neighbour": ("sg", {"": pack(*GAP_BOTH[:3], ("i", 1, 3, 0, 3, -1, 2))}, "a neighbour -1"),
    "one way": (
        "sg",
        {"": pack(*GAP_BOTH[:3], ("i", 1, 3, 2, 3, 0, 2))},
        "it says that it is undirected, but vertex 0 lists 1 and vertex 1 does not list 0",
    ),
    "two weights": (
        "wsg",
        {"": pack(*GAP_BOTH[:3], ("i", 1, 7, 3, 5, 0, 8, 3, 6, 0, 5, 2, 6))},
        "does not list 0 with the same weight",
    ),
    "in-edges": (
        "sg",
        {"": pack(("B", 1), ("q", 1, 2), *[("q", 0, 1, 1), ("i", 1)] * 2)},
        "its in-edges are not the reverse of its edges",
    ),
    "sg as wsg": ("wsg", {"": pack(*GAP_BOTH)}, "truncated"),
    "many vertices": ("egr", {"": pack(("i", 2**31 - 1, 0))}, "truncated: 2147483647 vertices"),
    "no vertices": ("egr", {"": pack(("i", -1, 0))}, "damaged header: -1 vertices"),
    "half the weights": (
        "egr",
        {"": pack(("i", 2, 2, 0, 1, 2, 1, 0, 5))},
        "take 28 bytes in this format .36 with weights., and the file has 32",
    ),
    "version": ("galois", {"": pack(("Q", 2, 0, 0, 0))}, "version 2 of Galois's format, where 1 is read"),
    "wide data": ("galois", {"": pack(("Q", 1, 8, 0, 0))}, "edge data of 8 bytes"),
    "wraps": ("galois", {"": pack(("Q", 1, 4, 2**61, 2**61))}, "truncated: 2305843009213693952 vertices"),
    "far end": ("galois", {"": pack(("Q", 1, 0, 1, 0, 2**63))}, "row offsets go from 0 to 922337203"),
    "no padding": ("galois", {"": pack(("Q", 1, 0, 1, 1, 1), ("I", 0))}, "truncated"),
    "not square": ("csr", {"": pack(("i", 2, 3, 0, 0, 0, 0))}, "a 2 x 3 matrix is not square"),
    "not a number": (
        "csr",
        {"": pack(("i", 1, 1, 1, 0, 1, 0), ("f", float("nan")))},
        "value of entry 1 nan",
    ),
    "no word": ("ligra", {"": b"Adjacency\n1\n0\n0\n"}, ":1: expected AdjacencyGraph"),
    "a word": ("ligra", {"": ADJACENT + b"x0\n"}, ":7: expected a number, found 'x0'"),
    "a fraction": ("ligra", {"": ADJACENT + b"0.5\n"}, ":7: .*'0.5'"),
    "a long number": ("ligra", {"": ADJACENT + b"1" * 19}, ":7: expected a number"),
    "a long word": ("ligra", {"": ADJACENT + b"1" * (3 << 20)}, ":7: expected a number"),
    "few numbers": ("ligra", {"": ADJACENT[:-2] + b"1111\n"}, "truncated: 3 numbers"),
    "no room": ("ligra", {"": b"AdjacencyGraph\n2\n99999999\n0\n1\n1\n"}, "truncated: .* room for 3"),
    "many numbers": ("ligra", {"": ADJACENT + b"0\n7\n"}, ":8: more numbers than the 4"),
    "negative vertex": ("ligra", {"": ADJACENT + b"-1\n"}, "vertex number -1"),
    "odd config": (
        "ligra-binary",
        {".config": b"4x", ".idx": b"", ".adj": b""},
        r"\.config: expected the number of vertices",
    ),
    "long config": (
        "ligra-binary",
        {".config": b"4" * 70000, ".idx": b"", ".adj": b""},
        r"\.config: 70000 bytes, where a few lines are expected",
    ),
    "short index": (
        "ligra-binary",
        {".config": b"4", ".idx": bytes(12), ".adj": b""},
        r"\.idx: 12 bytes, where 4 vertices take 16",
    ),
    "odd adjacency": (
        "ligra-binary",
        {".config": b"1", ".idx": bytes(4), ".adj": b"abc"},
        r"\.adj: truncated: 3 bytes",
    ),
    "edges in between": (
        "ligra-binary",
        {".config": b"1 2", ".idx": bytes(4), ".adj": bytes(12)},
        r"\.adj: 3 numbers, but .*\.config says 2 edges",
    ),
    "no count": (
        "gunrock1",
        {".meta": b"num_edges 2\n", ".coo_edge_pairs": b""},
        "no line 'num_vertices NUMBER'",
    ),
    "odd flag": (
        "gunrock1",
        {".meta": b"num_edges 2\nskew maybe\n", ".coo_edge_pairs": b""},
        r"\.meta:2: expected a name and its value, found 'skew maybe'",
    ),
    "other length": (
        "gunrock1",
        {".meta": META.encode(), ".coo_edge_pairs": pack(("q", 3, 0x106))},
        r"\.coo_edge_pairs: 3 items, but the \.meta beside it says 2 edges",
    ),
    "other type": (
        "gunrock1",
        {".meta": META.encode(), ".coo_edge_pairs": pack(("q", 2, 0x109))},
        "items of type 0x109",
    ),
    "vertex 0": (
        "gunrock1",
        {".meta": META.encode(), ".coo_edge_pairs": pack(("q", 2, 0x106), ("I", 1, 2, 0, 3))},
        "edge 2 has an end 0, but vertices are 1 to 3",
    ),
    "wide weights": (
        "gunrock1",
        {
            ".meta": f"{META}got_edge_values true\n".encode(),
            ".coo_edge_pairs": pack(("q", 2, 0x106), ("I", 1, 2, 2, 3)),
            ".coo_edge_values": pack(("q", 2, 0x14), ("d", 1, 2)),
        },
        r"\.coo_edge_values: weights of type 0x14",
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files(tmp_path, case):
    kind, files, message = HOSTILE[case]
    for ending, data in files.items():
        (tmp_path / f"g{ending}").write_bytes(data)
    with pytest.raises(InputError, match=message) as caught:
        load_graph(GraphSpec(kind, path=str(tmp_path / "g")), cache=False)
    assert str(caught.value).startswith(str(tmp_path / "g"))
    assert "\n" not in str(caught.value)


def test_memory_is_asked_for_before_it_is_taken(tmp_path, monkeypatch):
    write_graph(small(True, True), tmp_path / "g", "egr")
    monkeypatch.setattr(memory, "available_bytes", lambda: 16)
    with pytest.raises(OutOfMemory, match=r"g: 4 vertices and 6 directed edges"):
        load_graph(GraphSpec("egr", path=str(tmp_path / "g")), cache=False)


def test_what_cannot_be_written_leaves_what_was_there(tmp_path, monkeypatch):
    """All files of a graph appear, or none: also if the last one fails, or a name is taken."""
    written = write_graph(small(True, True), tmp_path / "g", "ligra-binary")
    old = [path.read_bytes() for path in written]
    with monkeypatch.context() as patch:
        patch.setattr(ligra_binary, "put", fails)
        with pytest.raises(InputError, match="the disk is full"):
            write_graph(small(False, True), tmp_path / "g", "ligra-binary")
    assert [path.read_bytes() for path in written] == old
    for link in (os.link, fails):  # also if a file cannot have two names
        monkeypatch.setattr(os, "link", link)
        with monkeypatch.context() as patch:
            patch.setattr(
                os, "replace", lambda here, there: fails() if there == written[0] else move(here, there)
            )
            with pytest.raises(InputError, match=r"g\.config: the disk is full"):  # takes its name last
                write_graph(small(False, True), tmp_path / "g", "ligra-binary")
        assert [path.read_bytes() for path in written] == old
        assert sorted(tmp_path.iterdir()) == sorted(written)
    for path in written:
        path.unlink()
    written[0].mkdir()
    with pytest.raises(InputError, match=r"g\.config: cannot be written"):
        write_graph(small(False, True), tmp_path / "g", "ligra-binary")
    assert list(tmp_path.iterdir()) == [written[0]]


move = os.replace


def fails(*_, **__):
    raise OSError(28, "No space left on device")
