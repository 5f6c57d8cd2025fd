"""How recommendations are shown: to one user, and to each of a batch."""

from __future__ import annotations

from collections.abc import Mapping

from gunrock_cli.primitives.shown import Listed, Listing, Outputs
from gunrock_cli.primitives.wtf.options import WtfOptions
from gunrock_cli.primitives.wtf.rows import BATCH_COLUMNS

_HEADINGS = ("place", "vertex", "score")


class Recommendations(Listed):
    """The best of those whom a user does not follow yet."""

    def row_columns(self, options: WtfOptions) -> Mapping[str, str]:
        """A list's columns for a batch; none for one user, whose answer is a score per vertex."""
        return BATCH_COLUMNS if options.batch else {}

    def listings(
        self, options: WtfOptions, source: int | None, outputs: Outputs
    ) -> list[tuple[int, Listing]]:
        if options.batch:
            return [(user, _of_batch(user, outputs)) for user in options.users_of_batch]
        assert source is not None
        return [(source, _of_user(outputs))]


def _of_user(outputs: Outputs) -> Listing:
    found = [int(v) for v in outputs["recommendations"] if v >= 0]
    rows = ((place, v, float(outputs["scores"][v])) for place, v in enumerate(found, 1))
    return Listing(_HEADINGS, tuple(rows))


def _of_batch(user: int, outputs: Outputs) -> Listing:
    own = outputs["users"] == user
    columns = [outputs[name] for name in ("places", "recommendations", "scores")]
    rows = zip(*(column[own].tolist() for column in columns), strict=True)
    return Listing(_HEADINGS, tuple(rows))
