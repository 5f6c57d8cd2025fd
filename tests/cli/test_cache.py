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
    (kernels / "x.so").write_bytes(bytes(1000))


def test_empty():
    assert "0 graphs" in run("list")
    assert "0 graphs deleted" in run("clear")


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
