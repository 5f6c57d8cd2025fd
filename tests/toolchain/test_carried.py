"""Compiled code that the package carries: loaded if it is what would be compiled, and only then."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gunrock_cli.bench.records.environment import compiler_of
from gunrock_cli.cli.commands import doctor
from gunrock_cli.errors import BackendError
from gunrock_cli.toolchain import (
    available,
    binaries,
    carried,
    code,
    host_code,
    host_compiler,
    openmp,
    processor,
)
from gunrock_cli.toolchain.carried import Archive, archive_for, write_archive
from gunrock_cli.toolchain.code import Code, Made, text_key
from gunrock_cli.toolchain.host_code import HostSource

TARGET, COMPILER = "x86-64-v3", "a compiler 1.0"
KEY = text_key("test", "a text")
WORDS = (COMPILER, "-O3")
NAME = KEY(*WORDS) + ".so"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a package that carries code."""
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setitem(code._told, "compiling", False)
    place = tmp_path / "carried"
    place.mkdir()
    monkeypatch.setattr(carried, "carried_dir", lambda: place)
    return place


def compile_here(target: Path) -> None:
    target.write_bytes(b"compiled here")


def no_compiler() -> tuple[str, ...]:
    raise BackendError("no compiler: install one")


def some_code(
    archive: Archive | None = None,
    key: Callable[..., str] = KEY,
    own: Callable[[], tuple[str, ...]] = lambda: ("this machine",),
) -> Code:
    return Code("bfs", ".so", key, own, compile_here, archive or archive_for(TARGET), WORDS)


def written(folder: Path) -> Archive:
    return write_archive(folder, TARGET, COMPILER, {NAME: b"carried", "other.so": b"more"})


def test_carried_code_is_loaded_without_a_compiler(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    archive = written(folder)
    assert archive_for(TARGET) == archive
    for _ in range(2):  # from the archive, from the cache
        made = some_code(own=no_compiler).load(Path.read_bytes)
        assert made == Made(b"carried", archive)
        carried._opened.cache_clear()
    assert some_code(own=no_compiler).is_ready()
    assert caplog.text == ""
    assert len([*binaries.binaries_dir().glob("test-*.so")]) == 1  # the other stays packed


def test_what_this_machine_has_compiled_comes_first(folder: Path) -> None:
    written(folder)
    one = some_code()
    assert not one.is_compiled()
    one.prepare()
    assert one.is_compiled()
    assert one.load(Path.read_bytes) == Made(b"compiled here", None)


def test_other_code_is_compiled_which_is_said_once(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    written(folder)
    others = [
        some_code(key=text_key("test", "another text")),
        replace(some_code(), carried=(COMPILER, "-O2")),
        replace(some_code(), carried=("a compiler 2.0", "-O3"), own=lambda: ("that machine",)),
    ]
    for one in others:
        assert not one.is_ready()
        assert one.load(Path.read_bytes) == Made(b"compiled here", None)
    assert caplog.messages == ["gunrock: compiling bfs, which the package does not carry"]


def test_a_package_that_carries_nothing_is_silent(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder.rmdir()
    assert some_code().load(Path.read_bytes) == Made(b"compiled here", None)
    assert caplog.text == ""


def test_without_a_compiler_the_error_names_what_is_not_carried(folder: Path) -> None:
    written(folder)
    other = some_code(key=text_key("test", "another text"), own=no_compiler)
    with pytest.raises(BackendError, match=r"^no compiler: install one \(for bfs, which the package"):
        other.load(Path.read_bytes)


def flipped(data: bytes) -> bytes:
    return data[:40] + bytes([data[40] ^ 1]) + data[41:]


def foreign(data: bytes) -> bytes:
    """An archive of somebody else's code under the same name."""
    place = Path(carried.carried_dir()) / "foreign"
    return write_archive(place, TARGET, COMPILER, {NAME: b"foreign"}).path.read_bytes()


@pytest.mark.parametrize(
    "damage", [flipped, foreign, lambda data: data[:-10], lambda data: b"", lambda data: None]
)
def test_a_bad_archive_is_refused_by_its_hash(
    damage: Callable[[bytes], bytes | None], folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = written(folder).path
    data = damage(path.read_bytes())
    path.unlink() if data is None else path.write_bytes(data)
    for _ in range(2):
        made = some_code().load(Path.read_bytes)
        assert made == Made(b"compiled here", None)
    refusal, compiling = caplog.messages
    assert refusal.startswith(f"gunrock: not using {path}: ")
    assert refusal.endswith("; install the package again")
    assert compiling.startswith("gunrock: compiling bfs")
    finding = doctor._carried()
    assert (finding.there, "damaged" in finding.what) == (False, True)


@pytest.mark.parametrize(
    "note", ["", "[]", "{}", '{"target": "x86-64-v3"}', "other target", "no number", "more", "no archive"]
)
def test_a_bad_note_is_refused(note: str, folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    written(folder)
    place = folder / f"{TARGET}.json"
    good = json.loads(place.read_bytes())
    bad = {
        "other target": {**good, "target": "sm_90"},
        "no number": {**good, "kernels": "many"},
        "more": {**good, "folder": "/"},
        "no archive": {**good, "sha256": "0" * 64},
    }
    place.write_text(json.dumps(bad[note]) if note in bad else note)
    assert some_code().load(Path.read_bytes) == Made(b"compiled here", None)
    assert "not using" in caplog.messages[0]


def test_code_that_this_system_cannot_load_is_compiled(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    archive = written(folder)

    def load(path: Path) -> bytes:
        if path.read_bytes() == b"carried":
            raise OSError("GLIBC_2.99 not found")
        return path.read_bytes()

    for _ in range(2):
        assert some_code().load(load) == Made(b"compiled here", None)
    told = [text for text in caplog.messages if "cannot be loaded" in text]
    assert told == [f"gunrock: {archive.path} cannot be loaded here: GLIBC_2.99 not found"]


def test_equal_binaries_make_equal_archives(folder: Path) -> None:
    first = written(folder)
    content = first.path.read_bytes()
    assert written(folder) == first
    assert first.path.read_bytes() == content


# --- for which processors, and with which flags ---------------------------------------------------
def test_a_level_needs_all_that_its_code_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = processor.LEVELS[TARGET]
    monkeypatch.setattr(processor.platform, "machine", lambda: "x86_64")
    for missing in (None, *everything):
        words = " ".join(name for name in everything if name != missing)
        monkeypatch.setattr(processor, "processor_words", lambda words=words: f"flags : fpu {words} sse")
        assert processor.level() == (TARGET if missing is None else None)
    for machine, level in (("aarch64", "armv8-a"), ("riscv64", None)):
        monkeypatch.setattr(processor.platform, "machine", lambda machine=machine: machine)
        assert processor.level() == level


def test_portable_flags_are_ours_but_for_the_processor() -> None:
    flags = host_compiler.portable_flags(TARGET)
    assert {*host_compiler.FLAGS} ^ {*flags} == {"-march=native", f"-march={TARGET}"}
    assert (*flags, "-fopenmp") == host_compiler.portable_flags(f"{TARGET}-openmp")


def test_openmp_is_used_where_it_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_code, "level", lambda: TARGET)
    archive = written(folder)
    assert host_code.carried_here() == archive
    better = write_archive(folder, f"{TARGET}-openmp", COMPILER, {NAME: b"with OpenMP"})
    carried._noted.cache_clear()
    for there, taken in ((True, better), (False, archive)):
        monkeypatch.setattr(host_code, "has_openmp", lambda there=there: there)
        assert host_code.carried_here() == taken


def test_a_machine_without_openmp_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = openmp.has_openmp.__wrapped__
    monkeypatch.setattr(openmp, "_GNU", "libm.so.6")  # as a library that is there
    assert ask()
    monkeypatch.setattr(openmp, "_GNU", "libnothere.so.1")
    assert not ask()


def test_code_with_further_flags_is_never_the_carried(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(folder)
    monkeypatch.setattr(host_code, "level", lambda: TARGET)
    monkeypatch.delenv("GUNROCK_CXXFLAGS", raising=False)
    source = HostSource("bfs", KEY, "", folder)
    assert source.code().archive == archive_for(TARGET)
    assert source.code(("-Og",)).archive is None
    monkeypatch.setenv("GUNROCK_CXXFLAGS", "-fsanitize=thread")
    assert source.code().archive is None


# --- what is said of it -----------------------------------------------------------------------------
def test_doctor_says_what_is_carried_and_by_which_compiler(folder: Path) -> None:
    assert doctor._carried().what == "the package has none"
    written(folder)
    for target in ("sm_80", "sm_90"):
        write_archive(folder, target, "13.0", {"one": b"", "two": b"", "three": b""})
    found = doctor._carried()
    assert found.there
    assert found.what == ("3 for sm_80, 3 for sm_90 by NVRTC 13.0; 2 for x86-64-v3 by a compiler 1.0")


def test_the_cpu_backend_needs_no_compiler_for_what_is_carried(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(available, "why_no_compiler", lambda: "no compiler: install one")
    monkeypatch.setattr(host_code, "level", lambda: TARGET)
    why_no_cpu = available.why_no_cpu.__wrapped__
    assert why_no_cpu() == "no compiler: install one"
    carried._noted.cache_clear()
    path = written(folder).path
    assert why_no_cpu() is None
    path.write_bytes(b"")
    carried._opened.cache_clear()
    assert why_no_cpu() == "no compiler: install one"


def test_a_record_names_the_compiler_of_carried_code(folder: Path) -> None:
    archive = written(folder)
    assert compiler_of(None, "cpu") == {}
    assert compiler_of(archive, "cpu") == {"compiler": "a compiler 1.0, carried for x86-64-v3"}
    gpu = replace(archive, target="sm_90", compiler="13.0")
    assert compiler_of(gpu, "cuda") == {"nvrtc": "13.0, carried for sm_90"}
