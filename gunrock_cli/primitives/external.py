"""Primitives that do not ship with the package: a Python file and the kernel beside it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from gunrock_cli.errors import InputError
from gunrock_cli.primitives.base import Primitive


def load_primitive(name: str) -> Primitive:
    """The ``PRIMITIVE`` of a Python file; its kernel defaults to the .cuh of the same stem."""
    path = Path(name).resolve()
    if not path.is_file():
        raise InputError("no such file", path=name)
    spec = importlib.util.spec_from_file_location(f"gunrock_external_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise InputError("a primitive is a Python file (.py)", path=name)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise InputError(f"cannot be imported: {type(error).__name__}: {error}", path=name) from error
    primitive = getattr(module, "PRIMITIVE", None)
    if not isinstance(primitive, Primitive):
        raise InputError("defines no PRIMITIVE (docs/writing-a-primitive.md)", path=name)
    if primitive.kernel is None:
        type(primitive).kernel = path.with_suffix(".cuh")
    return primitive
