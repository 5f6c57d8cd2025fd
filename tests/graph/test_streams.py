"""Input that comes once and cannot be sought in: pipes, process substitution, stdin."""

import bz2
import contextlib
import gzip
import io
import lzma
import os
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest
from graph_helper import BANNER, edges, generated

import gunrock_cli
from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.load import graph_name, load_graph
from gunrock_cli.graph.sources.files import cache
from gunrock_cli.graph.sources.files.readers import text
from gunrock_cli.graph.sources.files.readers.formats import format_to_write
from gunrock_cli.graph.sources.files.writers import write_graph
from gunrock_cli.graph.spec import GraphSpec, spec_from_name

FILES = {
    "market": f"{BANNER} integer general\n3 3 2\n1 2 7\n2 3 5\n".encode(),
    "edge-list": b"# c\n0 1 7\n1 2 5\n",
    "dimacs": b"p sp 3 2\na 1 2 7\na 2 3 5\n",
    "metis": b"3 2 1\n2 7\n1 7 3 5\n2 5\n",
}
EDGES = [(0, 1, 7), (1, 0, 7), (1, 2, 5), (2, 1, 5)]


def piped(tmp_path, data, name="pipe"):
    """A FIFO that delivers ``data``."""
    path = tmp_path / name
    if not path.exists():
        os.mkfifo(path)

    def write():
        with contextlib.suppress(BrokenPipeError):  # nobody reads on
            path.write_bytes(data)

    threading.Thread(target=write, daemon=True).start()
    return str(path)


@pytest.mark.usefixtures("cpu_path")
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("kind", FILES)
def test_pipes(tmp_path, kind, pack):
    path = piped(tmp_path, pack(FILES[kind]))
    assert edges(load_graph(GraphSpec(kind, path=path)).csr) == EDGES
    assert edges(load_graph(GraphSpec(kind, path=path)).csr) == EDGES  # it was kept
    assert cache.entries() == []


def test_a_pipe_that_is_written_to_again_is_read_again(tmp_path):
    for n in (2, 3):
        assert gunrock_cli.load(piped(tmp_path, b"0 %d 7\n" % (n - 1), "g.txt")).n == n


@pytest.mark.parametrize("name", ["g.npz", "g.gcsr"])
def test_binary_forms_through_pipes(tmp_path, name):
    graph = generated("rmat", scale=4, weights="random")
    write_graph(graph, str(tmp_path / name))
    path = piped(tmp_path, (tmp_path / name).read_bytes())
    kind = "npz" if name == "g.npz" else "binary"
    assert edges(load_graph(GraphSpec(kind, path=path)).csr) == edges(graph.csr)


def test_a_bad_line_of_a_pipe_is_named(tmp_path):
    path = piped(tmp_path, f"{BANNER} real general\n3 3 2\n1 2 1\n1 3 1.5D+02\n".encode())
    with pytest.raises(InputError, match=r"pipe:4: .*1\.5D\+02"):
        load_graph(GraphSpec("market", path=path))


def test_process_substitution(tmp_path):
    """A pipe under /dev/fd, as a shell passes it."""
    (tmp_path / "g.gz").write_bytes(gzip.compress(FILES["market"]))
    command = [sys.executable, "-m", "gunrock_cli.cli.main", "stats", "--json"]
    script = " ".join(["exec", *command, "--market", f"<(zcat {tmp_path}/g.gz)"])
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert '"edges": 4' in done.stdout
    assert '"name": "pipe"' in done.stdout


def test_names_of_open_files_are_no_numbers():
    """A pipe with a name is called by it."""
    names = {
        path: graph_name(GraphSpec("market", path=path))
        for path in ("/dev/fd/63", "/proc/self/fd/7", "/dev/stdin", "/tmp/fd/63", "/tmp/roads.mtx", "-")
    }
    assert list(names.values()) == ["pipe", "pipe", "stdin", "63", "roads", "stdin"]


@pytest.mark.parametrize("cut", [15, -1, -6, -9])
def test_truncated_gzip_on_stdin(cut):
    packed = gzip.compress(FILES["market"] + b"\n" * 100)[:cut]
    done = subprocess.run(
        [sys.executable, "-m", "gunrock_cli.cli.main", "stats", "--market", "-"],
        input=packed,
        capture_output=True,
    )
    message = done.stderr.decode()
    assert done.returncode == 2, message
    assert message.startswith("gunrock: <stdin>")
    assert message.count("\n") == 1
    assert "cannot be read: Compressed file ended" in message


@pytest.mark.usefixtures("cpu_path")
@pytest.mark.parametrize("kind", FILES)
def test_truncated_gzip_of_more_than_a_block(tmp_path, kind):
    """The missing end is noticed late, when a parser is under way."""
    comment = {"market": b"%", "edge-list": b"#", "dimacs": b"c", "metis": b"%"}[kind]
    head, _, rest = FILES[kind].partition(b"\n")
    lines = comment + bytes(range(33, 48)) + b"\n"
    packed = gzip.compress(head + b"\n" + lines * 200_000 + rest)[:-12]
    (tmp_path / "g").write_bytes(packed)
    with pytest.raises(InputError, match=r"g(:\d+)?: cannot be read"):
        load_graph(GraphSpec(kind, path=str(tmp_path / "g")))


def test_no_room_to_keep_a_pipe(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copyfileobj", full)
    with pytest.raises(InputError, match=r"pipe: cannot be kept in .* \(TMPDIR says where\): .*No space"):
        load_graph(GraphSpec("market", path=piped(tmp_path, b"x")))


def test_no_room_to_unpack(tmp_path, monkeypatch):
    """The file is then read as it comes."""
    from gunrock_cli.graph.rows import native

    def full():
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(native, "WORTH_IT", 0)
    monkeypatch.setattr("tempfile.TemporaryFile", full)
    (tmp_path / "g.mtx.gz").write_bytes(gzip.compress(FILES["market"]))
    assert edges(load_graph(GraphSpec("market", path=str(tmp_path / "g.mtx.gz"))).csr) == EDGES


def test_devices_and_closed_stdin(monkeypatch):
    with pytest.raises(InputError, match="/dev/zero: neither a file nor a pipe"):
        load_graph(GraphSpec("market", path="/dev/zero"))
    text._stdin.cache_clear()
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="<stdin>: closed"):
        load_graph(GraphSpec("market", path="-"))
    text._stdin.cache_clear()


def test_stdin_is_kept_for_the_second_look(monkeypatch):
    text._stdin.cache_clear()
    data = f"{BANNER} pattern general\n3 3 2\n1 2\n1 x\n".encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    with pytest.raises(InputError, match="<stdin>:4: "):
        load_graph(GraphSpec("market", path="-"))
    text._stdin.cache_clear()


def zstd(data):
    arrow = pytest.importorskip("pyarrow")
    return arrow.compress(data, codec="zstd", asbytes=True)


PACKERS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zstd}


@pytest.mark.usefixtures("cpu_path")
@pytest.mark.parametrize("ending", PACKERS)
@pytest.mark.parametrize("kind", FILES)
def test_packed_files(tmp_path, kind, ending):
    """Packing is recognized by content; several streams in one file are all read, and a damaged one
    refused."""
    pack = PACKERS[ending]
    head, newline, rest = FILES[kind].partition(b"\n")
    path = tmp_path / "g"
    for packed in (pack(FILES[kind]), pack(head + newline) + pack(rest)):
        path.write_bytes(packed)
        assert edges(load_graph(GraphSpec(kind, path=str(path))).csr) == EDGES
    path.write_bytes(pack(FILES[kind])[:-3])
    with pytest.raises(InputError, match=r"g(:\d+)?: cannot be read"):
        load_graph(GraphSpec(kind, path=str(path)))


@pytest.mark.parametrize("ending", PACKERS)
def test_the_ending_of_a_packed_file_does_not_hide_its_format(tmp_path, ending):
    path = tmp_path / f"roads.mtx.{ending}"
    path.write_bytes(PACKERS[ending](FILES["market"]))
    spec = spec_from_name(str(path))
    assert (spec.kind, graph_name(spec)) == ("market", "roads")


def test_zstandard_without_pyarrow(tmp_path, monkeypatch):
    if sys.version_info >= (3, 14):
        pytest.skip("this Python unpacks it by itself")
    (tmp_path / "g").write_bytes(zstd(FILES["edge-list"]))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"g: packed with Zstandard, which needs pyarrow \(pip install"):
        load_graph(GraphSpec("edge-list", path=str(tmp_path / "g")))


def test_only_gzip_is_written():
    with pytest.raises(UsageError, match=r"only gzip is written; end the name in \.gz, or leave"):
        format_to_write("g.mtx.xz")
    assert format_to_write("g.mtx.gz") == "mtx"


@pytest.mark.parametrize("kind", FILES)
def test_every_format_from_stdin(kind):
    command = [sys.executable, "-m", "gunrock_cli.cli.main", "stats", "--json", f"--{kind}", "-"]
    done = subprocess.run(command, input=lzma.compress(FILES[kind]), capture_output=True)
    assert done.returncode == 0, done.stderr
    assert b'"edges": 4' in done.stdout
    assert b'"name": "stdin"' in done.stdout


def test_a_graph_of_several_files_is_not_on_stdin():
    command = [sys.executable, "-m", "gunrock_cli.cli.main", "stats", "--ligra-binary", "-"]
    done = subprocess.run(command, input=b"", capture_output=True)
    assert done.returncode == 2
    assert b"cannot come from stdin" in done.stderr
