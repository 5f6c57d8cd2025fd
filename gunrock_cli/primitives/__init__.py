"""The primitives, found by their files (see ``base``)."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from gunrock_cli.primitives.base import Primitive

_NOT_PRIMITIVES = {"base", "external", "references"}


@cache
def primitive_names() -> tuple[str, ...]:
    """Names of all primitives that ship, sorted; imports none of them."""
    found = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(n for n in found if n not in _NOT_PRIMITIVES and not n.startswith("_")))


@cache
def get_primitive(name: str) -> Primitive:
    """The primitive of that name; KeyError where there is none."""
    if name not in primitive_names():
        raise KeyError(name)
    module = importlib.import_module(f"{__name__}.{name}")
    primitive: Primitive = module.PRIMITIVE
    return primitive
