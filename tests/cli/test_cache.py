import json

import pytest
from click.testing import CliRunner

from gunrock_cli.cli.main import cli

TEXT = "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n"


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "cache"))


def run(*words):
    result = CliRunner().invoke(cli, ["cache", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def fill(folder):
    from gunrock_cli.graph.load import load_graph
    from gunrock_cli.graph.spec import GraphSpec

    (folder / "toy.mtx").write_text(TEXT)
    load_graph(GraphSpec("market", path=str(folder / "toy.mtx")))
    kernels = folder / "cache" / "kernels"
    kernels.mkdir()
    (kernels / f"{'0' * 64}.so").write_bytes(b"\x7fELF" + bytes(996))


def test_empty():
    assert "0 graphs" in run("list")
    assert "0 graphs deleted" in run("clear")


def test_numbers_have_separators(tmp_path):
    from gunrock_cli.graph.load import load_graph
    from gunrock_cli.graph.spec import GraphSpec

    (tmp_path / "large.mtx").write_text(TEXT.replace("3 3 1", "12345 12345 1"))
    load_graph(GraphSpec("market", path=str(tmp_path / "large.mtx")))
    assert "│   12,345 │" in run("list")


def test_list_and_clear(tmp_path):
    fill(tmp_path)
    assert "toy" in run("list")
    found = json.loads(run("list", "--json"))
    assert found["graphs"][0]["source"] == str(tmp_path / "toy.mtx")
    assert found["kernels_bytes"] == 1000
    assert "1 graphs deleted" in run("clear")
    found = json.loads(run("list", "--json"))
    assert (found["graphs"], found["kernels_bytes"]) == ([], 0)


def test_clear_by_name_keeps_the_rest(tmp_path):
    fill(tmp_path)
    assert "0 graphs deleted" in run("clear", "--name", "other")
    assert "1 graphs deleted" in run("clear", "--name", "toy")
    assert json.loads(run("list", "--json"))["kernels_bytes"] == 1000


def test_only_what_the_tool_wrote_is_deleted(tmp_path, monkeypatch):
    """The cache folder may be any folder: here a checkout, with kernels and graphs of the user's own."""
    fill(tmp_path)
    cache = tmp_path / "cache"
    digits = "ab" * 32
    theirs = [
        cache / name
        for name in (
            "kernels/advance.cuh",
            "kernels/primitives/bfs.cuh",
            "kernels/notes.so",
            "graphs/rmat.gcsr",
            f"kernels/{digits}.txt",
            f"kernels/{digits}.cubin",
            f"graphs/{digits}.mtx",
            f"graphs/{digits}.part",
            f"kernels/.{digits}.so.abcdefgh.part",
            "ceilings/mine.json",
        )
    ]
    for path in theirs:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("precious")
    outside = tmp_path / "outside.gcsr"
    outside.write_text("precious")
    (cache / "graphs" / f"{digits}.gcsr").symlink_to(outside)
    (cache / "kernels" / f"{digits}.so").symlink_to(outside)
    assert "1 graphs deleted" in run("clear")
    assert [path for path in [*theirs, outside] if not path.exists()] == []
    assert list(cache.glob("graphs/[0-9]*.gcsr")) == []
    assert list(cache.glob("kernels/0*.so")) == []


def test_a_cache_that_is_a_link_is_left_alone(tmp_path):
    fill(tmp_path)
    real = (tmp_path / "cache" / "graphs").rename(tmp_path / "elsewhere")
    (tmp_path / "cache" / "graphs").symlink_to(real)
    assert "0 graphs deleted" in run("clear")
    assert len(list(real.glob("*.gcsr"))) == 1


def test_caches_of_before_the_marker_are_cleared(tmp_path):
    fill(tmp_path)
    for marker in (tmp_path / "cache").rglob("CACHEDIR.TAG"):
        marker.unlink()
    assert "1 graphs deleted" in run("clear")
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []


def test_what_a_killed_writer_left_goes_when_it_is_old(tmp_path):
    import os
    import time

    fill(tmp_path)
    digits = "ab" * 32
    parts = [
        tmp_path / "cache" / f"graphs/.{digits}.gcsr.{name}.part" for name in ("abcdefgh", "x1234567")
    ]
    for path in parts:
        path.write_bytes(b"half")
    os.utime(parts[0], (time.time() - 7200,) * 2)
    run("clear")
    assert [path.exists() for path in parts] == [False, True]
