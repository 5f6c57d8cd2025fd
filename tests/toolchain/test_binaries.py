"""The cache of compiled code: any file in it is loaded whole or built again."""

from __future__ import annotations

import ctypes
import json
import multiprocessing
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gunrock_cli.toolchain import binaries
from gunrock_cli.toolchain.binaries import cached_binary, loaded_binary

DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "truncated": lambda data: data[: len(data) // 2],
    "one bit": lambda data: data[:-1] + bytes([data[-1] ^ 1]),
    "foreign": lambda data: b"\x7fELF" + bytes(len(data)),
}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "cache"))


def build(target: Path) -> None:
    target.write_bytes(b"machine code")


def test_threads_build_in_one_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(tempfile.TemporaryDirectory[str]):
        def __init__(self, **how: Any) -> None:
            time.sleep(0.1)
            super().__init__(**how)

    monkeypatch.setattr(binaries.tempfile, "TemporaryDirectory", Slow)
    binaries._temporary.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        folders = {*pool.map(lambda _: binaries._temporary_dir(), range(4))}
    binaries._temporary.cache_clear()
    assert len(folders) == 1


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_files_are_built_again(damage: str) -> None:
    path, _ = cached_binary("key", ".cubin", build)
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    again, was_built = cached_binary("key", ".cubin", build)
    assert (was_built, again.read_bytes()) == (True, b"machine code")
    assert [file.name for file in binaries.binaries_folder().path.glob("key*")] == [again.name]
    assert cached_binary("key", ".cubin", build) == (again, False)


def test_what_cannot_be_loaded_is_built_once_more() -> None:
    """A sound file may be refused by the driver, for example one of another system that shares the
    cache."""
    contents = iter([b"theirs", b"ours", b"never"])

    def load(path: Path) -> bytes:
        if path.read_bytes() != b"ours":
            raise RuntimeError("CUDA_ERROR_INVALID_IMAGE")
        return path.read_bytes()

    def compile_next(target: Path) -> None:
        target.write_bytes(next(contents))

    cached_binary("key", ".cubin", compile_next)
    assert loaded_binary("key", ".cubin", compile_next, load) == (b"ours", True)
    assert loaded_binary("key", ".cubin", compile_next, load) == (b"ours", False)


def test_what_never_loads_is_an_error_and_no_loop() -> None:
    built: list[Path] = []

    def refuse(path: Path) -> None:
        raise OSError("invalid ELF header")

    for _ in range(2):
        with pytest.raises(OSError, match="invalid ELF header"):
            loaded_binary("key", ".so", lambda target: build(target) or built.append(target), refuse)
    assert len(built) == 2


def test_a_cache_that_others_keep_clearing_costs_no_run() -> None:
    """Each file is cleared between its discovery and its loading."""

    def cleared_first(path: Path) -> bytes:
        for other in binaries.binaries_dir().glob("key*"):
            other.unlink()
        return path.read_bytes()

    assert loaded_binary("key", ".so", build, cleared_first) == (b"machine code", True)


def test_a_full_cache_costs_a_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import os

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    path, was_built = cached_binary("key", ".so", build)
    assert (was_built, path.read_bytes()) == (True, b"machine code")
    assert "was not kept" in caplog.text
    assert list(binaries.binaries_folder().path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path))
    (tmp_path / "kernels").write_text("")
    for key in ("one", "two"):
        path, was_built = cached_binary(key, ".so", build)
        assert (was_built, path.read_bytes()) == (True, b"machine code")
    assert caplog.text.count("cannot be kept in") == 1


def test_executables_stay_executable() -> None:
    def executable(target: Path) -> None:
        build(target)
        target.chmod(0o755)

    assert cached_binary("key", "", executable)[0].stat().st_mode & 0o111
    assert not cached_binary("other", "", build)[0].stat().st_mode & 0o111


def test_processes_at_once_see_no_half_file() -> None:
    context = multiprocessing.get_context("fork")
    barrier, results = context.Barrier(3), context.Queue()
    team = [
        context.Process(target=_build_and_drop, args=(number, barrier, results)) for number in range(3)
    ]
    for process in team:
        process.start()
    assert all(results.get(timeout=200) for _ in range(3 * 30))
    for process in team:
        process.join()
        assert process.exitcode == 0


def _build_and_drop(number: int, barrier: Any, results: Any) -> None:
    """Build something else in each process, and clear the cache now and then."""
    content = b"%d" % number * 100_000

    def build_own(target: Path) -> None:
        target.write_bytes(content)

    def load(path: Path) -> bytes:
        return path.read_bytes()

    barrier.wait()
    for turn in range(30):
        found, _ = loaded_binary("key", ".so", build_own, load)
        results.put(found == found[:1] * 100_000)
        if turn % 7 == number:
            for path in binaries.binaries_dir().glob("key*"):
                path.unlink(missing_ok=True)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_run_with_damaged_kernels_rebuilds_them(tmp_path: Path, damage: str) -> None:
    command = [
        sys.executable,
        "-m",
        "gunrock_cli.cli.main",
        "cc",
        "path",
        "--nodes",
        "9",
        "--json",
        "--backend",
        "cpu",
        "--threads",
        "2",
        "--iterations",
        "1",
    ]
    for turn in range(3):
        if turn == 1:
            kernels = list((tmp_path / "cache" / "kernels").glob("*.so"))  # and what measures the CPU
            assert kernels
            for kernel in kernels:
                kernel.write_bytes(DAMAGE[damage](kernel.read_bytes()))
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["validation"]["verdict"] == "pass"
        assert ("damaged" in done.stderr) == (turn == 1)


def test_the_readers_library_is_rebuilt_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from gunrock_cli.graph.rows import native_library

    def build_small(text: str, path: Path, target: Path) -> None:
        subprocess.run(
            ["g++", "-shared", "-fPIC", "-x", "c++", "-", "-o", str(target)],
            check=True,
            text=True,
            input="".join(f'extern "C" void {name}() {{}}\n' for name in native_library.SIGNATURES),
        )

    monkeypatch.setattr("gunrock_cli.toolchain.host_compiler.compile_shared", build_small)
    load = native_library.library.__wrapped__
    assert isinstance(load(), ctypes.CDLL)
    (file,) = binaries.binaries_dir().glob("csr-*.so")
    file.unlink()  # loaded code stays as it was
    file.write_bytes(b"")
    assert isinstance(load(), ctypes.CDLL)
    assert file.stat().st_size > 0
