"""Edge weights: the file's, or drawn at random, with the same weight on both directions of an edge."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.chunks import chunks
from gunrock_cli.graph.model.graph import Array, Csr, Graph, array_module, moved, row_ids
from gunrock_cli.graph.model.memory import require_memory

STREAM = 1000
"""The stream of the random numbers that become weights."""
LEAST_RANGE = 1e-30
"""Numbers drawn in steps of 2^-24 of this are all large enough to be kept (``tiny_weights``)."""


@dataclass(frozen=True)
class WeightSpec:
    """``kind`` is "file", "none", "unit" or "random" (then ``low`` to ``high``, inclusive)."""

    kind: str
    low: float = 1
    high: float = 1


def parse_weights(text: str | None, weight_type: str | None = None) -> WeightSpec:
    """Parse ``None`` (the file's weights, if any), ``none``, ``unit``, ``random`` (1 to 64, the papers')
    or ``random:LOW:HIGH``. Raises UsageError."""
    if text is None:
        return WeightSpec("file")
    if text in ("none", "unit"):
        return WeightSpec(text)
    if text == "random":
        return WeightSpec("random", 1, 64)
    found = re.fullmatch(r"random:([-+.\w]+):([-+.\w]+)", text)
    try:
        low, high = (float(word) for word in found.groups()) if found else (1.0, 0.0)
    except ValueError:
        low, high = 1.0, 0.0
    if not (found and low <= high and abs(low) < 2**31 and abs(high) < 2**31):
        raise UsageError(f"--weights {text}: use none, unit, random or random:LOW:HIGH")
    if any(0 < abs(number) < LEAST_RANGE for number in (low, high, high - low)):
        raise UsageError(
            f"--weights {text}: bounds and their difference must be 0 or at least {LEAST_RANGE:g}"
        )
    if weight_type != "float32" and (low % 1 or high % 1):
        raise UsageError(f"--weights {text}: bounds that are not integers need --weight-type float32")
    return WeightSpec("random", low, high)


def with_weights(graph: Graph, text: str | None, weight_type: str | None = None, seed: int = 0) -> Graph:
    """The graph with the requested weights: ``text`` as in ``parse_weights``.

    Integers are uniform in LOW .. HIGH, float32 uniform in [LOW, HIGH); an edge's weight is a hash of its
    smaller end, its larger end and the seed. ``weight_type`` also converts the weights of a file (None
    leaves them).
    """
    spec = parse_weights(text, weight_type)
    return effective(_weighted(graph, spec, weight_type, seed), spec, seed)


def effective(graph: Graph, spec: WeightSpec, seed: int = 0) -> Graph:
    """Return the graph; its origin says which weights it has: "none", "file" (its own), "unit" or
    "random:LOW:HIGH"; their type; and the seed of drawn weights."""
    kind = spec.kind if graph.weighted else "none"
    if kind == "random":
        kind += "".join(f":{int(x) if x % 1 == 0 else x}" for x in (spec.low, spec.high))
    values = graph.csr.values
    said = {"weights": kind, "weight_type": None if values is None else str(values.dtype)}
    drawn = {"weight_seed": seed} if spec.kind == "random" else {}
    return replace(graph, origin={**graph.origin, **said, **drawn})


def _weighted(graph: Graph, spec: WeightSpec, weight_type: str | None, seed: int) -> Graph:
    if spec.kind == "file":
        return _mapped(graph, lambda csr: _converted(csr, weight_type))
    if spec.kind == "none":
        return _mapped(graph, lambda csr: replace(csr, values=None))
    sides = 1 if graph.reverse is None or graph.reverse is graph.csr else 2
    require_memory(graph.xp, 4 * graph.m * sides, f"{graph.name}: weights of {graph.m} directed edges")
    if spec.kind == "unit":
        dtype = weight_type or "int32"
        ones = graph.xp.ones
        return _mapped(graph, lambda csr: replace(csr, values=ones(csr.m, dtype=dtype)))
    return _mapped(graph, lambda csr: _random(csr, spec, weight_type or "int32", seed))


def _mapped(graph: Graph, change: Any) -> Graph:
    csr = change(graph.csr)
    if graph.reverse is None:
        return replace(graph, csr=csr)
    reverse = csr if graph.reverse is graph.csr else change(graph.reverse)
    return replace(graph, csr=csr, reverse=reverse)


def _converted(csr: Csr, weight_type: str | None) -> Csr:
    if csr.values is None or weight_type is None or str(csr.values.dtype) == weight_type:
        return csr
    if weight_type == "int32" and not bool(
        ((csr.values >= -(2.0**31)) & (csr.values < 2.0**31) & (csr.values % 1 == 0)).all()
    ):
        raise InputError("--weight-type int32 would round this graph's weights; use float32")
    return replace(csr, values=csr.values.astype(weight_type))


def _random(csr: Csr, spec: WeightSpec, weight_type: str, seed: int) -> Csr:
    rows = csr.for_counting()
    xp = array_module(rows.row_offsets)
    values = xp.empty(csr.m, dtype=weight_type)
    for first, count in chunks(xp, csr.m):
        last = first + count
        columns = rows.column_indices[first:last]
        values[first:last] = _draw(
            xp, row_ids(rows.row_offsets, first, last), columns, spec, weight_type, seed
        )
    return replace(csr, values=moved(values, array_module(csr.row_offsets)))


def _draw(xp: ModuleType, u: Array, v: Array, spec: WeightSpec, weight_type: str, seed: int) -> Array:
    pair = xp.minimum(u, v).astype(xp.int64)
    pair <<= 32
    pair |= xp.maximum(u, v)
    word = rng.hash_counters(xp, pair, seed, STREAM)
    if weight_type == "int32":
        low = int(spec.low)
        # The span of 2**31 .. 2**32 - 1 values needs the wide product.
        return rng.scaled_wide(xp, word, int(spec.high) - low + 1) + low
    unit = (word >> xp.uint64(40)).astype(xp.float32) * xp.float32(2.0**-24)
    return xp.float32(spec.low) + unit * xp.float32(spec.high - spec.low)
