"""Compilers' output, read back: here a library of a few lines."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from gunrock_cli.errors import BackendError, UsageError
from gunrock_cli.toolchain.architectures import ARCHITECTURES, architecture
from gunrock_cli.toolchain.host_compiler import compile_shared
from gunrock_cli.toolchain.machine_code import host_code, sections, variable

TEXT = """extern "C" {
extern const int some[3];
const int some[3] = {7, -1, 9};
extern double other;
double other = 2.5;
int add(int a) { return a + some[1]; }
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    target = tmp_path_factory.mktemp("code") / "x.so"
    compile_shared(TEXT, Path("x.cpp"), target)
    return target.read_bytes()


def test_variables_have_their_bytes(library: bytes) -> None:
    assert struct.unpack("3i", variable(library, "some")) == (7, -1, 9)
    assert struct.unpack("d", variable(library, "other")) == (2.5,)


def test_a_variable_that_is_not_there_is_told(library: bytes) -> None:
    with pytest.raises(BackendError, match="no variable som: it is none of this version's"):
        variable(library, "som")


def test_instructions_are_counted(library: bytes) -> None:
    (code,) = host_code(library)
    (text,) = (part for part in sections(library) if part.name == ".text")
    assert code.code == len(text.data) > 0
    assert (code.registers, code.spilled, code.shared) == (None, None, None)


def test_an_architecture_that_is_not_known_is_told() -> None:
    assert architecture(90) is ARCHITECTURES[90]
    with pytest.raises(UsageError, match=r"^--arch 91: give one of 75, .* or host$"):
        architecture(91)
