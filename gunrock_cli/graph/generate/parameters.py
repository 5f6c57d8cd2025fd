"""The generators and their parameters, as data: read by the command line, docs and loader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gunrock_cli.errors import UsageError

MAX_NODES = 2**31 - 1


@dataclass(frozen=True)
class Param:
    """One parameter. ``default`` None means "derived from the others"."""

    key: str
    kind: type
    default: Any
    help: str
    minimum: float | None = None
    maximum: float | None = None

    @property
    def flag(self) -> str:
        return "--" + self.key.replace("_", "-")


@dataclass(frozen=True)
class Generator:
    """``label`` is a format string over the complete parameters; ``version`` goes up when the same
    parameters begin to give a different graph."""

    name: str
    summary: str
    params: tuple[Param, ...]
    label: str
    graph_class: str  # "generated, scale-free" or "generated, mesh-like"
    version: int = 1


_SCALE = Param("scale", int, 10, "Number of vertices, as a power of two.", 0, 30)
_NODES = Param("nodes", int, None, "Number of vertices (instead of --scale).", 1, MAX_NODES)
_SEED = Param("seed", int, 0, "Seed of the generator and of random sources.", 0, 2**63 - 1)
_EDGES = Param("edges", int, None, "Number of edges drawn (instead of --edge-factor).", 0, 2**40)


def _edge_factor(default: int, of: str = "vertex") -> Param:
    return Param("edge_factor", int, default, f"Edges drawn per {of}, before cleaning.", 0, 2**20)


def _side(key: str, default: int | None) -> Param:
    return Param(key, int, default, f"Lattice {key} in vertices.", 1, MAX_NODES)


def _probability(key: str, default: float, text: str) -> Param:
    return Param(key, float, default, text, 0.0, 1.0)


_SCALE_FREE = "generated, scale-free"
_MESH = "generated, mesh-like"

GENERATORS: dict[str, Generator] = {
    generator.name: generator
    for generator in (
        Generator(
            "rmat",
            "R-MAT, by default with the Graph500's A=0.57 B=C=0.19 and edge factor 48",
            (
                _SCALE, _edge_factor(48), _EDGES,
                _probability("a", 0.57, "R-MAT probability of the upper left quadrant."),
                _probability("b", 0.19, "R-MAT probability of the upper right quadrant."),
                _probability("c", 0.19, "R-MAT probability of the lower left quadrant."),
                Param("permute", bool, True, "Relabel R-MAT vertices at random (Graph500)."),
                _SEED,
            ),
            "rmat-s{scale}-e{edge_factor}",
            _SCALE_FREE,
        ),
        Generator(
            "rgg",
            "random geometric graph: points in the unit square, linked within a radius",
            (
                _SCALE, _NODES,
                Param("threshold_factor", float, 0.55,
                      "Radius of rgg is this times sqrt(ln n / n).", 0.0),
                Param("radius", float, None, "Radius of rgg itself (instead of the factor).", 0.0),
                _SEED,
            ),
            "rgg-n{nodes}",
            _MESH,
        ),
        Generator(
            "grid2d",
            "5-point lattice",
            (_side("width", 32), _side("height", None)),
            "grid2d-{width}x{height}",
            _MESH,
        ),
        Generator(
            "grid3d",
            "7-point lattice",
            (_side("width", 32), _side("height", None), _side("depth", None)),
            "grid3d-{width}x{height}x{depth}",
            _MESH,
        ),
        Generator(
            "random",
            "G(n, M): M different edges, every such set equally likely",
            (_SCALE, _NODES, _edge_factor(16), _EDGES, _SEED),
            "random-n{nodes}-m{edges}",
            _MESH,
        ),
        Generator(
            "smallworld",
            "Watts-Strogatz ring with rewired edges",
            (
                _SCALE, _NODES,
                Param("neighbors", int, 6, "Ring neighbours of a vertex (even).", 0, 2**20),
                _probability("rewire", 0.0, "Probability that a smallworld edge is rewired."),
                _SEED,
            ),
            "smallworld-n{nodes}-k{neighbors}-p{rewire}",
            _MESH,
        ),
        Generator("path", "a path", (_SCALE, _NODES), "path-n{nodes}", _MESH),
        Generator("star", "a star: vertex 0 in the centre", (_SCALE, _NODES), "star-n{nodes}",
                  _SCALE_FREE),
        Generator(
            "bipartite",
            "random bipartite graph, edges from the left part (numbered first) to the right",
            (
                Param("left", int, 1024, "Vertices of the left part.", 1, MAX_NODES),
                Param("right", int, None, "Vertices of the right part.", 1, MAX_NODES),
                _edge_factor(16, "vertex"), _EDGES,
                _probability("skew", 0.0, "How uneven a bipartite graph's degrees are; 0.52: R-MAT's."),
                _SEED,
            ),
            "bipartite-{left}x{right}-m{edges}",
            _MESH,
        ),
        Generator(
            "road",
            "planar, road-like: highways around blocks of streets, like roadNet-CA in degrees "
            "and diameter; the number of vertices is approximate",
            (_SCALE, _NODES, _SEED),
            "road-n{nodes}",
            _MESH,
        ),
    )
}


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
    if "right" in params and params["right"] is None:
        params["right"] = params["left"]
    if "edges" in params:
        if params["edges"] is None:
            params["edges"] = params["edge_factor"] * _vertices_for_edges(name, params)
        elif given.get("edge_factor") is not None:
            raise UsageError("--edges and --edge-factor are two ways to say the same: give one")
        if name != "rmat":
            del params["edge_factor"]
    _check_sizes(name, params)


def _vertices_for_edges(name: str, params: Mapping[str, Any]) -> int:
    if name == "rmat":
        return int(1 << params["scale"])
    return int(params["left"] if name == "bipartite" else params["nodes"])


def _check_sizes(name: str, params: Mapping[str, Any]) -> None:
    n = 1
    for side in ("width", "height", "depth"):
        n *= params.get(side, 1)
    n = max(n, params.get("left", 0) + params.get("right", 0))
    if n > MAX_NODES:
        raise UsageError(f"{name} of this size has {n} vertices; 32-bit vertex ids end at "
                         f"{MAX_NODES}")
    if name == "rmat" and params["a"] + params["b"] + params["c"] > 1.0 + 1e-9:
        raise UsageError("--a, --b and --c of rmat must not add up to more than 1")
    if name == "random":
        most = params["nodes"] * (params["nodes"] - 1) // 2
        if params["edges"] > most:
            raise UsageError(f"{params['nodes']} vertices have at most {most} different edges")
    if name == "smallworld" and params["neighbors"] % 2:
        raise UsageError("--neighbors of smallworld must be even")
    if name == "smallworld" and params["neighbors"] >= params["nodes"] > 1:
        raise UsageError("--neighbors of smallworld must be below the number of vertices")
