"""The wheel and the sdist: their content, an index's checks, and the tool run from the wheel."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from gunrock_cli.version import __version__

ROOT = Path(__file__).parents[1]
DATA = {
    "kernels": "gunrock_cli/_kernels",
    "results/paper": "gunrock_cli/_data/paper",
    "datasets": "gunrock_cli/_data/datasets",
    "gunrock_cli": "gunrock_cli",
}
"""Folders of the repository, and their places in a wheel."""


def run(*words: object, cwd: Path = ROOT, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        list(map(str, words)), cwd=cwd, capture_output=True, text=True, check=False, **more
    )


def built(source: Path, target: str, folder: Path) -> Path:
    """The wheel or the sdist of a source tree."""
    pytest.importorskip("hatchling", reason="pip install hatchling")
    done = run(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", folder, cwd=source)
    assert done.returncode == 0, done.stderr
    (found,) = folder.glob("*.whl" if target == "wheel" else "*.tar.gz")
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(ROOT, "sdist", tmp_path_factory.mktemp("sdist"))


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def tracked(folder: str) -> list[str]:
    return run("git", "ls-files", folder).stdout.splitlines()


def test_all_that_the_tool_reads_is_in_the_wheel(wheel: Path) -> None:
    names = names_in(wheel)
    assert f"-{__version__}-" in wheel.name
    for folder, place in DATA.items():
        files = tracked(folder) or pytest.skip("not a checkout")
        assert {place + file.removeprefix(folder) for file in files} - names == set()


def test_the_sdist_makes_the_same_wheel(wheel: Path, sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # since Python 3.11.4
        archive.extractall(tmp_path)
    (source,) = tmp_path.iterdir()
    assert source.name == f"gunrock_cli-{__version__}"
    again = built(source, "wheel", tmp_path)
    assert names_in(again) == names_in(wheel)


def test_an_index_would_take_them(wheel: Path, sdist: Path) -> None:
    pytest.importorskip("twine", reason="pip install twine")
    done = run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASSED") == 2


def test_the_tool_runs_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    """The tool reaches nothing of the checkout but cached compiled kernels."""
    installed = tmp_path / "installed"
    done = run(
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        "--target",
        installed,
        wheel,
    )
    assert done.returncode == 0, done.stderr
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    done = run(
        sys.executable,
        installed / "bin" / "gunrock",
        "bfs",
        "path",
        "--nodes",
        30,
        "--backend",
        "cpu",
        "--iterations",
        1,
        "--json",
        cwd=tmp_path,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert (record["status"], record["depth"]) == ("ok", 29)
    assert record["validation"]["verdict"] == "pass"
    done = run(
        sys.executable,
        "-c",
        "from gunrock_cli.resources import *; print(kernels_dir(), paper_dir(), datasets_dir())",
        cwd=tmp_path,
        env=environment,
    )
    assert len(done.stdout.split()) == 3
    assert all(place.startswith(str(installed)) for place in done.stdout.split())


def test_a_tag_names_the_version() -> None:
    """A release is a commit tagged vX.Y.Z, whose code and CHANGELOG say X.Y.Z, not "unreleased"."""
    tags = set(run("git", "tag", "--points-at", "HEAD", "--list", "v*").stdout.split())
    assert tags <= {f"v{__version__}"}
    lines = (ROOT / "CHANGELOG.md").read_text().splitlines()
    newest = next(line for line in lines if line.startswith("## "))
    assert newest.partition(",")[0] == f"## {__version__}"
    assert not (tags and newest.endswith("unreleased"))
