"""The stub file for editors and type checkers, as the package's functions are made on demand: ``python -m
gunrock_cli.face.stub > gunrock_cli/__init__.pyi``."""

from __future__ import annotations

import inspect
import json
import typing
from typing import Any

from gunrock_cli.face.functions import function_of
from gunrock_cli.face.names import OWN
from gunrock_cli.primitives import get_primitive, primitive_names

_HEAD = '''"""Made by ``python -m gunrock_cli.face.stub``."""

from collections.abc import Iterable
from typing import Any, Literal

from gunrock_cli.version import __version__ as __version__
'''


def stub() -> str:
    """The text of ``gunrock_cli/__init__.pyi``."""
    imports = [f"from {each.__module__} import {name} as {name}" for name, each in OWN.items()]
    functions = [_function(name) for name in primitive_names()]
    return "\n".join([_HEAD, *imports, "", *functions]).rstrip() + "\n"


def _function(name: str) -> str:
    signature = inspect.signature(function_of(get_primitive(name)))
    lines: list[str] = []
    is_keyword = False
    for parameter in signature.parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not is_keyword:
            lines, is_keyword = [*lines, "    *,"], True
        has_default = parameter.default is not inspect.Parameter.empty
        default = f" = {_value(parameter.default)}" if has_default else ""
        lines.append(f"    {parameter.name}: {_type(parameter.annotation)}{default},")
    return "\n".join([f"def {name}(", *lines, ") -> Result: ..."])


def _value(value: Any) -> str:
    return json.dumps(value) if isinstance(value, str) else repr(value)


def _type(annotation: Any) -> str:
    """The annotation as source text."""
    parts = typing.get_args(annotation)
    origin = typing.get_origin(annotation)
    if origin is typing.Literal:
        return f"Literal[{', '.join(map(_value, parts))}]"
    if parts and origin in (typing.Union, type(int | str)):
        return " | ".join(map(_type, parts))
    if annotation is type(None):
        return "None"
    if parts:
        return f"{origin.__name__}[{', '.join(map(_type, parts))}]"
    return {Any: "Any", tuple: "tuple[Any, ...]"}.get(annotation) or str(annotation.__name__)


if __name__ == "__main__":
    print(stub(), end="")
