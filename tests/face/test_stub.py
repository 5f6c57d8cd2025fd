"""The stub for editors has exactly the functions' arguments."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

import gunrock_cli as gunrock
from gunrock_cli.face.names import names
from gunrock_cli.face.stub import stub
from gunrock_cli.primitives import primitive_names

FILE = Path(gunrock.__path__[0], "__init__.pyi")


def test_the_file_is_made_by_the_command() -> None:
    assert FILE.read_text() == stub()


@pytest.mark.parametrize("name", primitive_names())
def test_every_option_is_completed(name: str) -> None:
    found = {node.name: node for node in ast.parse(stub()).body if isinstance(node, ast.FunctionDef)}
    arguments = found[name].args
    told = [each.arg for each in (*arguments.args, *arguments.kwonlyargs)]
    assert told == list(inspect.signature(getattr(gunrock, name)).parameters)


def test_every_name_is_there() -> None:
    body = ast.parse(stub()).body
    imported = {alias.asname for node in body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert set(names()) <= imported | {node.name for node in body if isinstance(node, ast.FunctionDef)}
