"""The key of a translation unit: the same wherever the tool is installed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gunrock_cli.resources import kernels_dir
from gunrock_cli.toolchain import unit
from gunrock_cli.toolchain.unit import Unit


def test_a_key_does_not_depend_on_where_the_kernels_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    unit.headers_digest.cache_clear()
    assert there.key("cuda", "90") != here


def test_a_kernel_from_elsewhere_is_found_by_its_path(tmp_path: Path) -> None:
    kernel = tmp_path / "own.cuh"
    kernel.write_text("struct Problem {\n  i32* own;\n};\n")
    assert f'#include "{kernel}"' in Unit.of(kernel, {}).text


def test_a_key_holds_the_headers_beside_a_users_kernel(tmp_path: Path) -> None:
    kernel, header, inner = (tmp_path / name for name in ("own.cuh", "mine.cuh", "sub/more.cuh"))
    inner.parent.mkdir()
    kernel.write_text('#include "operators/advance.cuh"\n #  include "mine.cuh"\nstruct Problem {};\n')
    header.write_text('#include "sub/more.cuh"\n')
    inner.write_text('#include "../mine.cuh"\n')  # in a circle
    keys = {Unit.of(kernel, {}).key("cuda")}
    for file in (header, inner):
        file.write_text(file.read_text() + "constexpr int LANES = 4;\n")
        keys.add(Unit.of(kernel, {}).key("cuda"))
    assert len(keys) == 3
    (tmp_path / "other.cuh").write_text("")
    assert Unit.of(kernel, {}).key("cuda") in keys
