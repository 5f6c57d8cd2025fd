"""Downloads and data sets against a local server that breaks, truncates and changes files."""

import gzip
import hashlib
import io
import json
import tarfile
import threading
import zipfile

import pytest
from graph.server import serving

from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.fetch import fetch, read_record
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.sources.downloads import datasets
from gunrock_cli.graph.sources.downloads.datasets import (
    TABLES,
    DataSet,
    dataset_path,
    find_dataset,
    get_dataset,
    read_catalogue,
)
from gunrock_cli.graph.sources.downloads.download import DownloadError, download
from gunrock_cli.graph.sources.downloads.unpack import unpack
from gunrock_cli.graph.sources.generate import complete_params
from gunrock_cli.graph.spec import GraphSpec, spec_from_name

DATA = bytes(range(256)) * 40_000  # 10 MB: several blocks
DIGEST = hashlib.sha256(DATA).hexdigest()
MTX = b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"


@pytest.fixture
def server():
    with serving() as found:
        found.files["big"] = DATA
        yield found


def leftovers(folder):
    return sorted(path.name for path in folder.iterdir())


def get(server, target, name="big", **options):
    return download(f"{server.url}/{name}", target, wait=0.0, **options)


def test_plain(server, tmp_path):
    assert get(server, tmp_path / "f", size=len(DATA), sha256=DIGEST) == DIGEST
    assert (tmp_path / "f").read_bytes() == DATA
    assert leftovers(tmp_path) == ["f"]
    assert len(server.requests) == 1


def test_broken_transfers_are_resumed(server, tmp_path):
    server.break_after = [3_000_000, 1_000_000, 5]
    assert get(server, tmp_path / "f") == DIGEST
    starts = [asked for _, asked in server.requests]
    assert starts[:2] == [None, "bytes=3000000-"]
    assert server.conditions == [None] + 3 * ['"v1"']  # so that a server joins no two versions
    assert len(starts) == 4
    assert leftovers(tmp_path) == ["f"]


def test_resumed_by_another_process(server, tmp_path):
    server.break_after = [2_000_000, 0, 0]
    with pytest.raises(DownloadError, match=r"broke off.*2000000 bytes are kept"):
        get(server, tmp_path / "f", attempts=2)
    assert leftovers(tmp_path) == ["f.part", "f.part.json"]
    server.break_after, server.requests = [], []
    assert get(server, tmp_path / "f") == DIGEST
    assert server.requests == [("/big", "bytes=2000000-")]


def test_no_range_support_starts_over(server, tmp_path):
    server.break_after, server.ranges = [2_000_000], False
    assert get(server, tmp_path / "f") == DIGEST


@pytest.mark.parametrize("etag", ['"v2"', None])
def test_a_changed_file_is_never_joined(server, tmp_path, etag):
    server.break_after = [2_000_000, 0]
    with pytest.raises(DownloadError):
        get(server, tmp_path / "f", attempts=1)
    server.files["big"] = new = DATA[::-1][:-1]
    server.break_after, server.etag = [], etag
    assert get(server, tmp_path / "f") == hashlib.sha256(new).hexdigest()


def test_a_server_that_sends_the_wrong_range(server, tmp_path):
    server.break_after, server.lie_about_range = [2_000_000], True
    assert get(server, tmp_path / "f") == DIGEST


def test_file_became_shorter_than_what_we_have(server, tmp_path):
    server.break_after, server.etag = [2_000_000], None
    with pytest.raises(DownloadError):
        get(server, tmp_path / "f", attempts=1)
    server.files["big"] = b"short"
    get(server, tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == b"short"


def test_server_errors_are_retried_but_not_404(server, tmp_path):
    server.status = [503, 500]
    assert get(server, tmp_path / "f") == DIGEST
    server.requests = []
    with pytest.raises(DownloadError, match="404"):
        get(server, tmp_path / "g", name="none")
    assert len(server.requests) == 1
    assert leftovers(tmp_path) == ["f"]


def test_gives_up(server, tmp_path):
    server.status = [503] * 9
    with pytest.raises(DownloadError, match="503"):
        get(server, tmp_path / "f", attempts=3)
    assert len(server.requests) == 3


@pytest.mark.parametrize("expected", [{"sha256": "0" * 64}, {"size": 5}])
def test_wrong_content_is_refused(server, tmp_path, expected):
    with pytest.raises(DownloadError, match="expected"):
        get(server, tmp_path / "f", **expected)
    assert leftovers(tmp_path) == []


def test_no_server(tmp_path):
    with pytest.raises(DownloadError, match="no connection"):
        download("http://127.0.0.1:9/f", tmp_path / "f", attempts=2, wait=0.0)


def tar_gz(name, content):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for member, data in (("x/readme", b"hello"), (name, content)):
            entry = tarfile.TarInfo(member)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def zipped(name, content):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return out.getvalue()


def data_set(server, name="toy", **fields):
    defaults = {
        "title": "",
        "graph_class": "real, mesh-like",
        "tables": (),
        "page": "",
        "licence": "",
        "vertices": 3,
        "edges": 4,
        "url": f"{server.url}/toy.tar.gz",
        "member": "toy/toy.mtx",
        "stand_in": {"generator": "path", "nodes": 7},
    }
    return DataSet(name=name, **{**defaults, **fields})


@pytest.mark.parametrize(
    ("file", "pack", "member"),
    [
        ("toy.tar.gz", tar_gz, "toy/toy.mtx"),
        ("toy.zip", zipped, "toy.mtx"),
        ("toy.mtx.gz", lambda _, content: gzip.compress(content), None),
        ("toy.mtx", lambda _, content: content, None),
    ],
)
def test_fetch_unpacks(server, tmp_path, file, pack, member):
    server.files[file] = pack(member, MTX[1:])  # one % in the banner, as Network Repository does
    data = data_set(server, url=f"{server.url}/{file}", member=member)
    path = fetch(data, tmp_path, wait=0.0)
    assert path == dataset_path("toy", tmp_path)
    assert path.read_bytes() == MTX
    assert leftovers(path.parent) == [".lock", "toy.json", "toy.mtx"]
    record = read_record(path)
    assert record["sha256"] == hashlib.sha256(server.files[file]).hexdigest()
    assert record["checked_against"] == "none: recorded"
    assert record["stand_in"] is False
    fetch(data, tmp_path)
    assert len(server.requests) == 1
    graph = load_graph(GraphSpec("market", path=str(path)))
    assert graph.origin["dataset"] == "toy"
    assert graph.origin["stand_in"] is False


def test_matrices_of_suitesparse_by_group_and_name(server, tmp_path, monkeypatch):
    monkeypatch.setattr(datasets, "SUITESPARSE", server.url)
    monkeypatch.setenv("GUNROCK_DATASETS", str(tmp_path))
    with pytest.raises(InputError, match=r"HB/toy is not here .* 'gunrock datasets fetch HB/toy'$"):
        spec_from_name("HB/toy")
    server.files["MM/HB/toy.tar.gz"] = tar_gz("toy/toy.mtx", MTX)
    path = fetch(get_dataset("HB/toy"), wait=0.0)
    assert path == tmp_path / "HB" / "toy" / "toy.mtx"
    assert path.read_bytes() == MTX
    assert read_record(path)["sha256"] == hashlib.sha256(server.files["MM/HB/toy.tar.gz"]).hexdigest()
    graph = load_graph(spec_from_name("HB/toy"))
    assert (graph.name, graph.origin["dataset"]) == ("toy", "HB/toy")
    path.unlink()
    server.files["MM/HB/toy.tar.gz"] = tar_gz("toy/toy.mtx", MTX.replace(b"2 1", b"3 1"))
    with pytest.raises(DownloadError, match="expected"):
        fetch(get_dataset("HB/toy"), wait=0.0)


@pytest.mark.parametrize("name", ["../x", "a/../b", "a/b/c", "/a", "a/", "a", "a/.b", "a b/c"])
def test_what_is_no_name_of_suitesparse(name):
    with pytest.raises(UsageError, match="GROUP/NAME of the SuiteSparse collection"):
        get_dataset(name)


def test_the_catalogue_knows_its_matrices_by_group_too():
    assert get_dataset("SNAP/roadNet-CA").name == "roadNet-CA"


@pytest.mark.parametrize("name", ["folder/graph.mtx", "folder/graph.csv.xz", "a/b/c"])
def test_a_file_that_is_missing_is_no_matrix_of_suitesparse(name):
    with pytest.raises(InputError, match="no such file"):
        spec_from_name(name)


def test_second_download_is_checked_against_the_first(server, tmp_path):
    server.files["toy.tar.gz"] = tar_gz("toy/toy.mtx", MTX)
    data = data_set(server)
    fetch(data, tmp_path).unlink()
    fetch(data, tmp_path).unlink()
    assert read_record(dataset_path("toy", tmp_path))["checked_against"] == "first download"
    server.files["toy.tar.gz"] = tar_gz("toy/toy.mtx", MTX.replace(b"2 1", b"3 1"))
    with pytest.raises(DownloadError, match="expected"):
        fetch(data, tmp_path)
    assert not dataset_path("toy", tmp_path).exists()
    assert fetch(data, tmp_path, force=True).exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (tar_gz("toy/toy.mtx", MTX * 10_000)[:-200], "damaged"),
        (tar_gz("other.mtx", MTX), "no toy/toy.mtx in this archive"),
        (zipped("other.mtx", MTX), "no toy/toy.mtx in this archive"),
        (b"<html>moved</html>", "damaged"),
    ],
)
def test_bad_archives_leave_nothing(server, tmp_path, content, message):
    server.files["toy.tar.gz"] = content
    with pytest.raises(InputError, match=message):
        fetch(data_set(server), tmp_path)
    assert leftovers(tmp_path / "toy") == [".lock"]


def test_interrupted_unpacking_leaves_nothing(tmp_path, monkeypatch):
    archive = tmp_path / "toy.mtx.gz"
    archive.write_bytes(gzip.compress(MTX))

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("gunrock_cli.graph.sources.downloads.unpack._blocks", interrupt)
    with pytest.raises(KeyboardInterrupt):
        unpack(archive, None, tmp_path / "toy.mtx")
    assert leftovers(tmp_path) == ["toy.mtx.gz"]


def test_stand_in_only_when_asked(server, tmp_path):
    data = data_set(server)
    with pytest.raises(DownloadError, match=r"404.*--stand-in \(STANDIN=1 with make\)"):
        fetch(data, tmp_path, wait=0.0)
    with pytest.raises(DownloadError) as none:
        fetch(data_set(server, "other", stand_in={}), tmp_path, wait=0.0)
    assert "stand-in" not in str(none.value)
    path = fetch(data, tmp_path, stand_in=True, wait=0.0)
    assert read_record(path)["stand_in"] is True
    graph = load_graph(GraphSpec("market", path=str(path)))
    assert (graph.n, graph.origin["stand_in"]) == (7, True)
    # Without the flag it counts as missing, and a working download replaces it.
    with pytest.raises(DownloadError):
        fetch(data, tmp_path, wait=0.0)
    server.files["toy.tar.gz"] = tar_gz("toy/toy.mtx", MTX)
    assert fetch(data, tmp_path, stand_in=True) == path
    assert read_record(path)["stand_in"] is True
    fetch(data, tmp_path)
    assert read_record(path)["stand_in"] is False
    assert path.read_bytes() == MTX


def test_generated_sets_need_no_network(server, tmp_path):
    data = data_set(server, url=None, generate={"generator": "grid2d", "width": 3})
    path = fetch(data, tmp_path)
    assert read_record(path)["stand_in"] is False
    assert load_graph(GraphSpec("market", path=str(path))).n == 9
    assert server.requests == []


def test_two_at_once_download_once(server, tmp_path):
    server.files["toy.tar.gz"] = tar_gz("toy/toy.mtx", MTX)
    data = data_set(server)
    threads = [threading.Thread(target=fetch, args=(data, tmp_path)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.requests) == 1
    assert dataset_path("toy", tmp_path).read_bytes() == MTX


def test_disk_full(server, tmp_path, monkeypatch):
    server.files["toy.tar.gz"] = tar_gz("toy/toy.mtx", MTX)

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(InputError, match="the disk is full"):
        fetch(data_set(server), tmp_path)
    assert leftovers(tmp_path / "toy") == [".lock"]


def test_catalogue_is_complete():
    catalogue = read_catalogue()
    counts = {table: sum(table in data.tables for data in catalogue.values()) for table in TABLES}
    assert counts == {"ppopp16": 6, "arxiv15": 4, "merrill12": 13}
    for data in catalogue.values():
        assert data.page.startswith("https://")
        assert data.licence
        assert data.vertices > 0 < data.edges
        assert data.generate or data.stand_in
        for recipe in (data.generate, data.stand_in):
            if recipe:
                params = dict(recipe)
                complete_params(params.pop("generator"), params)


def test_unknown_and_missing_data_sets():
    with pytest.raises(UsageError, match="no data set is called"):
        get_dataset("nonsense")
    with pytest.raises(InputError, match="gunrock datasets fetch roadNet-CA"):
        find_dataset("roadNet-CA")


def test_records_are_json(server, tmp_path):
    server.files["toy.tar.gz"] = tar_gz("toy/toy.mtx", MTX)
    path = fetch(data_set(server), tmp_path)
    assert json.loads(path.with_suffix(".json").read_text())["dataset"] == "toy"


@pytest.mark.parametrize("length", ["many", "-5", "1_0", "1.5", "9" * 30, "0x10"])
def test_a_length_that_is_no_number_is_told(server, tmp_path, length):
    server.headers["Content-Length"] = length
    with pytest.raises(DownloadError, match="no number as Content-Length") as refused:
        get(server, tmp_path / "f")
    assert "\n" not in str(refused.value)
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("to", ["http://[", "gopher://x/", "http://127.0.0.1:port/", "//"])
def test_an_address_that_leads_nowhere_is_told(server, tmp_path, to):
    server.status, server.headers["Location"] = [], to
    server.redirects = True
    with pytest.raises(DownloadError):
        get(server, tmp_path / "f", attempts=1)


@pytest.mark.parametrize("etag", ['"v\xe4"', '"a\tb"'])
def test_a_mark_that_cannot_be_sent_back_is_no_mark(server, tmp_path, etag):
    server.etag, server.headers["Last-Modified"] = etag, "sch\xf6n"
    server.break_after = [3_000_000, 1_000_000]
    assert get(server, tmp_path / "f") == DIGEST


@pytest.mark.parametrize(
    "note",
    [
        "[]",
        "3",
        "{}",
        "[" * 100_000,
        '{"url": 3}',
        "\x00",
        '{"url": URL, "total": "x", "etag": null, "modified": null}',
        '{"url": URL, "total": null, "etag": 3, "modified": null}',
        '{"url": URL, "total": -1, "etag": null, "modified": []}',
        '{"url": URL, "total": 1e5, "etag": "a\\nb", "modified": null}',
    ],
)
def test_a_note_that_no_download_wrote_is_forgotten(server, tmp_path, note):
    (tmp_path / "f.part").write_bytes(DATA[:100])
    (tmp_path / "f.part.json").write_text(note.replace("URL", json.dumps(f"{server.url}/big")))
    assert get(server, tmp_path / "f") == DIGEST
    assert server.requests == [("/big", None)]
