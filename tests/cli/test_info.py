"""``gunrock info``: with everything, and on machines without a compiler or CuPy."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from gunrock_cli.cli.main import cli
from gunrock_cli.toolchain import available


def info(*arguments: str) -> str:
    done = CliRunner().invoke(cli, ["info", *arguments])
    assert done.exit_code == 0, done.output
    return done.output


def test_json_names_all() -> None:
    found = json.loads(info("--json"))
    assert found["backend_cpu"] == "usable"
    assert {
        "gunrock",
        "commit",
        "code_hash",
        "backend_cuda",
        "cpu_name",
        "cpu_threads",
        "compiler",
        "python",
        "cache",
        "cache_kernels",
        "cache_graphs",
    } <= found.keys()


def test_the_table_says_why_a_backend_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(available, "why_no_cpu", lambda: "no C++ compiler; install one")
    monkeypatch.setattr(available, "why_no_cuda", lambda: "no NVIDIA GPU")
    text = info()
    assert "no C++ compiler; install one" in text
    assert "no NVIDIA GPU" in text
    assert "cpu threads" not in text


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ("file", r"0 files, 0.0 MB that can be read \(.*kernels: Not a directory\)"),
        ("link", "gunrock is a link to nothing"),
        pytest.param(
            "closed",
            r"0 files, 0.0 MB that can be read \(.*kernels: Permission denied\)",
            marks=pytest.mark.skipif(os.geteuid() == 0, reason="root may read all"),
        ),
    ],
)
def test_a_cache_that_cannot_be_read_is_told_in_its_row(
    made: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "gunrock"
    if made == "link":
        folder.symlink_to(tmp_path / "nowhere")
    elif made == "file":
        folder.touch()
    else:
        folder.mkdir(0)
    monkeypatch.setattr("gunrock_cli.toolchain.binaries.cache_root", lambda: folder)
    found = json.loads(info("--json"))
    assert found["cache"] == str(folder)
    for kind in ("kernels", "graphs", "ceilings"):
        assert re.search(told.replace("kernels", kind), found[f"cache_{kind}"])


def test_files_of_the_cache_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "graphs" / "part").mkdir(parents=True)
    for name in ("a", "part/b"):
        (tmp_path / "graphs" / name).write_bytes(bytes(1_000_000))
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path))
    found = json.loads(info("--json"))
    assert (found["cache_graphs"], found["cache_ceilings"]) == ("2 files, 2.0 MB", "0 files, 0.0 MB")


def test_a_machine_without_compilers(tmp_path: Path) -> None:
    """Run a separate process, as its PATH is empty."""
    done = subprocess.run(
        [sys.executable, "-m", "gunrock_cli.cli.main", "info", "--json"],
        capture_output=True,
        text=True,
        env={"PATH": "", "HOME": str(tmp_path)},
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "no C++ compiler" in json.loads(done.stdout)["backend_cpu"]


def test_nothing_imports_cupy_where_it_is_not_wanted() -> None:
    code = (
        "import sys; sys.modules['cupy'] = None\n"
        "from gunrock_cli.cli.main import main\n"
        "main(['bfs', 'rmat', '--scale', '5', '--backend', 'cpu', '--json'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["validation"]["verdict"] == "pass"


@pytest.mark.gpu
def test_the_gpu_is_shown() -> None:
    found = json.loads(info("--json"))
    assert found["backend_cuda"] == "usable"
    assert found["cuda_memory_bytes"] > 1 << 30
