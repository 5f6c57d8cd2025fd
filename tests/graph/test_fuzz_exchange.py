"""Damaged files of other systems: read as their format means, or refused in one line.

The slow readers in ``strict_rows`` give the meaning of a damaged file.
"""

import random
import struct
from pathlib import Path

import numpy as np
import pytest
from fuzzing import cases
from graph_helper import edges

from gunrock_cli.errors import GunrockError, OutOfMemory
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model import memory
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.sources.files.exchange import array_file, ligra
from gunrock_cli.graph.sources.files.readers.formats import FORMATS, KINDS
from gunrock_cli.graph.sources.files.writers import write_graph
from gunrock_cli.graph.spec import GraphSpec

from . import strict_rows

pytestmark = pytest.mark.fuzz

KINDS_OF_ROWS = list(strict_rows.READERS)
ODD = [
    -1,
    *range(10),
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**32,
    2**33,
    2**61,
    2**62,
    2**63 - 1,
    -(2**31),
    -(2**63),
    0x105,
    0x106,
    0x12,
]
SCRAPS = [
    b"-",
    b"0",
    b"1",
    b"9",
    b" ",
    b"\n",
    b"\r\n",
    b"\0",
    b"x",
    b".5",
    b"-3",
    b"-0",
    b"1" * 19,
    b"true",
    b"false",
    b"Weighted",
    b"\x85",
    b" symmetric true\n",
]


@pytest.fixture(autouse=True)
def _little_memory(monkeypatch):
    """Limit memory: a count that has grown digits must not be believed."""
    monkeypatch.setattr(memory, "available_bytes", lambda: 1 << 24)


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch):
    """Read in small pieces, so that files here have several."""
    monkeypatch.setattr(array_file, "_PAIRS", 2)
    monkeypatch.setattr(ligra, "_BLOCK", 24)


@pytest.fixture(scope="module")
def seeds(tmp_path_factory):
    """The files of some graphs in every kind: with loops, with repetitions, with weights or none."""
    folder = tmp_path_factory.mktemp("seeds")
    found = {kind: [] for kind in KINDS_OF_ROWS}
    for number, graph in enumerate(graphs()):
        for name, form in FORMATS.items():
            if form.kind not in found or (form.weights == "needed" and not graph.weighted):
                continue
            base = folder / f"{name}{number}"
            written = write_graph(graph, base, name)
            found[form.kind].append(
                {str(path).removeprefix(str(base)): path.read_bytes() for path in written}
            )
    return found


def graphs():
    rng = np.random.default_rng(5)
    for n, m, undirected, weights in (
        (5, 4, True, None),
        (4, 7, False, "int32"),
        (6, 5, True, "int32"),
        (3, 3, False, None),
        (1, 0, True, None),
    ):
        ends = rng.integers(0, n, (2, m), dtype=np.int32)
        values = None if weights is None else rng.integers(-9, 9, m).astype(weights)
        yield build_graph(
            n, *ends, values, undirected=undirected, keep_self_loops=True, keep_duplicates=True
        )


def damaged(rng, files):
    """Replace some numbers, flip bits, add or drop bytes, or take a file of another graph."""
    files = dict(files)
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
        name = rng.choice(list(files))
        data = bytearray(files[name])
        place = rng.randint(0, len(data))
        action = rng.randrange(6)
        if action < 2:
            width = rng.choice([4, 8])
            place = min(place // 4 * 4 + rng.choice([0, 0, 1]), max(0, len(data) - width))
            number = rng.choice(ODD)
            data[place : place + width] = struct.pack("<q", (number + 2**63) % 2**64 - 2**63)[:width]
        elif action == 2 and data:
            data[min(place, len(data) - 1)] ^= 1 << rng.randrange(8)
        elif action == 3:
            del data[place : place + rng.choice([1, 2, 4, 8])]
        elif action == 4:
            data[place:place] = rng.choice([*SCRAPS, bytes(4), bytes(8), data[place : place + 8]])
        else:
            data[place : place + 2] = rng.choice(SCRAPS)
        files[name] = bytes(data)
    return files


def loaded(path, kind):
    """The graph, or the error that refuses the file, which must be one line."""
    try:
        return load_graph(
            GraphSpec(kind, path=path, undirected=False, keep_self_loops=True, keep_duplicates=True),
            cache=False,
        )
    except GunrockError as error:
        refused = error
    assert len(str(refused).splitlines()) == 1
    assert path in str(refused)
    return refused


@pytest.mark.parametrize("kind", KINDS_OF_ROWS)
def test_damaged(tmp_path, seeds, kind):
    rng, base = random.Random(kind), tmp_path / "g"
    read = 0
    for _ in range(cases(250)):
        files = damaged(rng, rng.choice(seeds[kind]))
        for path in tmp_path.iterdir():
            path.unlink()
        for ending, data in files.items():
            Path(f"{base}{ending}").write_bytes(data)
        graph, expected = loaded(str(base), kind), strict_rows.meaning(kind, files)
        if isinstance(graph, GunrockError):
            assert expected is None or isinstance(graph, OutOfMemory), graph
            continue
        assert expected is not None, files
        assert (graph.n, sorted(edges(graph.csr))) == (expected.n, expected.edges), files
        read += 1
    assert read


def test_every_kind_of_another_system_is_here():
    others = {kind for kind, entry in KINDS.items() if entry.reader.startswith("exchange.")}
    assert set(KINDS_OF_ROWS) == others
