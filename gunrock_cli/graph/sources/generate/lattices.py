"""Lattices and bands, some with hubs: vertices linked to many others."""

from __future__ import annotations

import math
from types import ModuleType

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import Array


def grid2d(xp: ModuleType, width: int, height: int) -> EdgeList:
    """The 5-point lattice: vertex y * width + x is linked to its right and lower neighbour."""
    return _lattice(xp, (height, width))


def grid3d(xp: ModuleType, width: int, height: int, depth: int) -> EdgeList:
    """The 7-point lattice: vertex (z * height + y) * width + x, linked along the three axes."""
    return _lattice(xp, (depth, height, width))


def mesh(
    xp: ModuleType, width: int, height: int, holes: float, hubs: int, hub_degree: int, seed: int
) -> EdgeList:
    """The 5-point lattice in which some vertices lost their edges, and hubs, numbered last, linked to
    many of its vertices."""
    lattice = _lattice(xp, (height, width))
    n = lattice.n + hubs
    centers = xp.arange(lattice.n, n, dtype=xp.int32)
    more = _spokes(xp, centers, hub_degree, lattice.n, seed)
    src, dst = xp.concatenate((lattice.src, more[0])), xp.concatenate((lattice.dst, more[1]))
    if holes > 0:
        word = rng.words(xp, 0, n, seed, 1)
        hole = rng.bernoulli(xp, word, holes)
        hole[lattice.n :] = False
        kept = ~(hole[src] | hole[dst])
        src, dst = src[kept], dst[kept]
    return EdgeList(n, src, dst, symmetric=True)


def banded(xp: ModuleType, nodes: int, bandwidth: int, hubs: int, hub_degree: int, seed: int) -> EdgeList:
    """A full band around the diagonal, and hubs (dense rows and columns) evenly spread over it."""
    vertex = xp.arange(nodes, dtype=xp.int32)
    centers = xp.arange(hubs, dtype=xp.int64) * nodes // max(hubs, 1)
    more = _spokes(xp, centers, hub_degree, nodes, seed)
    steps = range(1, min(bandwidth, nodes - 1) + 1)
    src = xp.concatenate([*(vertex[:-step] for step in steps), more[0]])
    dst = xp.concatenate([*(vertex[step:] for step in steps), more[1]])
    return EdgeList(nodes, src, dst, symmetric=True)


def _lattice(xp: ModuleType, shape: tuple[int, ...]) -> EdgeList:
    """Neighbours along each axis of a box, vertices in row-major order."""
    n = math.prod(shape)
    vertex = xp.arange(n, dtype=xp.int32).reshape(shape)
    src, dst = [], []
    for axis in range(len(shape)):
        near = [slice(None)] * len(shape)
        far = [slice(None)] * len(shape)
        near[axis], far[axis] = slice(None, -1), slice(1, None)
        src.append(vertex[tuple(near)].ravel())
        dst.append(vertex[tuple(far)].ravel())
    return EdgeList(n, xp.concatenate(src), xp.concatenate(dst), symmetric=True)


def _spokes(xp: ModuleType, hubs: Array, degree: int, n: int, seed: int) -> tuple[Array, Array]:
    """Edges from each hub to ``degree`` of the first n vertices, drawn with repetition: int32 each."""
    ends = rng.scaled(xp, rng.words(xp, 0, len(hubs) * degree, seed), n)
    return xp.repeat(hubs.astype(xp.int32), degree), ends.astype(xp.int32)
