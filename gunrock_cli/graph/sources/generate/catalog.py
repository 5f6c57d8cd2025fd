"""The generators, as data: read by the command line, docs and loader. Each is made by the function of its
name in its family's module, or by the module of its own name."""

from __future__ import annotations

import math
from typing import Any

from gunrock_cli.graph.sources.generate.declared import MAX_NODES, Generator, Param, Values

_SCALE = Param("scale", int, 10, "Number of vertices, as a power of two.", 0, 30)
_NODES = Param("nodes", int, None, "Number of vertices (instead of --scale).", 1, MAX_NODES)
_SEED = Param("seed", int, 0, "Seed of the generator and of random sources.", 0, 2**63 - 1)
_EDGES = Param("edges", int, None, "Number of edges drawn, instead of a factor.", 0, 2**40)
_RADIUS = Param("radius", float, None, "Radius within which points are linked.", 0.0)
_HUB_DEGREE = Param("hub_degree", int, 64, "Vertices drawn for each of the hubs.", 1, MAX_NODES)
_GAMMA = Param(
    "gamma", float, 2.5, "Exponent: of vertices of degree d there are as many as d ** -gamma.", 1.1, 100.0
)


def _edge_factor(default: int, of: str = "vertex") -> Param:
    return Param("edge_factor", int, default, f"Edges drawn per {of}, before cleaning.", 0, 2**20)


def _mean_degree(default: float | None) -> Param:
    return Param(
        "mean_degree", float, default, "Links of a point far from the border (instead of --radius).", 0.0
    )


def _side(key: str, default: int | None) -> Param:
    return Param(key, int, default, f"Lattice {key} in vertices.", 1, MAX_NODES)


def _hubs(default: int) -> Param:
    return Param("hubs", int, default, "Vertices that know many others.", 0, MAX_NODES)


def _probability(key: str, default: float, text: str) -> Param:
    return Param(key, float, default, text, 0.0, 1.0)


def _links(values: Values) -> int:
    """The number of links of a tree."""
    return int(values["nodes"]) - 1


def _cells(values: Values) -> int:
    return math.prod(values[side] for side in ("width", "height", "depth") if side in values)


def _lattice_edges(values: Values) -> int:
    total = _cells(values)
    return sum(total - total // values[side] for side in ("width", "height", "depth") if side in values)


def _mesh_vertices(values: Values) -> int:
    return _cells(values) + int(values["hubs"])


def _spokes(values: Values) -> int:
    return int(values["hubs"] * values["hub_degree"])


def _banded_edges(values: Values) -> int:
    band = min(values["bandwidth"], values["nodes"] - 1)
    return int(values["nodes"] * band - band * (band + 1) // 2) + _spokes(values)


def rgg_radius(nodes: int, threshold_factor: float, radius: float | None) -> float:
    """The radius of rgg, from the radius or the threshold factor."""
    if radius is None:
        radius = threshold_factor * math.sqrt(math.log(nodes) / nodes)
    return min(float(radius), 2.0)  # all are closer than 2


def _close_in_plane(values: Values) -> int:
    radius = rgg_radius(values["nodes"], values["threshold_factor"], values["radius"])
    return _close_pairs(values["nodes"], math.pi * radius**2)


def _close_pairs(n: int, volume: float) -> int:
    return int(min(1.0, volume) * n * (n - 1) / 2)


def _close_in_space(values: Values) -> int:
    return _close_pairs(values["nodes"], 4 / 3 * math.pi * min(values["radius"], 2.0) ** 3)


def _parts(values: Values) -> int:
    return int(values["left"] + values["right"])


def _of_rmat(values: Values) -> str | None:
    too_many = values["a"] + values["b"] + values["c"] > 1.0 + 1e-9
    return "--a, --b and --c of rmat must not add up to more than 1" if too_many else None


def _of_random(values: Values) -> str | None:
    n = values["nodes"]
    most = n * (n - 1) // 2
    return f"{n} vertices have at most {most} different edges" if values["edges"] > most else None


def _of_smallworld(values: Values) -> str | None:
    if values["neighbors"] % 2:
        return "--neighbors of smallworld must be even"
    if values["neighbors"] >= values["nodes"] > 1:
        return "--neighbors of smallworld must be below the number of vertices"
    return None


def _of_regular(values: Values) -> str | None:
    n, degree = values["nodes"], values["degree"]
    if degree >= n:
        return f"--degree {degree} of regular must be below the number of vertices, {n}"
    return f"{n} vertices cannot all have degree {degree}: one must be even" if n * degree % 2 else None


def _no_more_than_nodes(key: str) -> Any:
    def refusal(values: Values) -> str | None:
        few = values[key] <= values["nodes"]
        return None if few else f"--{key} {values[key]} must not exceed the {values['nodes']} vertices"

    return refusal


_SCALE_FREE = "generated, scale-free"
_MESH = "generated, mesh-like"

GENERATORS: dict[str, Generator] = {
    generator.name: generator
    for generator in (
        Generator(
            "rmat",
            "R-MAT, by default with the Graph500's A=0.57 B=C=0.19 and edge factor 48",
            (
                _SCALE,
                _edge_factor(48),
                _EDGES,
                _probability("a", 0.57, "R-MAT probability of the upper left quadrant."),
                _probability("b", 0.19, "R-MAT probability of the upper right quadrant."),
                _probability("c", 0.19, "R-MAT probability of the lower left quadrant."),
                Param("permute", bool, True, "Relabel R-MAT vertices at random (Graph500)."),
                _SEED,
            ),
            "rmat-s{scale}-e{edge_factor}",
            _SCALE_FREE,
            vertices=lambda values: 1 << values["scale"],
            refusal=_of_rmat,
        ),
        Generator(
            "rgg",
            "random geometric graph: points in the unit square, linked within a radius",
            (
                _SCALE,
                _NODES,
                Param(
                    "threshold_factor", float, 0.55, "Radius of rgg is this times sqrt(ln n / n).", 0.0
                ),
                _RADIUS,
                _mean_degree(None),
                _SEED,
            ),
            "rgg-n{nodes}",
            _MESH,
            edges=_close_in_plane,
            edge_bytes=16,
            vertex_bytes=40,
            family="nearby",
        ),
        Generator(
            "rgg3d",
            "random geometric graph of points in the unit cube",
            (_SCALE, _NODES, _RADIUS, _mean_degree(12.0), _SEED),
            "rgg3d-n{nodes}",
            _MESH,
            edges=_close_in_space,
            edge_bytes=16,
            vertex_bytes=48,
            family="nearby",
        ),
        Generator(
            "grid2d",
            "5-point lattice",
            (_side("width", 32), _side("height", None)),
            "grid2d-{width}x{height}",
            _MESH,
            vertices=_cells,
            edges=_lattice_edges,
            family="lattices",
        ),
        Generator(
            "grid3d",
            "7-point lattice",
            (_side("width", 32), _side("height", None), _side("depth", None)),
            "grid3d-{width}x{height}x{depth}",
            _MESH,
            vertices=_cells,
            edges=_lattice_edges,
            family="lattices",
        ),
        Generator(
            "random",
            "G(n, M): M different edges, every such set equally likely",
            (_SCALE, _NODES, _edge_factor(16), _EDGES, _SEED),
            "random-n{nodes}-m{edges}",
            _MESH,
            refusal=_of_random,
        ),
        Generator(
            "smallworld",
            "Watts-Strogatz ring with rewired edges",
            (
                _SCALE,
                _NODES,
                Param("neighbors", int, 6, "Ring neighbours of a vertex (even).", 0, 2**20),
                _probability("rewire", 0.0, "Probability that a smallworld edge is rewired."),
                _SEED,
            ),
            "smallworld-n{nodes}-k{neighbors}-p{rewire}",
            _MESH,
            edges=lambda values: int(values["nodes"] * (values["neighbors"] // 2)),
            refusal=_of_smallworld,
        ),
        Generator(
            "path", "a path", (_SCALE, _NODES), "path-n{nodes}", _MESH, edges=_links, family="trees"
        ),
        Generator(
            "star",
            "a star: vertex 0 in the centre",
            (_SCALE, _NODES),
            "star-n{nodes}",
            _SCALE_FREE,
            edges=_links,
            family="trees",
        ),
        Generator(
            "bipartite",
            "random bipartite graph, edges from the left part (numbered first) to the right",
            (
                Param("left", int, 1024, "Vertices of the left part.", 1, MAX_NODES),
                Param("right", int, None, "Vertices of the right part.", 1, MAX_NODES),
                _edge_factor(16, "vertex"),
                _EDGES,
                _probability("skew", 0.0, "How uneven a bipartite graph's degrees are; 0.52: R-MAT's."),
                _SEED,
            ),
            "bipartite-{left}x{right}-m{edges}",
            _MESH,
            vertices=_parts,
        ),
        Generator(
            "road",
            "planar, road-like: highways around blocks of streets, like roadNet-CA in degrees "
            "and diameter; the number of vertices is approximate",
            (_SCALE, _NODES, _SEED),
            "road-n{nodes}",
            _MESH,
            edges=lambda values: int(values["nodes"]),
        ),
        Generator(
            "regular",
            "random graph in which all vertices have the same degree",
            (_SCALE, _NODES, Param("degree", int, 4, "Neighbours of each vertex.", 0, 2**20), _SEED),
            "regular-n{nodes}-d{degree}",
            _MESH,
            edges=lambda values: values["nodes"] * values["degree"] // 2,
            edge_bytes=72,
            refusal=_of_regular,
        ),
        Generator(
            "tree",
            "random tree: each vertex is linked to an earlier one",
            (
                _SCALE,
                _NODES,
                Param(
                    "window",
                    int,
                    None,
                    "How much earlier at most; the narrower, the deeper.",
                    1,
                    MAX_NODES,
                ),
                _SEED,
            ),
            "tree-n{nodes}-w{window}",
            _MESH,
            edges=_links,
            family="trees",
        ),
        Generator(
            "kary",
            "tree in which every vertex has as many children, level by level",
            (_SCALE, _NODES, Param("arity", int, 2, "Children of a vertex.", 1, MAX_NODES)),
            "kary-n{nodes}-k{arity}",
            _MESH,
            edges=_links,
            family="trees",
        ),
        Generator(
            "caterpillar",
            "chain with branches",
            (
                _SCALE,
                _NODES,
                Param("legs", int, 1, "Branches at each vertex of the chain.", 0, 2**20),
                Param("leg_length", int, 1, "Vertices of a branch.", 1, 2**20),
            ),
            "caterpillar-n{nodes}-l{legs}x{leg_length}",
            _MESH,
            edges=_links,
            family="trees",
        ),
        Generator(
            "hubtree",
            "chain of hubs with random trees behind their neighbours",
            (_SCALE, _NODES, _hubs(8), _HUB_DEGREE, _SEED),
            "hubtree-n{nodes}-h{hubs}x{hub_degree}",
            _SCALE_FREE,
            edges=_links,
            family="trees",
        ),
        Generator(
            "mesh",
            "5-point lattice with holes, and with hubs beside it",
            (
                _side("width", 32),
                _side("height", None),
                _probability("holes", 0.0, "Probability that a vertex of a mesh has no edges."),
                _hubs(0),
                _HUB_DEGREE,
                _SEED,
            ),
            "mesh-{width}x{height}-o{holes}-h{hubs}x{hub_degree}",
            _MESH,
            vertices=_mesh_vertices,
            edges=lambda values: _lattice_edges(values) + _spokes(values),
            edge_bytes=28,
            family="lattices",
        ),
        Generator(
            "banded",
            "band matrix, by default without dense rows: neighbours have near numbers",
            (
                _SCALE,
                _NODES,
                Param("bandwidth", int, 8, "How far apart numbers of neighbours are at most.", 0, 2**20),
                _hubs(0),
                _HUB_DEGREE,
                _SEED,
            ),
            "banded-n{nodes}-b{bandwidth}-h{hubs}x{hub_degree}",
            _MESH,
            edges=_banded_edges,
            edge_bytes=16,
            refusal=_no_more_than_nodes("hubs"),
            family="lattices",
        ),
        Generator(
            "powerlaw",
            "random graph whose degrees follow a power law",
            (_SCALE, _NODES, _edge_factor(16), _EDGES, _GAMMA, _SEED),
            "powerlaw-n{nodes}-m{edges}-g{gamma}",
            _SCALE_FREE,
            vertex_bytes=20,
            family="powerlaws",
        ),
        Generator(
            "hosts",
            "web of hosts: most links stay within a host, and sizes of hosts follow a power law",
            (
                _SCALE,
                _NODES,
                _edge_factor(16),
                _EDGES,
                _GAMMA,
                Param(
                    "hosts", int, None, "Number of hosts; one for 64 vertices if not given.", 1, MAX_NODES
                ),
                _probability("stay", 0.8, "Probability that a link stays within its host."),
                _SEED,
            ),
            "hosts-n{nodes}-m{edges}-h{hosts}",
            _SCALE_FREE,
            vertex_bytes=20,
            refusal=_no_more_than_nodes("hosts"),
        ),
        Generator(
            "joined",
            "two equal power laws joined by a path",
            (
                _SCALE,
                _NODES,
                _edge_factor(16),
                _EDGES,
                _GAMMA,
                Param("length", int, 1000, "Edges of the path between the two.", 1, MAX_NODES),
                _SEED,
            ),
            "joined-n{nodes}-m{edges}-l{length}",
            _SCALE_FREE,
            vertices=lambda values: 2 * values["nodes"] + values["length"] - 1,
            edges=lambda values: 2 * values["edges"] + values["length"],
            edge_bytes=16,
            vertex_bytes=20,
            family="powerlaws",
        ),
        Generator(
            "tailed",
            "directed power law with a long tail that ends in a sink of huge in-degree",
            (
                _SCALE,
                _NODES,
                _edge_factor(16),
                _EDGES,
                _GAMMA,
                Param("tail", int, 1000, "Vertices between the power law and the sink.", 0, MAX_NODES),
                Param(
                    "fans",
                    int,
                    1000,
                    "Vertices that link to the sink only, and that nothing reaches.",
                    0,
                    MAX_NODES,
                ),
                _SEED,
            ),
            "tailed-n{nodes}-m{edges}-t{tail}-f{fans}",
            _SCALE_FREE,
            vertices=lambda values: values["nodes"] + values["tail"] + 1 + values["fans"],
            edges=lambda values: values["edges"] + values["tail"] + 1 + values["fans"],
            edge_bytes=16,
            vertex_bytes=20,
            family="powerlaws",
        ),
    )
}
