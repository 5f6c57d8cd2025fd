"""docs/devices.md lists exactly the options that primitives refuse on several devices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.primitives.code import small_graph
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.parts.base import OnSeveralDevices

PAGE = (Path(__file__).parents[2] / "docs/devices.md").read_text()
IN_PARTS = [name for name in primitive_names() if isinstance(get_primitive(name), OnSeveralDevices)]
OTHERS = {("bfs", "run_ahead"): ["8"], ("bc", "run_ahead"): ["8"], ("bfs", "alpha"): ["cost"]}
"""Values of options that take any."""


def values_of(primitive: str, option: Option) -> list[Any]:
    if option.kind is bool:
        return [not option.default]
    return list(option.choices or OTHERS.get((primitive, option.key), []))


def refused(name: str) -> Iterator[str]:
    """Flags with a value that one device takes and several refuse."""
    primitive = get_primitive(name)
    assert isinstance(primitive, OnSeveralDevices)
    graph = with_weights(small_graph(primitive), "unit")
    for option in primitive.options:
        for value in values_of(name, option):
            try:
                primitive.plan_in_parts(graph, primitive.asked({option.key: value}))
            except UsageError:
                yield f"--{option.name}"


@pytest.mark.parametrize("name", IN_PARTS)
def test_the_table_names_what_is_refused(name: str) -> None:
    (row,) = re.findall(rf"^\| `{name}` \| ([^|]*) \|$", PAGE, re.MULTILINE)
    found = set(refused(name))
    assert found or name in ("distances", "closeness", "eccentricity")
    assert set(re.findall(r"--[a-z-]+", row.partition("; not ")[2])) == found
