"""Damaged files of every format: read as their format means, or refused in one line.

The slow readers in ``strict`` give the meaning of a damaged file.
"""

import contextlib
import gzip
import io
import json
import random
import struct
import tarfile
import zipfile
from functools import cache

import numpy as np
import pytest
from fuzzing import cases
from graph_helper import BANNER, edges, generated, sealed
from scipy import sparse

from gunrock_cli.errors import GunrockError, OutOfMemory
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model import memory
from gunrock_cli.graph.sources.downloads.unpack import unpack
from gunrock_cli.graph.sources.files.readers import binary
from gunrock_cli.graph.sources.files.writers import write_graph
from gunrock_cli.graph.spec import GraphSpec

from . import strict

pytestmark = pytest.mark.fuzz

SEEDS = {
    "market": [
        f"{BANNER} integer symmetric\n% c\n5 5 4\n2 1 7\n3 1 8\n4 4 9\n5 2 -3\n",
        f"{BANNER} real general\n\n9 9 3\n1 2 1.5\n3 4 -2e-3 % x\n9 9 .5E+1\n",
        f"{BANNER} pattern general\r\n12 12 3\r\n1\t2\r\n 11 12 \r\n3 3\r\n",
        f"{BANNER} double skew-symmetric\n3 3 2\n2 1 1.25\n3 2 0.1\n",
        f"{BANNER} unsigned-integer general\n3 3 2\n2 1 10\n3 2 4000\n",
    ],
    "edge-list": [
        "# c\n0 1 5\n1 2 6\n3 4 7\n",
        "0 1\n% c\n1\t2 # x\n30 4",
        "0,1,0.5\n2 , 3 , -1e2\n",
        "0 1 3 x\r\n2 0 4 y\r\n",
    ],
    "dimacs": [
        "c x\np sp 5 3\na 1 2 5\na 2 3 6\nc y\na 4 5 7\n",
        "p edge 3 2\ne 1 2\ne 2 3\n",
        "p sp 12 2\na 1 12 0.5\na 2 11 1e2\n",
    ],
    "metis": [
        "% c\n3 2 1\n2 7\n1 7 3 5\n2 5\n",
        "3 2 11 1\n9 2 7\n9 1 7 3 5\n% x\n9 2 5\n",
        "4 2\n2\r\n1 3\r\n2\r\n\r\n",
    ],
}
SCRAPS = [
    *(bytes([byte]) for byte in b'0129-+. \t\n\r%#eEDx,"cp\0\xff\x0b\x1f'),
    b"a ",
    b"nan",
    b"inf",
    b"NA",
    b"0x1",
    b"1e5",
    b"-0.0",
    b"3.4e38",
    b"1e-400",
    b"1e400",
    b"99999999999",
    b"4294967297",
    b"\n\n",
    b" 1",
]


@pytest.fixture(autouse=True)
def _little_memory(monkeypatch):
    """Limit memory: a number that has grown digits may ask for two billion vertices."""
    monkeypatch.setattr(memory, "available_bytes", lambda: 1 << 24)


def damaged(rng, data, most=3):
    """Add, drop or change a few bytes; repeat, swap or drop lines; or cut off the end."""
    text = bytearray(data)
    for _ in range(rng.randint(0, most)):
        place, some = rng.randint(0, len(text)), rng.choice(SCRAPS)
        action = rng.randrange(8)
        if action < 3:
            text[place:place] = some
        elif action == 3:
            text[place : place + len(some)] = some
        elif action == 4:
            del text[place : place + rng.randint(1, 3)]
        elif action == 5:
            lines = text.splitlines(keepends=True)
            rng.shuffle(lines)
            text = bytearray(b"".join(lines))
        elif action == 6:
            text[place:place] = text[place : place + rng.randint(1, 12)]
        elif rng.random() < 0.2:
            del text[place:]
    return bytes(text)


def flipped(rng, data):
    """Flip some bits, or drop the end, as disks and networks do."""
    text = bytearray(data)
    for _ in range(rng.randint(0, 3)):
        text[rng.randrange(len(text))] ^= 1 << rng.randrange(8)
    return bytes(text if rng.random() < 0.7 else text[: rng.randint(0, len(text))])


def tried(call, *arguments):
    """The result of a call, or the error that it refuses with, which must be one line."""
    try:
        return call(*arguments)
    except GunrockError as error:
        refused = error
    assert len(str(refused).splitlines()) == 1
    return refused


def load(path, kind):
    return load_graph(
        GraphSpec(kind, path=str(path), undirected=False, keep_self_loops=True, keep_duplicates=True),
        cache=False,
    )


def check(graph, expected):
    """Check that the graph is as expected, or was refused if that is None."""
    if isinstance(graph, OutOfMemory):  # a number has grown digits
        return
    if isinstance(graph, GunrockError):
        assert expected is None, graph
        return
    assert expected is not None
    assert (graph.n, sorted(edges(graph.csr))) == (expected.n, expected.edges)


def meaning(read, *arguments):
    with contextlib.suppress(strict.Refused):
        return read(*arguments)
    return None


@pytest.mark.sampled(2)
@pytest.mark.usefixtures("cpu_path")
@pytest.mark.parametrize("kind", SEEDS)
def test_text(tmp_path, kind):
    rng, path = random.Random(kind), tmp_path / "g"
    for _ in range(cases(400)):
        data = damaged(rng, rng.choice(SEEDS[kind]).encode())
        path.write_bytes(data)
        check(tried(load, path, kind), meaning(strict.meaning, kind, data))


@pytest.mark.usefixtures("cpu_path")
def test_packed_text(tmp_path):
    rng, path = random.Random(1), tmp_path / "g"
    for _ in range(cases(300)):
        kind = rng.choice(list(SEEDS))
        data = flipped(rng, gzip.compress(rng.choice(SEEDS[kind]).encode(), mtime=0))
        path.write_bytes(data)
        check(tried(load, path, kind), meaning(strict.meaning, kind, data))


def test_npz(tmp_path):
    """Archives of arrays that do not fit each other."""
    rng, path = random.Random(2), tmp_path / "g.npz"
    for _ in range(cases(300)):
        arrays = odd_arrays(rng)
        with path.open("wb") as file:
            np.savez(file, **arrays)
        check(tried(load, path, "npz"), meaning(strict.npz, arrays))


@cache
def saved_arrays(seed, dtype, form):
    """The arrays that SciPy saves of a matrix."""
    matrix = sparse.random_array((4, 4), density=0.5, rng=seed, dtype=dtype)
    file = io.BytesIO()
    sparse.save_npz(file, matrix.asformat(form))
    file.seek(0)
    return dict(np.load(file))


def odd_arrays(rng):
    dtype = rng.choice([np.float32, np.float64, np.int64, np.int8, np.uint64, np.bool_])
    arrays = dict(saved_arrays(rng.randrange(9), dtype, rng.choice(["csr", "csc", "coo"])))
    for _ in range(rng.randint(0, 2)):
        name = rng.choice(list(arrays))
        array = arrays[name]
        if array.ndim == 0 or rng.random() < 0.1:
            arrays[name] = np.array(rng.choice([b"csr", b"csc", "coo", b"bsr", b"\xff", 7, "dia"]))
        else:
            arrays[name] = odd(rng, array)
    return arrays


def odd(rng, array):
    action = rng.randrange(6)
    if action == 0 and array.dtype.kind not in "SM":  # a number may turn into anything
        return array.astype(rng.choice([np.float64, np.uint64, np.int8, ">i4", "M8[s]", "S3", bool]))
    if action == 1:
        return array[: rng.randint(0, len(array))]
    if action == 2:
        return np.concatenate([array, array[:1]])
    if action == 3:
        return array.reshape(1, -1)
    wider = rng.choice([array.dtype, np.int64]) if array.dtype.kind in "iu" else array.dtype
    changed = array.astype(wider)
    if len(changed) and changed.dtype.kind in "iuf":
        limits = [-1, 0, 1, 3, 4, 5, 2**31, 2**40, -(2**31)] if changed.itemsize == 8 else [-1, 0, 1, 4]
        with np.errstate(over="ignore"):
            changed[rng.randrange(len(changed))] = np.array(rng.choice(limits)).astype(changed.dtype)
    return changed


@pytest.mark.parametrize("kind", ["npz", "binary"])
def test_flipped_bits(tmp_path, kind):
    """Checksums tell: it is the graph that was written, or refused."""
    rng, path = random.Random(3), tmp_path / f"g.{'npz' if kind == 'npz' else 'gcsr'}"
    graph = generated("rmat", scale=4, weights="random", undirected=False)
    write_graph(graph, str(path))
    whole, expected = path.read_bytes(), strict.Meaning(graph.n, edges(graph.csr))
    for _ in range(cases(300)):
        path.write_bytes(flipped(rng, whole))
        graph = tried(load, path, kind)
        check(graph, None if isinstance(graph, GunrockError) else expected)


@pytest.mark.parametrize("undirected", [False, True])
def test_binary(tmp_path, undirected):
    """Graphs with right checksums and a wrong header or wrong arrays."""
    rng, path = random.Random(4), tmp_path / "g.gcsr"
    write_graph(generated("rmat", scale=2, weights="random", undirected=undirected), str(path))
    whole = path.read_bytes()
    size = struct.unpack("<Q", whole[8:16])[0]
    for _ in range(cases(300)):
        header, content = json.loads(whole[16 : 16 + size]), bytearray(whole[16 + size :])
        sound = spoil(rng, header, content)
        path.write_bytes(sealed(header, bytes(content)))
        expected = meaning(strict.binary, header, bytes(content)) if sound else None
        check(tried(binary.read, str(path)), expected)


def spoil(rng, header, content):
    """Change a header or arrays. False if the header is no longer valid. Its field ``changes`` may be
    anything: the graph is the same without it."""
    if rng.random() < 0.5:
        for _ in range(rng.randint(0, 2)):
            place = rng.choice(list(header["arrays"].values()))
            at = place["offset"] + 4 * rng.randrange(place["length"])
            content[at : at + 4] = struct.pack(
                "<i", rng.choice([-1, 0, 1, 2, 3, 4, 5, -(2**31), 2**31 - 1])
            )
        return True
    table = rng.choice([header, *header["arrays"].values()])
    kept = ("xxh3_128", "name", "hash", "origin", "offset")  # or made right afterwards
    key = rng.choice([key for key in table if key not in kept])
    old = table[key]
    table[key] = rng.choice([None, -1, 0, 10**30, 2.0, True, "x", [], {}, "<i8", [[]] * 9, float("nan")])
    return key == "changes" or (type(table[key]) is type(old) and table[key] == old)


def archives():
    content = b"%MatrixMarket matrix coordinate pattern general\n9 9 3\n1 2\n2 3\n3 4\n" * 20
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("g.mtx", content)
    rolled = io.BytesIO()
    with tarfile.open(fileobj=rolled, mode="w:gz") as archive:
        entry = tarfile.TarInfo("g.mtx")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    return b"%" + content, {
        "zip": packed.getvalue(),
        "tar.gz": rolled.getvalue(),
        "gz": gzip.compress(content),
    }


@pytest.mark.parametrize("form", ["zip", "tar.gz", "gz"])
def test_archives(tmp_path, form):
    rng, path, target = random.Random(form), tmp_path / "archive", tmp_path / "g.mtx"
    content, packed = archives()
    for _ in range(cases(200)):
        data = packed[form]
        while data == packed[form]:
            data = flipped(rng, data)
        path.write_bytes(data)
        target.unlink(missing_ok=True)
        if not isinstance(tried(unpack, path, None if form == "gz" else "g.mtx", target), GunrockError):
            assert target.read_bytes() in (content, data)  # or it was no archive any more
        else:
            assert not target.exists()
