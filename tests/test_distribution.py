"""The wheel and the sdist: their content, an index's checks, and the tool run from the wheel."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

from gunrock_cli.bench.records.provenance import identify
from gunrock_cli.toolchain import available
from gunrock_cli.toolchain.openmp import has_openmp
from gunrock_cli.toolchain.processor import level
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


def built(source: Path, target: str, folder: Path, carried: Path | None = None) -> Path:
    """The wheel or the sdist of a source tree; a wheel with what is in ``carried``."""
    pytest.importorskip("hatchling", reason="pip install hatchling")
    environment = {**os.environ, "GUNROCK_CARRIED": str(carried or "")}
    done = run(
        *(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", folder),
        cwd=source,
        env=environment,
    )
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


CARRIED = "cc"


@pytest.fixture(scope="module")
def installed_alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean environment with the wheel and its libraries, into which a primitive was compiled."""
    folder = tmp_path_factory.mktemp("alone")
    if available.why_no_compiler() or level() is None:
        pytest.skip("no C++ compiler, or an old processor")
    carried = folder / "carried"
    for target in (level(), f"{level()}-openmp"):
        done = run(sys.executable, "-m", "gunrock_cli.cli.carry", target, carried, CARRIED)
        assert done.returncode == 0, done.stderr
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / "bin" / "python"
    wheel = built(ROOT, "wheel", folder, carried)
    done = run(
        *(sys.executable, "-m", "pip", "--python", python, "install", "-q"),
        *("--no-deps", "--no-index", wheel),
    )
    assert done.returncode == 0, done.stderr
    own = Path(sysconfig.get_path("purelib", vars={"base": str(folder / "venv")}))
    libraries = {sysconfig.get_path(kind) for kind in ("purelib", "platlib")}
    (own / "libraries.pth").write_text("\n".join(sorted(libraries)))  # searched after the wheel's
    return folder


def gunrock_alone(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run the tool where there is no compiler, nor any other program."""
    environment = {"PATH": str(folder / "nothing"), "HOME": str(folder)}
    environment["GUNROCK_CACHE_DIR"] = str(folder / "cache")
    return run(folder / "venv" / "bin" / "gunrock", *words, cwd=folder, env=environment)


@pytest.mark.slow
def test_a_wheel_runs_what_it_carries_without_a_compiler(installed_alone: Path) -> None:
    for scale in (8, 15):  # a graph that NumPy makes, and one that compiled code makes
        done = gunrock_alone(
            *(installed_alone, CARRIED, "rmat", "--scale", scale, "--backend", "cpu", "--json"),
            *("--iterations", 1),
        )
        assert done.returncode == 0, done.stderr
        assert "compiling" not in done.stderr
        record = json.loads(done.stdout)
        assert (record["status"], record["validation"]["verdict"]) == ("ok", "pass")
        target = f"{level()}-openmp" if has_openmp() else level()
        assert record["libraries"]["compiler"].endswith(f", carried for {target}")
        assert record["gunrock"]["code_hash"] == identify()["code_hash"]
    kept = [path.name for path in (installed_alone / "cache" / "kernels").glob("*-*.so")]
    assert {name.split("-")[0] for name in kept if name[0] in "bc"} >= {"bandwidth", "csr"}
    done = gunrock_alone(installed_alone, "doctor", "--json")
    assert done.returncode == 0, done.stderr
    found = {each["name"]: each for each in json.loads(done.stdout)["findings"]}
    assert f" for {level()} by " in found["carried kernels"]["what"]
    assert found["backend cpu"]["what"].startswith("usable for carried kernels alone: no C++ compiler")


@pytest.mark.slow
def test_a_wheel_says_what_it_does_not_carry(installed_alone: Path) -> None:
    done = gunrock_alone(installed_alone, "mis", "rmat", "--scale", 8, "--backend", "cpu")
    assert done.returncode == 2
    assert "no C++ compiler" in done.stderr
    assert "for mis (by_priority) for this processor, which the package does not carry" in done.stderr


@pytest.mark.slow
def test_a_damaged_wheel_loads_nothing(installed_alone: Path) -> None:
    archives = [*installed_alone.glob("venv/lib/*/site-packages/gunrock_cli/_carried/*.zip")]
    whole = [archive.read_bytes() for archive in archives]
    shutil.rmtree(installed_alone / "cache", ignore_errors=True)
    try:
        for archive, content in zip(archives, whole, strict=True):
            archive.write_bytes(content[:-1] + b"x")
        done = gunrock_alone(installed_alone, CARRIED, "rmat", "--scale", 8, "--backend", "cpu")
    finally:
        for archive, content in zip(archives, whole, strict=True):
            archive.write_bytes(content)
    assert len(archives) == 2
    assert done.returncode == 2
    assert ".zip: its SHA-256 is not the noted one; install the package again" in done.stderr
    assert not [*(installed_alone / "cache").rglob("*.so")]


def test_a_wheel_carries_nothing_unless_told(wheel: Path) -> None:
    assert not [name for name in names_in(wheel) if "_carried" in name]


def test_a_tag_names_the_version() -> None:
    """A release is a commit tagged vX.Y.Z, whose code and CHANGELOG say X.Y.Z, not "unreleased"."""
    tags = set(run("git", "tag", "--points-at", "HEAD", "--list", "v*").stdout.split())
    assert tags <= {f"v{__version__}"}
    lines = (ROOT / "CHANGELOG.md").read_text().splitlines()
    newest = next(line for line in lines if line.startswith("## "))
    assert newest.partition(",")[0] == f"## {__version__}"
    assert not (tags and newest.endswith("unreleased"))
