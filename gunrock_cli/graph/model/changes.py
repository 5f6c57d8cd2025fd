"""Changes to an input's edges on their way to a graph: counted where rows are made, kept with the graph,
recorded with its runs, and said in one line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any


@dataclass(frozen=True)
class Tally:
    """``edges`` as they were given, and the ``keys`` made of them: directed edges with repetitions.
    Unless ``loops_kept``, loops have no key; unless ``duplicates_kept``, one of equal keys was kept.
    ``one_way``: True if the reverse of some edge was not given, None if that was not looked up."""

    edges: int
    keys: int
    loops_kept: bool
    duplicates_kept: bool
    one_way: bool | None = None


@dataclass(frozen=True)
class Changes:
    """``edges_given`` are the input's edges, as it lists them. Dropped edges are counted in the same way:
    of an edge that was given once in each direction and made undirected, one is a duplicate.

    ``made_undirected``: the reverse of every edge was added to directed edges. ``directions_dropped``:
    the reverse of some of these had not been given (unknown for a generator's edges).
    ``vertices_announced``: the number of vertices that a header promises, if it is wrong.
    """

    edges_given: int
    made_undirected: bool = False
    directions_dropped: bool = False
    self_loops_dropped: int = 0
    duplicates_dropped: int = 0
    vertices_announced: int | None = None

    @classmethod
    def of(
        cls, tally: Tally, m: int, loops_left: Callable[[], int], both: bool, made_undirected: bool
    ) -> Changes:
        """The changes that made m entries of the tallied edges, ``both`` directions of each edge or one.
        ``loops_left`` counts the loops among the entries, which takes a while and is seldom needed."""
        if not both:
            dropped = 0 if tally.loops_kept else tally.edges - tally.keys
            return cls(tally.edges, self_loops_dropped=dropped, duplicates_dropped=tally.keys - m)
        # A loop became one directed edge, or none; any other edge two.
        others = tally.keys - tally.edges if tally.loops_kept else tally.keys // 2
        loops = tally.edges - others
        left = loops_left() if loops and tally.loops_kept else 0
        others_left = (m - left) // 2
        # Fewer than twice as many cannot have been given in both directions; as many can.
        one_way = tally.one_way
        if one_way is None:
            one_way = not tally.duplicates_kept and others < 2 * others_left
        return cls(
            tally.edges,
            made_undirected,
            made_undirected and one_way,
            0 if tally.loops_kept else loops,
            others - others_left + (loops - left if tally.loops_kept else 0),
        )

    def of_drawn(self) -> Changes:
        """The changes without what is unknown of a generator's edges."""
        return replace(self, directions_dropped=False)

    @classmethod
    def from_dict(cls, found: object) -> Changes | None:
        """The changes in a file or a record, as ``to_dict`` wrote them; None if they are missing or
        malformed."""
        if not isinstance(found, Mapping) or not isinstance(found.get("edges_given"), int):
            return None
        known = {each.name: found[each.name] for each in fields(cls) if each.name in found}
        numbers = (value for value in known.values() if value is not None)
        return cls(**known) if all(isinstance(value, int) and value >= 0 for value in numbers) else None

    def to_dict(self) -> dict[str, int | bool]:
        """The changes for a record, with a header's number of vertices only if it is wrong."""
        found = asdict(self)
        if self.vertices_announced is None:
            del found["vertices_announced"]
        return found

    def then(self, later: Changes) -> Changes:
        """Both changes, one after the other."""
        return replace(
            self,
            made_undirected=self.made_undirected or later.made_undirected,
            directions_dropped=self.directions_dropped or later.directions_dropped,
            self_loops_dropped=self.self_loops_dropped + later.self_loops_dropped,
            duplicates_dropped=self.duplicates_dropped + later.duplicates_dropped,
        )


def in_words(graph: Mapping[str, Any]) -> str:
    """Describe what was done to the input in one line, from a record's ``graph``; empty if nothing
    was."""
    origin = graph.get("origin") or {}
    changes = Changes.from_dict(graph.get("changes"))
    said = (
        []
        if changes is None or None in (graph.get("vertices"), graph.get("edges"))
        else [*_of_vertices(changes, graph), *_of_directions(changes, graph, origin), *_dropped(changes)]
    )
    return "; ".join([*said, *_of_weights(origin)])


def _of_vertices(changes: Changes, graph: Mapping[str, Any]) -> list[str]:
    if changes.vertices_announced is None:
        return []
    return [
        f"{graph['vertices']:,} vertices, as numbers are kept, where its header announces "
        f"{changes.vertices_announced:,} (--named takes numbers as names)"
    ]


def _of_directions(changes: Changes, graph: Mapping[str, Any], origin: Mapping[str, Any]) -> list[str]:
    if not changes.made_undirected:
        return []
    how = f"made undirected ({changes.edges_given:,} -> {graph['edges']:,} edges)"
    if not changes.directions_dropped or "path" not in origin:
        return [how]
    general = "the matrix is general and not symmetric, and " if origin.get("kind") == "market" else ""
    return [f"{how}: {general}its directions were dropped (--directed keeps them)"]


def _dropped(changes: Changes) -> list[str]:
    counts = {"self loop": changes.self_loops_dropped, "repeated edge": changes.duplicates_dropped}
    found = [f"{count:,} {what}{'' if count == 1 else 's'}" for what, count in counts.items() if count]
    either_way = " (either way)" if changes.made_undirected and changes.duplicates_dropped else ""
    return [f"{' and '.join(found)}{either_way} dropped"] if found else []


def _of_weights(origin: Mapping[str, Any]) -> list[str]:
    kind, *bounds = str(origin.get("weights")).split(":")
    if kind == "random" and len(bounds) == 2:
        return [f"weights drawn ({bounds[0]} to {bounds[1]}, seed {origin.get('weight_seed', 0)})"]
    return ["every weight 1"] if kind == "unit" else []
