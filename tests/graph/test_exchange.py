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
    weights = np.array([7, 5, 6], np.int32) if weighted else None
    return build_graph(4, *ends.T, weights, undirected=undirected, name="small")


BOTH = pack(("q", 0, 2, 3, 4, 6))
GOLDEN = {
    ("el", True, False): {"": b"1\t0\n3\t0\n3\t2\n"},
    ("el", False, False): {"": b"0\t1\n0\t3\n2\t3\n"},
    ("wel", True, True): {"": b"1\t0\t7\n3\t0\t5\n3\t2\t6\n"},
    ("wel", False, True): {"": b"0\t1\t7\n0\t3\t5\n2\t3\t6\n"},
    ("sg", True, False): {"": pack(("B", 0), ("q", 6, 4)) + BOTH + pack(("i", 1, 3, 0, 3, 0, 2))},
    ("sg", False, False): {"": pack(("B", 1), ("q", 3, 4), ("q", 0, 2, 2, 3, 3), ("i", 1, 3, 3),
                                    ("q", 0, 0, 1, 1, 3), ("i", 0, 0, 2))},
    ("wsg", True, True): {"": pack(("B", 0), ("q", 6, 4)) + BOTH
                          + pack(("i", 1, 7, 3, 5, 0, 7, 3, 6, 0, 5, 2, 6))},
    ("wsg", False, True): {"": pack(("B", 1), ("q", 3, 4), ("q", 0, 2, 2, 3, 3), ("i", 1, 7, 3, 5, 3, 6),
                                    ("q", 0, 0, 1, 1, 3), ("i", 0, 7, 0, 5, 2, 6))},
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
    assert edges(back.csr) == edges(graph.csr)
    assert (back.hash, back.undirected) == (graph.hash, undirected)


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
