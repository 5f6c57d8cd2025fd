"""Runs for NetworkX's functions: an error of a primitive becomes a NotImplementedError."""

from __future__ import annotations

import random
import re
from decimal import Decimal
from numbers import Real
from typing import Any

from gunrock_cli.errors import GunrockError
from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.prepare import Prepared
from gunrock_cli.face.result import Answer
from gunrock_cli.primitives.base import Primitive


def prepared(primitive: str | Primitive, G: GunrockGraph, **options: Any) -> Prepared:
    """Prepare a primitive for the graph."""
    try:
        return G.prepared(primitive, **options)
    except GunrockError as error:
        raise NotImplementedError(f"gunrock: {error}") from error


def ran(ready: Prepared, source: int | None = None) -> Answer:
    """Run once, unchecked."""
    try:
        return ready(source)
    except GunrockError as error:
        raise NotImplementedError(f"gunrock: {error}") from error


def without(**given: Any) -> None:
    """Refuse arguments that are not supported here."""
    for name, value in given.items():
        if value is not None:
            raise NotImplementedError(f"gunrock knows no {name} here")


def are_numbers(*given: Any) -> None:
    """Refuse arguments that are not real numbers, such as text that reads like one."""
    for value in given:
        if not isinstance(value, (Real, Decimal)):
            raise NotImplementedError(f"gunrock: {value!r} is no number")


def needs_version(*least: int) -> None:
    """Refuses what NetworkX defines otherwise before this version."""
    import networkx as nx

    if tuple(map(int, re.findall("[0-9]+", nx.__version__)[:2])) < least:
        raise NotImplementedError(f"gunrock: as in NetworkX {'.'.join(map(str, least))} and later")


def without_seed(seed: Any) -> None:
    """Refuse a seed that the caller gave, as it would have to yield the result of NetworkX's own method;
    without one, NetworkX passes Python's own generator."""
    if seed is not None and seed is not random._inst:
        raise NotImplementedError("gunrock knows no seed here")
