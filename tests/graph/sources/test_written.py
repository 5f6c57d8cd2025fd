"""Graphs in other systems' formats: written once, whole or not at all, and cleared with the cache."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from gunrock_cli.cli.main import cli
from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.graph import Csr, Graph
from gunrock_cli.graph.sources.files import cache, written


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def times_written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The formats of every graph that is written."""
    found: list[str] = []
    write = written.write_graph

    def counting(graph: Graph, path: Path, name: str) -> list[Path]:
        found.append(name)
        return write(graph, path, name)

    monkeypatch.setattr(written, "write_graph", counting)
    return found


def small(name: str = "small", weight: int = 7) -> Graph:
    """0 - 1, weighted."""
    csr = Csr(np.array([0, 1, 2], np.int32), np.array([1, 0], np.int32), np.full(2, weight, np.int32))
    return Graph(name, csr, csr, True, hash="0")


def folder(tmp_path: Path, name: str) -> Path:
    (tmp_path / name).mkdir()
    return tmp_path / name


def test_a_graph_is_written_once(tmp_path: Path, times_written: list[str]) -> None:
    first = written.written_graph(small(), "el", folder(tmp_path, "a"))
    second = written.written_graph(small(), "el", folder(tmp_path, "b"))
    assert (first.name, second.name) == ("graph.el", "graph.el")
    assert first.read_bytes() == second.read_bytes() != b""
    assert times_written == ["el"]
    written.written_graph(small(), "wel", tmp_path / "b")
    other = written.written_graph(small(weight=8), "wel", tmp_path / "a")
    assert "8" in other.read_text()
    assert times_written == ["el", "wel", "wel"]


def test_formats_of_several_files(tmp_path: Path, own_cache: Path, times_written: list[str]) -> None:
    path = written.written_graph(small(), "ligra-binary", folder(tmp_path, "a"))
    assert sorted(each.name for each in path.parent.iterdir()) == [
        "graph.ligra-binary.adj",
        "graph.ligra-binary.config",
        "graph.ligra-binary.idx",
    ]
    next((own_cache / "written").glob("*.idx")).unlink()
    written.written_graph(small(), "ligra-binary", folder(tmp_path, "b"))
    assert len(times_written) == 2


@pytest.mark.parametrize("damage", ["cut", "changed", "manifest", "no manifest"])
def test_a_damaged_entry_is_written_again(
    tmp_path: Path,
    own_cache: Path,
    times_written: list[str],
    damage: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    right = written.written_graph(small(), "sg", folder(tmp_path, "a")).read_bytes()
    (manifest,) = (own_cache / "written").glob("*.json")
    data = manifest.with_suffix("")
    data.chmod(0o644)
    if damage == "cut":
        data.write_bytes(right[:-1])
    elif damage == "changed":
        data.write_bytes(right[:-1] + b"\x55")
    elif damage == "manifest":
        manifest.write_text('{"graph": "small", "files": {"../x": [1, "a"]}}')
    else:
        manifest.unlink()
    again = written.written_graph(small(), "sg", folder(tmp_path, "b"))
    assert again.read_bytes() == right
    assert len(times_written) == 2
    assert ("damaged" in caplog.text) == (damage in ("cut", "changed"))
    written.written_graph(small(), "sg", folder(tmp_path, "c"))
    assert len(times_written) == 2


def test_what_was_handed_out_outlives_the_cache(tmp_path: Path, own_cache: Path) -> None:
    path = written.written_graph(small(), "sg", folder(tmp_path, "a"))
    data = path.read_bytes()
    cache.clear()
    assert [each.name for each in (own_cache / "written").iterdir()] == ["CACHEDIR.TAG"]
    assert path.read_bytes() == data


def test_a_cache_that_cannot_be_written_costs_a_warning(
    tmp_path: Path, own_cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    own_cache.mkdir()
    (own_cache / "written").write_text("no folder")
    path = written.written_graph(small(), "el", folder(tmp_path, "a"))
    assert path.read_text().split() == ["1", "0"]
    assert "not cached as el" in caplog.text


def test_what_does_not_fit_a_format_is_said(tmp_path: Path) -> None:
    bare = replace(small(), csr=replace(small().csr, values=None))
    with pytest.raises(InputError, match="has weights, and this graph has none"):
        written.written_graph(bare, "wsg", folder(tmp_path, "a"))


def test_clearing_by_name_and_by_marker(tmp_path: Path, own_cache: Path) -> None:
    written.written_graph(small("one"), "ligra-binary", folder(tmp_path, "a"))
    written.written_graph(small("two", 9), "wel", folder(tmp_path, "b"))
    place = own_cache / "written"
    mine = place / "notes.txt"
    mine.write_text("mine")
    run = CliRunner().invoke
    listed = json.loads(run(cli, ["cache", "list", "--json"]).stdout)
    assert listed["written_bytes"] > 100
    assert run(cli, ["cache", "clear", "--name", "one"]).exit_code == 0
    assert {json.loads(path.read_text())["graph"] for path in place.glob("*.json")} == {"two"}
    shutil.copytree(place, own_cache / "unmarked")
    (place / "CACHEDIR.TAG").unlink()
    run(cli, ["cache", "clear"])
    assert len(list(place.iterdir())) == 3  # not known to be ours
    shutil.copy(own_cache / "unmarked" / "CACHEDIR.TAG", place)
    run(cli, ["cache", "clear"])
    assert {path.name for path in place.iterdir()} == {"CACHEDIR.TAG", "notes.txt"}
