"""The microbenchmarks: isolated kernels over the frontiers of a real traversal, as Merrill et al. (PPoPP
2012, section 4) measure them. A microbenchmark is a module here with a kernel of the same name in
``kernels/microbench``. The tool treats them as primitives called ``microbench-NAME``."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

from gunrock_cli.resources import kernels_dir

if TYPE_CHECKING:
    from gunrock_cli.primitives.base import Primitive

PREFIX = "microbench-"


@cache
def micro_names() -> tuple[str, ...]:
    """The names without the prefix, sorted. No module is imported."""
    kernels = {path.stem for path in (kernels_dir() / "microbench").glob("*.cuh")}
    found = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name for name in found if name in kernels))


def is_micro(name: str) -> bool:
    """True if a primitive's name is a microbenchmark's."""
    return name.startswith(PREFIX) and name.removeprefix(PREFIX) in micro_names()


@cache
def get_micro(name: str) -> Primitive:
    """Return the microbenchmark of that name, with the prefix or without; KeyError if there is none."""
    module_name = name.removeprefix(PREFIX)
    if module_name not in micro_names():
        raise KeyError(name)
    primitive: Primitive = importlib.import_module(f"{__name__}.{module_name}").PRIMITIVE
    return primitive
