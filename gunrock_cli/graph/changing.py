"""A graph whose edges are inserted and deleted in batches.

Each batch is merged into new rows, in time proportional to the graph's memory; whoever holds the graph of
before keeps it as it was. The last batches are remembered, so that an answer for an earlier state can be
brought up to date (``after``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import ModuleType
from typing import Any

import numpy as np
import xxhash

from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.arrays import raw_edge_arrays
from gunrock_cli.graph.model.change import Change, Updated
from gunrock_cli.graph.model.graph import Array, Csr, Graph, array_module, moved, to_numpy
from gunrock_cli.graph.model.memory import require_memory
from gunrock_cli.graph.rows.build import in_edges
from gunrock_cli.graph.rows.merge import merged, places_of
from gunrock_cli.graph.sources.files.readers.columns import unfit_weights

_PER_VERTEX, _PER_CHANGE, _MERGING = 24, 32, 8
"""Bytes of memory at the peak of merging, besides the new rows' entries: per vertex of each side offsets
and lengths; per change of each side where it belongs; per edge masks, and a copy of what stays."""


@dataclass(frozen=True)
class Version:
    """A state of a changing graph: the graph's own token, and the number of batches until then."""

    of: object
    number: int


@dataclass(frozen=True)
class Applied:
    """What a batch did, in edges (both directions of an undirected one count once): put in, given
    another weight, found there already, taken out, and not found when they were to be taken out."""

    inserted: int = 0
    reweighted: int = 0
    present: int = 0
    deleted: int = 0
    missing: int = 0


class ChangingGraph:
    """The graph as it is now (``graph``), and how it came to be so. UsageError for a graph that holds an
    edge more than once."""

    def __init__(self, graph: Graph) -> None:
        if graph.csr.repeats:
            raise UsageError(f"{graph.name} repeats edges, and a graph that changes has each edge once")
        if graph.reverse is None:
            graph = replace(graph, reverse=in_edges(graph.csr))
        self._graph = graph
        self._token = object()
        self._number = 0
        self._log: list[Change] = []  # of the last batches

    @property
    def graph(self) -> Graph:
        """The graph as it is now; later batches do not change it."""
        return self._graph

    @property
    def version(self) -> Version:
        """The present state."""
        return Version(self._token, self._number)

    def __repr__(self) -> str:
        return f"{self._graph!r}, after {self._number} batches"

    def insert(self, u: Any, v: Any, weights: Any = None) -> Applied:
        """Insert the edges from ``u[i]`` to ``v[i]``, arrays of integers of one shape (b,); of an
        undirected graph, both directions. ``weights``, of shape (b,), are 1 unless given. An edge that is
        there gets the new weight; of equal edges the last counts. A vertex beyond the last makes the
        graph grow. Returns counts of what was done; one-line InputError or UsageError otherwise."""
        return self.apply(u, v, weights, True)

    def delete(self, u: Any, v: Any) -> Applied:
        """Delete the edges from ``u[i]`` to ``v[i]``; of an undirected graph, both directions. An edge
        that is not there is left out and counted (``missing``). Vertices stay."""
        return self.apply(u, v, None, False)

    def apply(self, u: Any, v: Any, weights: Any, inserts: Any) -> Applied:
        """Insert or delete edges in one batch: ``inserts`` is True or False, or an array of shape (b,).
        What the batch says last about an edge counts."""
        keys, inserted, values = self._batch(u, v, weights, inserts)
        graph, xp = self._graph, self._graph.xp
        src, dst = _ends(keys)
        at, was = places_of(graph.csr, src, dst)
        once = src <= dst if graph.undirected else xp.ones(len(src), bool)
        known = was & inserted
        old, changed = None, xp.zeros(len(src), bool)
        if graph.csr.values is not None and graph.m:
            old = xp.where(was, graph.csr.values[xp.minimum(at, graph.m - 1)], values)
            changed = known & (old != values)
        elif graph.csr.values is not None:
            old = values
        counts = [inserted & ~was, changed, known & ~changed, was & ~inserted, ~was & ~inserted]
        done = Applied(*(int((each & once).sum()) for each in counts))
        differs = (was != inserted) | changed
        change = Change(keys, was, inserted, old, values).where(differs)
        if len(change):
            self._take(change, at[differs])
        return done

    def after(self, version: Version, outputs: Mapping[str, Array]) -> Graph:
        """The present graph with an answer for an earlier state; without it if the changes since then
        are no longer remembered: the last batch is, and others while they change no more edges than there
        are. UsageError for another graph's answer."""
        if version.of is not self._token:
            raise UsageError("previous is the answer of another graph; give one of this graph's")
        batches = self._number - version.number
        if batches > len(self._log):
            return self._graph
        graph, since = self._graph, self._log[len(self._log) - batches :]
        change = _none(graph) if not since else since[0]
        for each in since[1:]:
            change = change.then(each)
        known = {field.name: getattr(graph, field.name) for field in fields(graph)}
        known["origin"] = {**graph.origin, "changes_since_answer": len(change)}
        before = {name: moved(array, graph.xp) for name, array in outputs.items()}
        return Updated(**known, change=change, before=before)

    def _batch(self, u: Any, v: Any, weights: Any, inserts: Any) -> tuple[Array, Array, Array | None]:
        """Ascending keys of a batch's directed edges, for each True if it is to be there, and weights."""
        graph, xp = self._graph, self._graph.xp
        given = (u, v) if weights is None else (u, v, weights)
        (src, dst), values = raw_edge_arrays(given, True, graph.name)
        src, dst = moved(src, xp), moved(dst, xp)
        inserted = _truths(xp, inserts, len(src))
        weights = self._fitting(values, len(src))
        most = max((int(array.max()) + 1 for array in (src, dst) if len(array)), default=0)
        if most > graph.n and (graph.names is not None or graph.vertex_weights is not None):
            what = "names" if graph.names is not None else "weights"
            raise UsageError(
                f"vertex {most - 1} is new, and the vertices of {graph.name} have {what}: only edges "
                f"between its vertices 0 to {graph.n - 1} can change"
            )
        if graph.undirected:  # edge by edge, as the last of equal ones counts
            src, dst = (xp.stack(pair, axis=1).ravel() for pair in ((src, dst), (dst, src)))
            inserted = xp.repeat(inserted, 2)
            weights = None if weights is None else xp.repeat(weights, 2)
        keys = (src.astype(np.int64) << 32) | dst
        order = xp.argsort(keys, kind="stable")
        keys = keys[order]
        last = xp.ones(len(keys), bool)
        last[:-1] = keys[1:] != keys[:-1]
        order = order[last]
        return keys[last], inserted[order], None if weights is None else weights[order]

    def _fitting(self, values: Array | None, count: int) -> Array | None:
        """A batch's weights in the graph's own type: whole ones never become floats on the way."""
        graph, own = self._graph, self._graph.csr.values
        if own is None:
            if values is not None:
                raise UsageError(f"{graph.name} has no weights: leave those of new edges out")
            return None
        if values is None:
            return graph.xp.ones(count, own.dtype)
        place = unfit_weights(to_numpy(values), str(own.dtype))
        if place is not None:
            raise InputError(
                f"a new edge weighs {values[place]}, which is no {own.dtype}, the type of the weights "
                f"of {graph.name}"
            )
        return moved(values, graph.xp).astype(own.dtype) + 0  # a negative zero becomes a zero

    def _take(self, change: Change, at: Array) -> None:
        """Take over a change, whose edges are or belong at the places ``at`` of the rows."""
        graph = self._graph
        most = int((_ends(change.keys)[0]).max())
        if not graph.undirected:
            most = max(most, int(_ends(change.keys)[1].max()))
        n, sides = max(graph.n, most + 1), 1 if graph.undirected else 2
        added = int((change.now & ~change.was).sum())
        entry = 4 if graph.csr.values is None else 8
        require_memory(
            graph.xp,
            sides * (_PER_VERTEX * n + _PER_CHANGE * len(change))
            + (sides * entry + _MERGING) * (graph.m + added),
            f"{graph.name} after a batch: rows of {n} vertices and {graph.m + added} edges",
        )
        csr = _changed(graph.csr, n, change, at)
        reverse = csr
        if not graph.undirected:
            assert graph.reverse is not None
            turned = _turned(change)
            reverse = _changed(graph.reverse, n, turned, places_of(graph.reverse, *_ends(turned.keys))[0])
        self._number += 1
        self._graph = replace(
            graph,
            csr=csr,
            reverse=reverse,
            hash=_hash_after(graph.hash, change),
            origin={**graph.origin, "batches": self._number},
            changes=None,
        )
        self._log.append(change)
        while len(self._log) > 1 and sum(map(len, self._log)) > csr.m:
            del self._log[0]


def _truths(xp: ModuleType, given: Any, count: int) -> Array:
    """A truth value for each of a batch's edges."""
    try:
        return xp.broadcast_to(xp.asarray(given, dtype=bool), (count,))
    except (ValueError, TypeError):
        raise InputError(
            f"inserts: give True or False, or an array with one for each of the {count} edges"
        ) from None


def _turned(change: Change) -> Change:
    """The change as rows of in-edges see it."""
    src, dst = _ends(change.keys)
    keys = (dst.astype(np.int64) << 32) | src
    order = array_module(keys).argsort(keys)
    return replace(change.where(order), keys=keys[order])


def _changed(csr: Csr, n: int, change: Change, at: Array) -> Csr:
    """The ``n`` rows after a change, whose edges are or belong at the places ``at``."""
    src, dst = _ends(change.keys)
    gone, new = change.was & ~change.now, change.now & ~change.was
    weights = change.new
    found = merged(
        csr, n, at[gone], at[new], src[new], dst[new], None if weights is None else weights[new]
    )
    again = change.was & change.now
    if found.values is not None and weights is not None and bool(again.any()):
        places, _ = places_of(found, src[again], dst[again])
        found.values[places] = weights[again]
    return found


def _ends(keys: Array) -> tuple[Array, Array]:
    """The sources and the targets of keys, int32."""
    return (keys >> 32).astype(np.int32), keys.astype(np.int32)


def _none(graph: Graph) -> Change:
    """No difference."""
    xp, values = graph.xp, graph.csr.values
    weights = None if values is None else values[:0]
    return Change(xp.empty(0, np.int64), xp.empty(0, bool), xp.empty(0, bool), weights, weights)


def _hash_after(before: str, change: Change) -> str:
    """The identity of a graph after a change, from the identity before it."""
    digest = xxhash.xxh3_128(f"gunrock change of {before}\n".encode())
    for array in (change.keys, change.now, change.new):
        if array is not None:
            digest.update(np.ascontiguousarray(to_numpy(array)).view(np.uint8).data)
    return digest.hexdigest()
