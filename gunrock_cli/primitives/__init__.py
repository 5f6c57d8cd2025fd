"""The primitives, found by their files (see ``base``)."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gunrock_cli.resources import kernels_dir

if TYPE_CHECKING:
    from gunrock_cli.primitives.base import Primitive

_OF_DISTANCES = ("closeness", "eccentricity")
"""The primitives whose kernels are those of distances."""


@cache
def primitive_names() -> tuple[str, ...]:
    """The names of all primitives that ship, sorted: the modules here that have a kernel of the same
    name, or share one. No module is imported."""
    kernels = {path.stem for path in (kernels_dir() / "primitives").iterdir()}
    found = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name for name in found if name in kernels or name in _OF_DISTANCES))


@cache
def get_primitive(name: str) -> Primitive:
    """Return the primitive of that name; KeyError if there is none."""
    if name not in primitive_names():
        raise KeyError(name)
    module = importlib.import_module(f"{__name__}.{name}")
    primitive: Primitive = module.PRIMITIVE
    return primitive


_SUMMARY = re.compile(r'^    summary = \(?((?:\s*"[^"\\\n]*")+)', re.MULTILINE)


def summary_of(name: str) -> str:
    """The summary of a primitive that ships, read from its file, as importing all primitives takes longer
    than listing them. A primitive whose summary is not plain text is imported."""
    folder, file = Path(__path__[0], name, "__init__.py"), Path(__path__[0], f"{name}.py")
    text = (folder if folder.is_file() else file).read_text(encoding="utf-8")
    found = _SUMMARY.search(text)
    return get_primitive(name).summary if found is None else str(ast.literal_eval(f"({found[1]})"))
