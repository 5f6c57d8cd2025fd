"""The name that a user probably meant by one that there is not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher

LEAST = 0.66
"""How alike two spellings must be: bsf and bfs are, src and trace are not."""
NEAR = 0.1
"""How much less alike than the best a further one may be."""
_PART, _BEGINS = 3, 0.9
"""Letters of a name with which another one must begin to mean it, as gapbs does gap, and how alike both
then are."""


def nearest(word: str, names: Iterable[str], senses: Mapping[str, str] | None = None) -> list[str]:
    """The names nearest to a word, the best first, at most three. ``senses`` are words of other tools for
    some names; they and what is spelled alike count without case, dashes and underscores."""
    known = list(names)
    meant = (senses or {}).get(bare(word))
    if meant in known:
        return [meant]
    found = [(_likeness(bare(word), bare(name)), name) for name in known]
    enough = max(LEAST, max((likeness for likeness, _ in found), default=0.0) - NEAR)
    best = sorted((pair for pair in found if pair[0] >= enough), key=lambda pair: -pair[0])
    return [name for _, name in best[:3]]


def did_you_mean(word: str, names: Iterable[str], senses: Mapping[str, str] | None = None) -> str:
    """The question for an error's end; empty if no name is near."""
    found = nearest(word, names, senses)
    return f"did you mean {' or '.join(found)}?" if found else ""


def bare(word: str) -> str:
    """A word as it is compared."""
    return word.lower().replace("-", "").replace("_", "")


def _likeness(one: str, other: str) -> float:
    """Between 0 and 1, much if one begins with the other."""
    found = SequenceMatcher(None, one, other).ratio()
    shorter, longer = sorted((one, other), key=len)
    return max(found, _BEGINS) if len(shorter) >= _PART and longer.startswith(shorter) else found
