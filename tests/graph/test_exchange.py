"""Files as other systems have them: byte for byte, there and back."""

import struct

import numpy as np
import pytest
from graph_helper import assert_well_formed, edges

from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.build import build_graph
from gunrock_cli.graph.io.formats import FORMATS
from gunrock_cli.graph.io.writers import write_graph
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.spec import GraphSpec


def pack(*parts):
    """Numbers of one type each: ("q", 1, 2) are two of 64 bits."""
    return b"".join(struct.pack(f"<{len(numbers)}{code}", *numbers) for code, *numbers in parts)


def small(undirected, weighted):
    """0 -> 1 (7), 0 -> 3 (5), 2 -> 3 (6), and back where it is undirected; 1 has no neighbour but 0."""
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
    """What is to be in the files of every format, by what comes behind the path."""
    rows, ends, weights = ROWS[undirected], ENDS[undirected], WEIGHTS[undirected]
    m, given = len(ends), [weights] if weighted else []
    sides = [(rows, ends, weights)] if undirected else [(rows, ends, weights),
                                                        (IN_ROWS, IN_ENDS, IN_WEIGHTS)]
    gap = pack(("B", not undirected), ("q", m, 4))
    sources = [row for row in range(4) for _ in range(rows[row], rows[row + 1])]
    files = {
        "ligra": {"": lines("Weighted" * weighted + "AdjacencyGraph", 4, m, *rows[:-1], *ends,
                            *(weights if weighted else []))},
        "ligra-binary": {".config": lines(4, m), ".idx": pack(("I", *rows[:-1])),
                         ".adj": pack(("I", *ends), *(("i", *each) for each in given))},
        "egr": {"": pack(("i", 4, m), ("i", *rows), ("i", *ends), *(("i", *each) for each in given))},
        "gr": {"": pack(("Q", 1, 4 * weighted, 4, m), ("Q", *rows[1:]), ("I", *ends, *[0] * (m % 2)),
                        *(("i", *each) for each in given))},
        "csr": {"": pack(("i", 4, 4, m), ("i", *rows), ("i", *ends),
                         ("f", *(weights if weighted else [1] * m)))},
        "gunrock1": {".meta": f"array false\ngot_edge_values {str(weighted).lower()}\nnum_edges {m}\n"
                              "num_vertices 4\nskew false\nsymmetric false\n".encode(),
                     ".coo_edge_pairs": pack(("q", m, 0x106),
                                             ("I", *(end + 1 for end in pairs(sources, ends)))),
                     **({".coo_edge_values": pack(("q", m, 6), ("I", *weights))} if weighted else {})},
    }
    if weighted:
        files["wsg"] = {"": gap + b"".join(pack(("q", *rows), ("i", *pairs(ends, weights)))
                                           for rows, ends, weights in sides)}
        files["wel"] = {"": b"1\t0\t7\n3\t0\t5\n3\t2\t6\n" if undirected
                        else b"0\t1\t7\n0\t3\t5\n2\t3\t6\n"}
    else:
        files["sg"] = {"": gap + b"".join(pack(("q", *rows), ("i", *ends)) for rows, ends, _ in sides)}
        files["el"] = {"": b"1\t0\n3\t0\n3\t2\n" if undirected else b"0\t1\n0\t3\n2\t3\n"}
    return files


GOLDEN = {(name, undirected, weighted): content for undirected in (True, False)
          for weighted in (True, False) for name, content in golden(undirected, weighted).items()}


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
    with pytest.raises(InputError, match=f"g: a {name} file has weights, .* --weights"):
        write_graph(small(True, False), tmp_path / "g", name)
    assert list(tmp_path.iterdir()) == []


def test_formats_without_weights_leave_them_out(tmp_path):
    write_graph(small(True, True), tmp_path / "g", "sg")
    assert (tmp_path / "g").read_bytes() == GOLDEN["sg", True, False][""]


def test_no_such_format(tmp_path):
    with pytest.raises(UsageError, match="no format gexf; there are mtx, el"):
        write_graph(small(True, False), tmp_path / "g", "gexf")
