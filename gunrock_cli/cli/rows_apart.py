"""What tells the rows of a table of runs apart, where their graph and system do not."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import Any


def telling_apart(rows: Sequence[tuple[Hashable, Mapping[str, Any]]]) -> list[str]:
    """For each row the options whose values differ among the rows of its group; a row is its group and
    its options."""
    groups: defaultdict[Hashable, list[Mapping[str, Any]]] = defaultdict(list)
    for group, options in rows:
        groups[group].append(options)
    differing = {group: _differing(alike) for group, alike in groups.items()}
    return [
        " ".join(f"{key}={_text(value)}" for key, value in options.items() if key in differing[group])
        for group, options in rows
    ]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _differing(alike: Sequence[Mapping[str, Any]]) -> set[str]:
    keys = {key for options in alike for key in options}
    return {key for key in keys if len({str(options.get(key)) for options in alike}) > 1}
