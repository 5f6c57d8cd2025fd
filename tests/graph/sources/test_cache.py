"""The cache: hits, misses, damage, several processes."""

import mmap
import multiprocessing
import os
import shutil
import tarfile
import time
from pathlib import Path

import numpy as np
import pytest
from graph_helper import BANNER, assert_well_formed, edges

import gunrock_cli
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.sources.files import cache
from gunrock_cli.graph.spec import GraphSpec

TEXT = f"{BANNER} integer general\n4 4 3\n1 2 5\n2 3 6\n3 3 7\n"


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "g.mtx"
    file.write_text(TEXT)
    return str(file)


@pytest.fixture
def reads(monkeypatch):
    """Count how often a file is parsed."""
    from gunrock_cli.graph.sources.files.readers import market

    calls, read = [], market.read
    monkeypatch.setattr(market, "read", lambda *args, **how: calls.append(args) or read(*args, **how))
    return calls


def test_second_load_comes_from_the_cache(path, reads):
    for undirected in (True, False):
        spec = GraphSpec("market", path=path, undirected=undirected, weights="random")
        first, second = load_graph(spec), load_graph(spec)
        assert_well_formed(second)
        assert edges(first.csr) == edges(second.csr)
        assert edges(first.reverse) == edges(second.reverse)
        assert (first.hash, first.name, first.origin) == (second.hash, second.name, second.origin)
    assert len(reads) == 2
    assert len(cache.entries()) == 2


@pytest.mark.parametrize(
    "options",
    [
        {"undirected": False},
        {"keep_self_loops": True},
        {"keep_duplicates": True},
        {"weights": "unit"},
        {"weights": "random"},
        {"weights": "random", "weight_seed": 1},
        {"weight_type": "float32"},
    ],
)
def test_every_option_counts(path, options):
    plain = load_graph(GraphSpec("market", path=path))
    other = load_graph(GraphSpec("market", path=path, **options))
    fresh = load_graph(GraphSpec("market", path=path, **options), cache=False)
    assert other.hash == fresh.hash
    assert len(cache.entries()) == 2
    assert load_graph(GraphSpec("market", path=path)).hash == plain.hash


def test_content_counts_not_the_name(path, tmp_path, reads):
    load_graph(GraphSpec("market", path=path))
    copy = tmp_path / "copy.mtx"
    copy.write_text(TEXT)
    graph = load_graph(GraphSpec("market", path=str(copy)))
    assert len(reads) == 1
    assert (graph.name, graph.origin["path"]) == ("copy", str(copy))


@pytest.mark.parametrize("age", [0, 100])
def test_a_changed_file_is_read_again(path, age):
    old = time.time() - age
    os.utime(path, (old, old))
    before = load_graph(GraphSpec("market", path=path))
    with open(path, "w") as file:
        file.write(TEXT.replace("1 2 5", "1 4 5"))
    assert load_graph(GraphSpec("market", path=path)).hash != before.hash


OTHER = TEXT.replace("1 2 5", "1 4 5")
LONG_AGO = 10**18  # nanoseconds since 1970


def _copied(path, new):
    """Copy over the file like ``cp -p``: the inode stays."""
    shutil.copy2(new, path)


def _replaced(path, new):
    os.replace(new, path)


def _linked(path, new):
    """Replace the file by a link to another."""
    os.unlink(path)
    os.symlink(new, path)


def _unpacked(path, new):
    archive = new.with_suffix(".tar")
    with tarfile.open(archive, "w") as out:
        out.add(new, os.path.basename(path))
    with tarfile.open(archive) as found:
        found.extractall(os.path.dirname(path), filter="data")


def _mapped(path, new):
    """Write through a mapping that was written to before."""
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        memory[:] = new.read_bytes()


def _written_within_a_tick(path, new):
    """Write while the file system's clock has not gone on."""
    with open(path, "w") as file:
        file.write(new.read_text())
    os.utime(path, ns=(LONG_AGO, LONG_AGO))


@pytest.mark.parametrize(
    "load", [lambda path: load_graph(GraphSpec("market", path=path)), gunrock_cli.load]
)
@pytest.mark.parametrize(
    "change", [_copied, _replaced, _linked, _unpacked, _mapped, _written_within_a_tick]
)
def test_a_file_that_looks_as_before_is_read_again(path, tmp_path, load, change):
    new = tmp_path / "new.mtx"
    new.write_text(OTHER)
    if change is _linked:
        (tmp_path / "old.mtx").write_text(TEXT)
        _linked(path, tmp_path / "old.mtx")
    for each in (path, new):
        os.utime(each, ns=(LONG_AGO, LONG_AGO))
    before = load(path)
    assert load(path).hash == before.hash
    looks = os.stat(path)
    change(path, new)
    if change is _mapped:
        os.utime(path, ns=(LONG_AGO, LONG_AGO))
    after = os.stat(path)
    assert (after.st_size, after.st_mtime_ns) == (looks.st_size, looks.st_mtime_ns)
    assert load(path).hash == load_graph(GraphSpec("market", path=path), cache=False).hash
    assert load(path).hash != before.hash


def test_a_file_that_is_written_to_while_it_is_read_is_not_kept(path, monkeypatch):
    """The entry would have the name of the earlier content, and come back with that."""
    from gunrock_cli.graph.sources.files.readers import market

    def meddled(*args, **how):
        Path(path).write_text(OTHER)
        return read(*args, **how)

    read = market.read
    right = load_graph(GraphSpec("market", path=path), cache=False)
    monkeypatch.setattr(market, "read", meddled)
    load_graph(GraphSpec("market", path=path))
    assert cache.entries() == []
    monkeypatch.setattr(market, "read", read)
    Path(path).write_text(TEXT)
    assert load_graph(GraphSpec("market", path=path)).hash == right.hash


def test_files_are_hashed_to_the_last_byte_of_every_piece(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "PIECE", 8)
    monkeypatch.setattr(cache, "_BLOCK", 3)
    file, content = tmp_path / "file", bytes(range(21))
    found = set()
    for damaged in (
        content,
        content[:-1],
        content[:16],
        content + b"x",
        b"",
        *(content[:at] + b"x" + content[at + 1 :] for at in range(21)),
    ):
        file.write_bytes(damaged)
        found.add(*cache.file_hashes([str(file)]))
    assert len(found) == 26


def test_a_name_that_is_no_text_is_a_name(tmp_path, reads):
    """Bytes that are not UTF-8, or any beyond ASCII in the C locale."""
    named = os.fsdecode(os.path.join(os.fsencode(tmp_path), b"g\xff.mtx"))
    with open(named, "w") as file:
        file.write(TEXT)
    first, second = (load_graph(GraphSpec("market", path=named)) for _ in range(2))
    assert first.hash == second.hash
    assert len(reads) == 1


def test_no_cache(path, reads):
    for _ in range(2):
        load_graph(GraphSpec("market", path=path), cache=False)
    assert len(reads) == 2
    assert not cache.graphs_dir().exists()


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: b"",
        lambda data: b"x" * len(data),
        lambda data: data[:20] + b"\xff" * 40 + data[60:],
        lambda data: data.replace(b'"hash": "', b'"hash": "0', 1).replace(b" " * 2, b" ", 1),
    ],
)
def test_damaged_entries_are_dropped(path, reads, damage):
    good = load_graph(GraphSpec("market", path=path))
    (entry,) = cache.graphs_dir().glob("*.gcsr")
    entry.write_bytes(damage(entry.read_bytes()))
    assert load_graph(GraphSpec("market", path=path)).hash == good.hash
    assert len(reads) == 2
    assert load_graph(GraphSpec("market", path=path)).hash == good.hash
    assert len(reads) == 2


def test_a_cache_that_cannot_be_written_is_only_a_warning(path, monkeypatch, caplog, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "file"))
    assert load_graph(GraphSpec("market", path=path)).n == 4
    assert "was not cached" in caplog.text


def test_a_cache_that_cannot_be_read_is_no_error(path, reads, monkeypatch):
    load_graph(GraphSpec("market", path=path))
    stat = Path.stat

    def refused(self, **how):
        if self.suffix == ".gcsr":
            raise PermissionError(13, "Permission denied", str(self))
        return stat(self, **how)

    monkeypatch.setattr(Path, "stat", refused)
    assert load_graph(GraphSpec("market", path=path)).n == 4
    assert len(reads) == 2


def test_clear(path):
    load_graph(GraphSpec("market", path=path))
    load_graph(GraphSpec("market", path=path, name="other"))
    load_graph(GraphSpec("market", path=path, undirected=False))
    assert cache.clear("nonsense") == (0, 0)
    count, size = cache.clear("g")
    assert count == 2
    assert size > 0
    assert cache.entries() == []


def _load(path, barrier, results):
    barrier.wait()
    results.put(load_graph(GraphSpec("market", path=path)).hash)


def test_processes_at_once(path):
    context = multiprocessing.get_context("fork")
    barrier, results = context.Barrier(3), context.Queue()
    team = [context.Process(target=_load, args=(path, barrier, results)) for _ in range(3)]
    for process in team:
        process.start()
    assert len({results.get(timeout=200) for _ in team}) == 1
    for process in team:
        process.join()
    leftovers = [file.name for file in cache.graphs_dir().rglob("*") if ".part" in file.name]
    assert leftovers == []


def test_stdin_is_not_cached(monkeypatch):
    import io
    import sys
    from types import SimpleNamespace

    from gunrock_cli.graph.sources.files.readers import text

    text._stdin.cache_clear()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(TEXT.encode())))
    assert load_graph(GraphSpec("market", path="-")).n == 4
    assert cache.entries() == []
    text._stdin.cache_clear()


def test_arrays_are_plain_and_writable(path):
    load_graph(GraphSpec("market", path=path))
    again = load_graph(GraphSpec("market", path=path))
    assert type(again.csr.column_indices) is np.ndarray


@pytest.mark.long
def test_one_flipped_bit_anywhere_is_noticed(path, reads):
    """Every bit counts, not only the arrays': the hash in the header is records' name of the graph."""
    good = load_graph(GraphSpec("market", path=path))
    (entry,) = cache.graphs_folder().files()
    whole = entry.read_bytes()
    end = whole.index(b"}", whole.index(b'"bytes"')) + 1  # of the header; then blanks
    for place in [*range(end), *range(-(-end // 64) * 64, len(whole))]:
        damaged = bytearray(whole)
        damaged[place] ^= 1
        entry.write_bytes(damaged)
        again = load_graph(GraphSpec("market", path=path))
        assert (again.hash, edges(again.csr)) == (good.hash, edges(good.csr))
    assert len(reads) > 100


def test_arrays_of_many_pieces_are_checked_to_the_last(path, reads, monkeypatch):
    monkeypatch.setattr("gunrock_cli.graph.sources.files.readers.binary.PIECE", 8)
    monkeypatch.setattr("gunrock_cli.graph.model.hashing.PIECE", 8)
    good = load_graph(GraphSpec("market", path=path))
    again = load_graph(GraphSpec("market", path=path))
    assert edges(again.csr) == edges(good.csr)
    assert len(reads) == 1
    (entry,) = cache.graphs_folder().files()
    whole = entry.read_bytes()
    for place in range(1, 65):
        entry.write_bytes(whole[:-place] + bytes([whole[-place] ^ 128]) + whole[len(whole) - place + 1 :])
        assert edges(load_graph(GraphSpec("market", path=path)).csr) == edges(good.csr)
    assert len(reads) > 1


@pytest.mark.parametrize("piece", [8, 1 << 24])
@pytest.mark.parametrize(
    ("name", "at", "value"),
    [
        ("row_offsets", 2, 9),
        ("row_offsets", 2, 0),
        ("row_offsets", 0, 1),
        ("row_offsets", -1, 3),
        ("column_indices", 1, -1),
        ("column_indices", 1, 4),
    ],
)
def test_indices_out_of_range_are_refused_whatever_the_checksum(
    tmp_path, monkeypatch, piece, name, at, value
):
    from gunrock_cli.errors import InputError
    from gunrock_cli.graph.sources.files.readers import binary

    monkeypatch.setattr("gunrock_cli.graph.sources.files.readers.binary.PIECE", piece)
    monkeypatch.setattr("gunrock_cli.graph.model.hashing.PIECE", piece)
    graph = load_graph(GraphSpec("path", params={"nodes": 4}))
    getattr(graph.csr, name)[at] = value
    with (tmp_path / "g.gcsr").open("wb") as file:
        binary.write(graph, file)
    with pytest.raises(InputError, match="out of range"):
        binary.read(str(tmp_path / "g.gcsr"))


def test_an_entry_of_another_user_is_read_too(path, reads, monkeypatch):
    load_graph(GraphSpec("market", path=path))

    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "utime", refused)
    load_graph(GraphSpec("market", path=path))
    assert len(reads) == 1
