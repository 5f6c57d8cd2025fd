"""What a question needs before it can be asked: a start, and a kind of graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph


@dataclass(frozen=True)
class Needs:
    """What a primitive needs of its graph, and what it has use for."""

    weights: bool = False
    weights_if_any: bool = False
    """True if weights are used when a graph has them, though none are needed."""
    heaviest: bool = False
    """True if the heaviest of equal edges counts, and so is kept when a graph is made."""
    vertex_weights: bool = False
    """True if ``ctx.graph.vertex_weights`` is read; graphs without them are refused."""
    undirected: bool = False
    """True if the question makes sense only for undirected graphs; others are refused."""
    reverse: bool = False
    """True if in-edges are read. If not, ``ctx.graph.reverse`` of a directed graph is null pointers, and
    the graph takes half the memory."""
    directed: bool = False
    """True if the question is about directions: the command line then keeps them unless given
    ``--undirected``."""

    @property
    def takes_weights(self) -> bool:
        """True if the weights of a graph that has them are read."""
        return self.weights or self.weights_if_any


@dataclass(frozen=True)
class Source:
    """Where the runs of a primitive start that needs a source: at those of ``--src``, unless its own
    options say so. ``options`` need not be resolved."""

    instead: tuple[str, ...] = ()
    """Options, by key, that say where a run starts, in place of --src."""

    def is_read(self, options: Any) -> bool:
        """True if a run with these options starts from a source."""
        return all(getattr(options, key) is None for key in self.instead)

    def named(self, graph: Graph, options: Any) -> list[int]:
        """The sources named by the primitive's own options, which replace --src."""
        return []

    def refuse(self, options: Any, given: str) -> None:
        """Raise UsageError if the primitive's own options already say where to start, as ``given``
        does."""
        for key in self.instead:
            if getattr(options, key) is not None:
                raise UsageError(
                    f"--{key.replace('_', '-')} says where to start, and so does {given}: "
                    "leave one of them out"
                )
