"""The page's examples, run in order, and its statements about names."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import gunrock_cli as gunrock
from gunrock_cli.primitives import primitive_names

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "python.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def run() -> str:
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(BLOCKS)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_the_examples_run() -> None:
    assert len(BLOCKS) == 7
    printed = run()
    assert printed.startswith("[0 ")
    assert "Timing(" in printed


@pytest.mark.gpu
def test_the_examples_run_on_cupy_matrices() -> None:
    """Make the first block's matrix CuPy's."""
    first, *rest = BLOCKS
    head, call = first.split("\n\nfound", 1)
    code = "\n".join(
        (
            head,
            "from cupyx.scipy import sparse as on_gpu",
            "A = on_gpu.csr_matrix(sparse.csr_matrix(A))",
            "found" + call,
            *rest,
        )
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_page_names_every_output_and_what_there_is() -> None:
    for name in (
        "labels",
        "predecessors",
        "distances",
        "scores",
        "components",
        "ranks",
        "hubs",
        "authorities",
    ):
        assert f"| `{name}` |" in PAGE
    named = set(re.findall(r"`gunrock\.(\w+)", PAGE)) | set(re.findall(r"\bgunrock\.(\w+)\(", PAGE))
    assert named - {"GunrockError"} <= set(dir(gunrock))
    for name in primitive_names():
        assert f"`{name}`" in PAGE or f"gunrock.{name}(" in PAGE
