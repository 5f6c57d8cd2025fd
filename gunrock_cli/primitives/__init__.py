"""The primitives, found by their files (see ``base``)."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from gunrock_cli.primitives.base import Primitive
from gunrock_cli.resources import kernels_dir


@cache
def primitive_names() -> tuple[str, ...]:
    """Names of all primitives that ship, sorted: the modules here with a kernel of the same name.
    Imports none of them."""
    kernels = {path.stem for path in (kernels_dir() / "primitives").iterdir()}
    found = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name for name in found if name in kernels))


@cache
def get_primitive(name: str) -> Primitive:
    """The primitive of that name; KeyError where there is none."""
    if name not in primitive_names():
        raise KeyError(name)
    module = importlib.import_module(f"{__name__}.{name}")
    primitive: Primitive = module.PRIMITIVE
    return primitive
