"""The options of recommendations."""

from __future__ import annotations

from dataclasses import dataclass

from gunrock_cli.primitives.options import Options, option


@dataclass(frozen=True)
class WtfOptions(Options):
    """The options as asked. A run takes the same class; for a batch, ``users`` then lists vertices."""

    user: int | None = option(None, "Recommend to this vertex; default: --src.", minimum=0)
    users: str | None = option(
        None,
        "To several, one after the other: 3,5,9, or @FILE. Commas or blanks separate the vertices there.",
        lists_vertices=True,
        shared=True,
    )
    batch: int | None = option(
        None,
        "This many users at once, in one run: those of --users, or as many vertices with "
        "out-edges, drawn at random (always the same ones).",
        minimum=1,
        maximum=1024,
        expert=True,
        shared=True,
    )
    circle: int = option(
        500,
        "Size of the circle of trust. It holds the vertices other than the user that rank best.",
        minimum=0,
        maximum=10_000,
        shared=True,
    )
    salsa_iterations: int = option(
        10,
        "Times that scores go from the circle to whom it follows (and back in between).",
        minimum=1,
        expert=True,
        shared=True,
    )
    recommendations: int = option(20, "How many.", minimum=0, maximum=10_000, shared=True)
    damping: float = option(
        0.85,
        "Of personalized PageRank: the chance to follow an edge rather than to begin anew.",
        minimum=0.0,
        maximum=0.999,
        expert=True,
        shared=True,
    )
    tolerance: float = option(
        1e-6,
        "Of personalized PageRank: stop when an iteration changed the ranks, which sum to 1, "
        "by less than this in all (L1). 0: always --max-iterations.",
        minimum=0.0,
        expert=True,
        shared=True,
    )
    max_iterations: int = option(
        100, "Of personalized PageRank: stop after so many.", minimum=0, expert=True, shared=True, limit=0
    )

    @property
    def users_of_batch(self) -> list[int]:
        """The users of a batch, from resolved options."""
        assert self.users is not None
        return [int(word) for word in self.users.split(",")]
