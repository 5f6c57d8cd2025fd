"""The key of a translation unit: the same wherever the tool is installed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gunrock_cli.resources import kernels_dir
from gunrock_cli.toolchain import unit
from gunrock_cli.toolchain.unit import Unit


def test_a_key_does_not_depend_on_where_the_kernels_lie(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tmp_path / "kernels"
    shutil.copytree(kernels_dir(), elsewhere)
    name = Path("primitives") / "bfs" / "in_step.cuh"
    here = Unit.of(kernels_dir() / name, {"GR_EDGE64": 0}).key("cuda", "90")
    monkeypatch.setattr(unit, "kernels_dir", lambda: elsewhere)
    there = Unit.of(elsewhere / name, {"GR_EDGE64": 0})
    assert there.key("cuda", "90") == here
    assert there.key("cuda", "80") != here
    with (elsewhere / name).open("a") as kernel:
        kernel.write("// changed\n")
    unit._headers_digest.cache_clear()
    assert there.key("cuda", "90") != here


def test_a_kernel_from_elsewhere_is_found_by_its_path(tmp_path: Path) -> None:
    kernel = tmp_path / "own.cuh"
    kernel.write_text("struct Problem {\n  i32* own;\n};\n")
    assert f'#include "{kernel}"' in Unit.of(kernel, {}).text
