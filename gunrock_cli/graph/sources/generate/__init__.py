"""Graph generators: seeded, and a recipe gives the same graph on the CPU and the GPU.

``catalog`` lists them with their parameters (and imports nothing heavy); a module of the generator's
name, or of its family's, makes the edges. A new generator is an entry there and such a function, whose
arguments are the parameters.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING, cast

from gunrock_cli.graph.sources.generate.declared import Values
from gunrock_cli.graph.sources.generate.parameters import GENERATORS, complete_params

if TYPE_CHECKING:
    from gunrock_cli.graph.model.edges import EdgeList
    from gunrock_cli.graph.rows.drawing import Drawing

__all__ = ["GENERATORS", "complete_params", "drawing_of", "generate_edges"]


def generate_edges(name: str, params: Values, xp: ModuleType) -> EdgeList:
    """Make a generator's edges, not cleaned. ``params`` as from ``complete_params``. Raises UsageError or
    OutOfMemory for more edges than ``xp`` can make."""
    from gunrock_cli.graph.sources.generate.sizes import check_size

    check_size(name, params, xp)
    make = getattr(_module(name), name if GENERATORS[name].family else "edges")
    return cast("EdgeList", make(xp, **params))


def drawing_of(name: str, params: Values) -> Drawing | None:
    """A generator's edges as compiled code draws them; None unless each is a function of its number."""
    make = getattr(_module(name), "drawing", None)
    return None if make is None else cast("Drawing", make(**params))


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"{__name__}.{GENERATORS[name].family or name}")
