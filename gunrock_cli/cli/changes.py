"""What was done to the input on its way to a graph, as a note on stderr."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gunrock_cli.cli.messages import notice

if TYPE_CHECKING:
    from gunrock_cli.graph.model.graph import Graph


def say_changes(graph: Graph) -> None:
    """One line, if anything was done to it; records have the same by number."""
    from gunrock_cli.graph.model.changes import in_words

    if said := in_words(graph.described()):
        notice(f"note: {graph.name}: {said}")
