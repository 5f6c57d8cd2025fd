"""Derive a generator's complete parameters from a user's."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.sources.generate.catalog import GENERATORS
from gunrock_cli.graph.sources.generate.declared import MAX_NODES, Generator, Param

__all__ = ["GENERATORS", "MAX_NODES", "Generator", "Param", "complete_params", "label"]


def complete_params(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Every parameter of a generator, defaults filled in and derived ones computed.

    Raises UsageError for an unknown generator or parameter, and for values out of range.
    """
    generator = GENERATORS.get(name)
    if generator is None:
        raise UsageError(f"no generator is called {name!r}; there are {', '.join(GENERATORS)}")
    known = {param.key: param for param in generator.params}
    for key, value in given.items():
        if value is None:
            continue
        if key not in known:
            takes = ", ".join(param.flag for param in generator.params)
            raise UsageError(f"{name} takes no --{key.replace('_', '-')} (it takes {takes})")
        _check_range(known[key], value)
    params = {
        key: param.default if given.get(key) is None else param.kind(given[key])
        for key, param in known.items()
    }
    _derive(name, params, given)
    return params


def label(name: str, params: Mapping[str, Any]) -> str:
    """The short name of a generated graph, from complete parameters."""
    text = GENERATORS[name].label.format(**params)
    if name == "rmat" and params["edges"] != params["edge_factor"] << params["scale"]:
        text = f"rmat-s{params['scale']}-m{params['edges']}"
    if name == "bipartite" and params["skew"]:
        text += f"-k{params['skew']:g}"
    return text


def _check_range(param: Param, value: Any) -> None:
    if param.kind is bool:
        return
    if value != value:
        raise UsageError(f"{param.flag} must be a number")
    low, high = param.minimum, param.maximum
    if (low is not None and value < low) or (high is not None and value > high):
        bounds = f"at least {low}" if high is None else f"{low} to {high}"
        raise UsageError(f"{param.flag} {value} is out of range ({bounds})")


def _derive(name: str, params: dict[str, Any], given: Mapping[str, Any]) -> None:
    if "nodes" in params:
        if params["nodes"] is None:
            params["nodes"] = 1 << params["scale"]
        elif given.get("scale") is not None:
            raise UsageError("--scale and --nodes are two ways to say the same: give one")
        del params["scale"]
    for side in ("height", "depth"):
        if side in params and params[side] is None:
            params[side] = params["width"]
    if "mean_degree" in params:
        _derive_radius(name, params, given)
    if "window" in params and params["window"] is None:
        params["window"] = params["nodes"]
    if "hosts" in params and params["hosts"] is None:
        params["hosts"] = -(-params["nodes"] // 64)
    if "right" in params and params["right"] is None:
        params["right"] = params["left"]
    if "edges" in params:
        if params["edges"] is None:
            params["edges"] = params["edge_factor"] * _vertices_for_edges(name, params)
        elif given.get("edge_factor") is not None:
            raise UsageError("--edges and --edge-factor are two ways to say the same: give one")
        if name != "rmat":
            del params["edge_factor"]
    _check_together(name, params)


def _derive_radius(name: str, params: dict[str, Any], given: Mapping[str, Any]) -> None:
    """Derive the radius from a mean degree: a circle, or a ball, of this radius holds that many of n
    points."""
    degree = params.pop("mean_degree")
    if given.get("mean_degree") is None:
        if degree is None or params["radius"] is not None:
            return
    elif others := [key for key in ("radius", "threshold_factor") if given.get(key) is not None]:
        other = others[0].replace("_", "-")
        raise UsageError(f"--{other} and --mean-degree are two ways to say the same: give one")
    volume = degree / params["nodes"]
    params["radius"] = (
        math.sqrt(volume / math.pi) if name == "rgg" else (volume * 3 / (4 * math.pi)) ** (1 / 3)
    )


def _vertices_for_edges(name: str, params: Mapping[str, Any]) -> int:
    if name == "rmat":
        return int(1 << params["scale"])
    return int(params["left"] if name == "bipartite" else params["nodes"])


def _check_together(name: str, params: Mapping[str, Any]) -> None:
    generator = GENERATORS[name]
    n = generator.vertices(params)
    if n > MAX_NODES:
        raise UsageError(f"{name} of this size has {n} vertices; 32-bit vertex ids end at {MAX_NODES}")
    refusal = generator.refusal(params)
    if refusal is not None:
        raise UsageError(refusal)
