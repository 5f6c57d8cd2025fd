"""Files of arrays (.npz, .gcsr) made to mislead: refused in one line."""

import io
import json
import struct
import zipfile

import numpy as np
import pytest
from graph_helper import generated, sealed
from scipy import sparse

from gunrock_cli.errors import InputError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.sources.files.writers import write_graph
from gunrock_cli.graph.spec import GraphSpec


def resaved(path, **changes):
    """A file of ``save_npz``, some of its arrays replaced."""
    sparse.save_npz(path, sparse.csr_matrix(np.eye(3)))
    arrays = dict(np.load(path)) | changes
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"indices": np.array([0, 1.5, 2])}, "indices is 1-dimensional, of type float64"),
        ({"indices": np.array([0, 1, 2**32])}, "indices go from 0 to 4294967296"),
        ({"indptr": np.array([0, 2, 1, 3])}, "indptr does not rise"),
        ({"indptr": np.array([0, 1, 2**63, 3], np.uint64)}, "indptr does not rise"),
        ({"indptr": np.array([0, 1, 2])}, "indptr has 3 entries instead of 4"),
        ({"data": np.ones(2)}, "data has 2 entries instead of 3"),
        ({"data": np.array([1, None, 2], object)}, "not a SciPy sparse matrix"),
        ({"shape": np.array([3])}, "shape has 1 entries"),
        ({"shape": np.array([-3, -3])}, "cannot have -3 rows"),
        ({"format": np.array(b"dia")}, "save it as CSR, CSC or COO"),
        ({"data": None}, "no item named 'data.npy'"),
    ],
)
def test_npz_of_arrays_that_do_not_fit(tmp_path, changes, message):
    resaved(tmp_path / "g.npz", **changes)
    with pytest.raises(InputError, match=message) as caught:
        load_graph(GraphSpec("npz", path=str(tmp_path / "g.npz")))
    assert "\n" not in str(caught.value)


def test_npz_that_claims_more_than_it_holds(tmp_path, monkeypatch):
    """No memory is allocated for the claim."""
    resaved(tmp_path / "g.npz")
    whole = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        whole, {"descr": "<f8", "fortran_order": False, "shape": (10**14,)}
    )
    with zipfile.ZipFile(tmp_path / "g.npz") as old, zipfile.ZipFile(tmp_path / "h.npz", "w") as new:
        for name in old.namelist():
            new.writestr(name, whole.getvalue() if name == "data.npy" else old.read(name))
    with pytest.raises(InputError, match="data holds 128 bytes, but its header says 800000000000128"):
        load_graph(GraphSpec("npz", path=str(tmp_path / "h.npz")))


def test_npz_whose_header_is_no_python(tmp_path):
    header = b"{'descr': (\n"
    array = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
    with zipfile.ZipFile(tmp_path / "g.npz", "w") as file:
        file.writestr("format.npy", array)
    with pytest.raises(InputError, match="not a SciPy sparse matrix"):
        load_graph(GraphSpec("npz", path=str(tmp_path / "g.npz")))


def test_npz_whose_compression_is_damaged(tmp_path):
    path = tmp_path / "g.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as file:
        file.writestr("format.npy", bytes(100))
    whole = bytearray(path.read_bytes())
    begin = whole.index(b"format.npy") + len("format.npy") + 9
    whole[begin : begin + 4] = b"\xff" * 4
    path.write_bytes(whole)
    with pytest.raises(InputError, match="not a SciPy sparse matrix"):
        load_graph(GraphSpec("npz", path=str(path)))


def forged(path, change):
    """A binary graph with changed header and content, and right checksums."""
    write_graph(generated("rmat", scale=3, weights="random", undirected=False), str(path))
    whole = path.read_bytes()
    size = struct.unpack("<Q", whole[8:16])[0]
    header, content = json.loads(whole[16 : 16 + size]), bytearray(whole[16 + size :])
    items = {
        key: np.frombuffer(content, place["dtype"], place["length"], place["offset"])
        for key, place in header["arrays"].items()
    }
    change(header, items)
    path.write_bytes(sealed(header, bytes(content)))


def put(key, place, value):
    def change(_, items):
        items[key][place] = value

    return change


def claim(key, value, array=None):
    def change(header, _):
        (header["arrays"][array] if array else header)[key] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        put("csr.row_offsets", 2, 10**6),
        put("csr.row_offsets", 1, -(2**31)),
        put("csr.row_offsets", 0, 1),
        put("csr.column_indices", 3, 8),
        put("csr.column_indices", 3, -1),
        put("reverse.column_indices", 3, 2**30),
        claim("n", -1),
        claim("n", 2**40),
        claim("m", True),
        claim("n", 8.0),
        claim("undirected", True),
        claim("bytes", 10**30),
        claim("length", 10**15, "csr.column_indices"),
        claim("offset", -64, "csr.values"),
        claim("offset", 0.5, "csr.values"),
        claim("dtype", "<f8", "csr.values"),
        claim("dtype", [], "csr.values"),
    ],
)
def test_forged_binary_graphs(tmp_path, change):
    path = tmp_path / "g.gcsr"
    forged(path, lambda *_: None)
    assert load_graph(GraphSpec("binary", path=str(path), undirected=False)).n == 8
    forged(path, change)
    with pytest.raises(InputError, match=r"g\.gcsr: .*damaged") as caught:
        load_graph(GraphSpec("binary", path=str(path), undirected=False))
    assert "\n" not in str(caught.value)


def test_binary_header_of_nested_lists(tmp_path):
    text = b"[" * 100_000
    (tmp_path / "g.gcsr").write_bytes(b"GUNROCK1" + struct.pack("<Q", len(text)) + text)
    with pytest.raises(InputError, match="damaged header"):
        load_graph(GraphSpec("binary", path=str(tmp_path / "g.gcsr")))
