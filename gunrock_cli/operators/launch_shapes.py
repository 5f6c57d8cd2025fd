"""Launch shapes by a kernel's main work (ids: docs/decisions)."""

from __future__ import annotations

from gunrock_cli.engine.tuning import Tuning

WHOLE_GRAPH = Tuning(256, 2, 6, 256, 256)
"""Passes over the whole graph: as many loads in flight as the multiprocessor allows."""
WALKS = Tuning(640, 2, 2, 256, 256)
"""Passes that follow pointers: fewer blocks come to the barrier, and registers for a walk's values
[D-halve-1]."""
GATHER = Tuning(512, 2, 2, 256, 256)
"""Passes with a barrier every few tens of microseconds: fewer blocks to wait for [D-shape-1,
D-graft-1]."""
GATHER_FROM_HUBS = Tuning(896, 2, 1, 256, 256)
"""Sums over millions of entries, many of them of hubs: one table of hubs' values on a multiprocessor, not
two [D-shape-1]."""
ROWS = Tuning(256, 2, 2, 256, 256)
"""Rows of values: every eight lanes keep eight of them in flight, in registers [D-rows-2]."""
FOREST = Tuning(256, 2, 5, 256, 256)
"""Passes over the whole graph, with registers for the weights that are loaded with entries [D-shape-2];
also components on several devices, if the graph fits the cache."""
NEXT_TO = Tuning(256, 2, 4, 256, 256)
"""Passes in which each vertex looks at several neighbours: registers for them [D-cc-6]."""
LEVELS = Tuning(512, 3, 1, 1024, 1024)
"""Levels of a search, pushed or pulled as suits: a lone block's queues hold all they may, and the rest of
shared memory goes to the cache [D-levels-1]."""
SETTLE = Tuning(512, 2, 3, 256, 256)
"""Vertices that wait for each other: latency-bound, hence many threads [D-settle-1]."""
SETTLE_ALONE = Tuning(640, 2, 2, 256, 256)
"""Vertices that wait for each other, with one thread per list: registers for four waits at once
[D-settle-2]."""
RANKED = Tuning(512, 2, 2, 256, 256)
"""Vertices that wait for each other, each with notes in shared memory, which two blocks fill
[D-number-1]."""
SETTLE_SHARED = Tuning(512, 2, 4, 256, 256)
"""Vertices that wait for each other, with several threads per list: even more threads, at the price of
some registers [D-settle-1]."""
INTERSECT = Tuning(512, 2, 2, 256, 256)
"""Lists streamed past marks in shared memory, which two blocks fill."""
CASCADE = Tuning(512, 4, 2, 256, 256)
"""Blocks that follow what they find: room for it in shared memory, and blocks to share it."""
AHEAD_SHORT = Tuning(128, 2, 4, 256, 256)
"""Blocks that run ahead of each other if lists are short and only latency counts: small blocks
[D-ahead-5]."""
AHEAD_SHORT_WEIGHTED = Tuning(128, 2, 6, 256, 256)
"""Blocks that run ahead on short lists with weights, where a step waits for the slowest block: more of
them [D-ahead-10]."""
AHEAD_UNEVEN = Tuning(512, 2, 1, 256, 256)
"""Blocks that run ahead on short lists of uneven length: fewer blocks, each of which sees more of a
frontier, so that less is found by a longer way first [D-ahead-10]."""
AHEAD_UNEVEN_WEIGHTED = Tuning(256, 2, 3, 256, 256)
"""Blocks that run ahead on uneven lists with weights: a longer way may still turn out to be the shorter
one."""
AHEAD_LONG = Tuning(1024, 2, 1, 256, 256)
"""Blocks that run ahead on longer lists: large blocks with more loads in flight [D-ahead-5]."""
BY_KEY = Tuning(256, 8, 2, 256, 256)
"""Sums by key: registers for the entries of short lists (with three blocks they spill), and a block's
share of shared memory for its warps' tables."""
COUNT_KEYS = Tuning(256, 8, 4, 256, 256)
"""Numbers of equal keys: fewer registers than for sums, so more warps, as a list's loads wait for each
other."""
IN_ORDER = Tuning(256, 2, 4, 256, 256)
"""Vertices one after the other: blocks that wait, many at once, with registers for the values that they
hold [D-order-1]."""
CLASSED = Tuning(512, 2, 3, 256, 256)
"""Vertices one class after the other, without tickets to draw [D-classes-1]."""
EDGE_QUEUE = Tuning(256, 4, 4, 256, 256)
"""Tiles of a queue of edges: several blocks, as each waits for a few loads at a time."""
SOURCES = Tuning(256, 2, 4, 256, 256)
"""Blocks with one search each: small ones, so that many searches are in flight [D-sources-1]."""
SHARED_ROWS = Tuning(512, 2, 1, 256, 256)
"""Rows of bits: registers for the rows that are in flight, hence few threads."""
