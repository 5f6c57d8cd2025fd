"""Runs for NetworkX's functions: what a primitive refuses is, in NetworkX's words, not
implemented."""

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
    """A primitive made ready for the graph."""
    try:
        return G.prepared(primitive, **options)
    except GunrockError as error:
        raise NotImplementedError(f"gunrock: {error}") from error


def ran(ready: Prepared, source: int | None = None) -> Answer:
    """One run, unchecked."""
    try:
        return ready(source)
    except GunrockError as error:
        raise NotImplementedError(f"gunrock: {error}") from error


def without(**given: Any) -> None:
    """Refuses arguments that are not supported here."""
    for name, value in given.items():
        if value is not None:
            raise NotImplementedError(f"gunrock knows no {name} here")


def are_numbers(*given: Any) -> None:
    """Refuses arguments that are not real numbers, such as text that reads like one."""
    for value in given:
        if not isinstance(value, (Real, Decimal)):
            raise NotImplementedError(f"gunrock: {value!r} is no number")


def needs_version(*least: int) -> None:
    """Refuses what NetworkX defines otherwise before this version."""
    import networkx as nx

    if tuple(map(int, re.findall("[0-9]+", nx.__version__)[:2])) < least:
        raise NotImplementedError(f"gunrock: as in NetworkX {'.'.join(map(str, least))} and later")


def without_seed(seed: Any) -> None:
    """NetworkX passes Python's own generator if its caller gave none; one given by the caller would
    have to yield the same result as NetworkX's own method."""
    if seed is not None and seed is not random._inst:
        raise NotImplementedError("gunrock knows no seed here")
