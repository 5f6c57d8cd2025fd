"""Facts of a compiler: asked once, and again if it may have changed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gunrock_cli.toolchain import compiler_facts
from gunrock_cli.toolchain.compiler_facts import Facts, facts


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The compilers that were asked; each has OpenMP."""
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "cache"))
    found: list[str] = []

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        found.append(command[0])
        return subprocess.CompletedProcess(command, 0, "compiler 1\nmore\n", "")

    monkeypatch.setattr(compiler_facts.subprocess, "run", run)
    return found


@pytest.fixture
def compiler(tmp_path: Path) -> str:
    path = tmp_path / "g++-99"
    path.write_bytes(b"\x7fELF and more")
    return str(path)


def of(compiler: str) -> Facts:
    """The facts as a new process reads them."""
    facts.cache_clear()
    return facts(compiler)


def test_a_compiler_is_asked_once_for_all_processes(asked: list[str], compiler: str) -> None:
    assert of(compiler) == of(compiler) == Facts("compiler 1", True)
    assert len(asked) == 2  # its version, and whether it links


def newer(path: Path) -> None:
    os.utime(path, ns=(1, 1))


def longer(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b".")


def swapped(path: Path) -> None:
    """Swap a file's content like ``cp -p``: the size, the inode and the modification time stay."""
    stat = path.stat()
    while path.stat().st_ctime_ns == stat.st_ctime_ns:  # within a tick of the clock
        path.write_bytes(path.read_bytes()[::-1])
        path.write_bytes(path.read_bytes()[::-1])
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


@pytest.mark.parametrize("change", [newer, longer, swapped])
def test_a_compiler_that_was_replaced_is_asked_again(
    asked: list[str], compiler: str, change: Callable[[Path], None]
) -> None:
    of(compiler)
    change(Path(compiler))
    of(compiler)
    assert len(asked) == 4


def test_a_wrapper_is_asked_each_time(asked: list[str], tmp_path: Path) -> None:
    script = tmp_path / "g++"
    script.write_text("#!/bin/sh\nexec clang++\n")
    cached = tmp_path / "ccache"
    cached.write_bytes(b"\x7fELF")
    link = tmp_path / "clang++"
    link.symlink_to(cached)
    for path in (script, link, tmp_path / "none"):
        asked.clear()
        of(str(path))
        of(str(path))
        assert len(asked) == 4


def test_openmp_may_be_installed_later(
    asked: list[str], compiler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_openmp = compiler_facts.subprocess.run
    monkeypatch.setattr(
        compiler_facts.subprocess,
        "run",
        lambda command, **_: subprocess.CompletedProcess(
            command, int("-fopenmp" in command), "compiler 1\n", ""
        ),
    )
    assert not of(compiler).openmp
    monkeypatch.setattr(compiler_facts.subprocess, "run", has_openmp)
    assert of(compiler).openmp


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"version": 3, "openmp": true}'])
def test_what_was_kept_and_is_damaged_is_asked_again(
    asked: list[str], compiler: str, tmp_path: Path, damage: bytes
) -> None:
    of(compiler)
    (kept,) = (tmp_path / "cache" / "kernels").glob("cxx-*")
    kept.write_bytes(damage)
    assert of(compiler) == Facts("compiler 1", True)
    assert len(asked) == 4


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(
    asked: list[str], compiler: str, tmp_path: Path
) -> None:
    (tmp_path / "cache").write_text("a file")
    assert of(compiler) == of(compiler)
    assert len(asked) == 4


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
def test_a_real_compiler_says_who_it_is() -> None:
    assert "g++" in of(str(shutil.which("g++"))).version
