"""Lattices of any dimension."""

from __future__ import annotations

import math
from types import ModuleType

from gunrock_cli.graph.model.edges import EdgeList


def lattice_edges(xp: ModuleType, shape: tuple[int, ...]) -> EdgeList:
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
