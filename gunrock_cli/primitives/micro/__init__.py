"""The microbenchmarks: isolated kernels over the frontiers of a real traversal, as Merrill et al. (PPoPP
2012, section 4) measure them. They are found by their files: a module here with a kernel of the same
name in ``kernels/microbench``. To the tool they are primitives called ``microbench-NAME``."""

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
    """Their names without the prefix, sorted. Imports none of them."""
    kernels = {path.stem for path in (kernels_dir() / "microbench").glob("*.cuh")}
    found = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name for name in found if name in kernels))


def is_micro(name: str) -> bool:
    """Whether a primitive's name is a microbenchmark's."""
    return name.startswith(PREFIX) and name.removeprefix(PREFIX) in micro_names()


@cache
def get_micro(name: str) -> Primitive:
    """The microbenchmark of that name, with the prefix or without; KeyError where there is none."""
    module_name = name.removeprefix(PREFIX)
    if module_name not in micro_names():
        raise KeyError(name)
    primitive: Primitive = importlib.import_module(f"{__name__}.{module_name}").PRIMITIVE
    return primitive
