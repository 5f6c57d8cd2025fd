"""The choice of a backend, and the error if none can be used."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gunrock_cli.engine import backend
from gunrock_cli.errors import BackendError, OutOfMemory, UsageError
from gunrock_cli.toolchain import available, binaries, host_compiler
from gunrock_cli.toolchain.threads import default_threads
from gunrock_cli.toolchain.unit import Unit

CACHED = (available.why_no_cuda, available.why_no_cpu, host_compiler.find_compiler)


@pytest.fixture(autouse=True)
def _fresh_answers() -> Iterator[None]:
    for function in CACHED:
        function.cache_clear()
    yield
    for function in CACHED:
        function.cache_clear()


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_compiler.shutil, "which", lambda name: None)


@pytest.fixture
def no_cupy(monkeypatch: pytest.MonkeyPatch) -> None:
    own = builtins.__import__

    def refuse(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "cupy":
            raise ImportError(name)
        return own(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)


@pytest.mark.usefixtures("no_cupy")
def test_auto_takes_the_cpu_and_says_why() -> None:
    chosen = backend.choose_backend("auto", 2)
    assert (chosen.name, chosen.threads) == ("cpu", 2)
    assert chosen.why.startswith("cpu: 2 threads (CuPy is not installed")
    assert chosen.said == "CPU, 2 threads; no usable GPU: gunrock doctor"


def test_a_small_graph_gets_no_more_threads_than_have_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    whole = replace(backend.choose_backend("cpu"), threads=16)
    share = backend.ENTRIES_A_THREAD
    fitted = [whole.fitted(entries).threads for entries in (0, 2 * share - 1, 5 * share, 99 * share)]
    assert fitted == [1, 1, 5, 16]
    assert backend.choose_backend("cpu", 3).fitted(0).threads == 3
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    assert backend.choose_backend("cpu").fitted(0).threads == 4


@pytest.mark.usefixtures("no_cupy")
def test_cuda_without_cupy_names_the_remedy() -> None:
    with pytest.raises(BackendError, match=r"--backend cuda: CuPy is not installed \(pip install"):
        backend.choose_backend("cuda")


@pytest.mark.usefixtures("no_cupy", "no_compiler")
def test_neither_is_one_line_with_both_reasons() -> None:
    with pytest.raises(BackendError) as caught:
        backend.choose_backend("auto")
    message = str(caught.value)
    assert "no C++ compiler" in message
    assert "CuPy is not installed" in message
    assert "\n" not in message


def test_cxx_is_asked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "my-compiler")
    monkeypatch.setattr(host_compiler.shutil, "which", lambda name: f"/opt/{name}")
    assert host_compiler.find_compiler() == "/opt/my-compiler"


def test_a_refused_kernel_shows_the_compilers_words(tmp_path: Path) -> None:
    kernel = tmp_path / "bad.cuh"
    kernel.write_text("struct Problem {\n  i32* x;\n};\nnonsense\n")
    with pytest.raises(BackendError, match=r"(?s)refused .*bad\.cuh.*nonsense"):
        host_compiler.compile_shared(Unit.of(kernel, {}).text, kernel, tmp_path / "out.so")


def test_threads_follow_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, count in (("5", 5), (" 3 ", 3), ("4,2", 4)):
        monkeypatch.setenv("OMP_NUM_THREADS", text)
        assert default_threads() == count
    for unset in ("", " "):
        monkeypatch.setenv("OMP_NUM_THREADS", unset)
        assert default_threads() >= 1


@pytest.mark.parametrize(
    "odd", ["0", "-2", "many", "\u00b2", "1.5", "nan", "20000", str(2**64), "9" * 5000, ","]
)
def test_a_number_of_threads_that_is_none_is_refused(odd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", odd)
    with pytest.raises(UsageError, match="give a number of threads from 1 to 1024"):
        default_threads()


def test_memory_errors_of_either_side_become_one() -> None:
    class OutOfMemoryError(Exception):
        """A stand-in with the name of CuPy's error."""

    for error in (MemoryError("12 bytes"), OutOfMemoryError("12 bytes")):
        with (
            pytest.raises(OutOfMemory, match=r"out of memory \(g\): 12 bytes; use a smaller graph"),
            backend.out_of_memory_as_error("g"),
        ):
            raise error
    with pytest.raises(KeyError), backend.out_of_memory_as_error("g"):
        raise KeyError


def test_a_binary_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path))
    built: list[Path] = []

    def build(target: Path) -> None:
        built.append(target)
        target.write_text("binary")

    first, was_built = binaries.cached_binary("key", ".so", build)
    assert (was_built, first.read_text()) == (True, "binary")
    assert binaries.cached_binary("key", ".so", build) == (first, False)
    assert len(built) == 1


def test_a_build_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path))

    def build(target: Path) -> None:
        target.write_text("half")
        raise BackendError("refused")

    with pytest.raises(BackendError, match="refused"):
        binaries.cached_binary("key", ".so", build)
    assert list((tmp_path / "kernels").iterdir()) == []
    path, built = binaries.cached_binary("key", ".so", lambda target: target.write_text("whole"))
    assert (built, path.read_text()) == (True, "whole")
    assert binaries.cached_binary("key", ".so", build) == (path, False)


def test_a_cache_that_cannot_be_written_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "file"))
    path, was_built = binaries.cached_binary("key", ".so", lambda target: target.touch())
    assert was_built
    assert path.exists()
    assert "set GUNROCK_CACHE_DIR" in caplog.text
