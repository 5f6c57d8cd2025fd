"""Rows of drawn edges on the GPU, in passes over slices of the vertices (``cuda/slices.cu``).

Besides the graph there must be room for one slice's keys, and for sorting them: slices are cut so that
both together take a fixed share of the graph's memory.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.model.graph import Array, Csr, Tally, offset_dtype, to_numpy
from gunrock_cli.graph.model.memory import available_device_bytes, release_unused
from gunrock_cli.graph.rows.drawing import Drawing, Piece, Window, bucket_shift, buckets_of, struct
from gunrock_cli.graph.rows.layout import Layout

if TYPE_CHECKING:
    from gunrock_cli.toolchain.code import Code

CLEANING = np.dtype(
    [
        ("both", np.int32),
        ("keep_loops", np.int32),
        ("turned", np.int32),
        ("low", np.uint32),
        ("width", np.uint32),
    ]
)
BLOCK, _KEYS_A_THREAD = 256, 8
"""The constants of ``slices.cu``."""
_BLOCKS_PER_PROCESSOR = 16
_SHARE = 0.3
"""The memory of a slice's keys and of sorting them, together, as a share of the graph's."""
_KEY_BYTES = 16
SMALL = 1 << 22
"""So few keys are never worth a second slice."""
_MOST = 2**30
"""Keys that CuPy can surely sort."""


def source() -> str:
    """The text of the kernels."""
    folder = Path(__file__).parent
    return "\n".join((folder / path).read_text("utf-8") for path in ("cpp/draw.hpp", "cuda/slices.cu"))


def rows_from_drawing(
    drawing: Drawing,
    *,
    both_directions: bool,
    keep_self_loops: bool,
    keep_duplicates: bool,
    turned: bool,
    name: str,
    report: Callable[[float], None],
    piece: Piece | None = None,
) -> Csr:
    """Make the rows of ``native.rows_from_drawing`` in the current GPU's memory."""
    import cupy

    window = drawing.whole if piece is None else piece.window
    work = _Slices(
        drawing, _cleaning(window, both_directions, keep_self_loops, turned), keep_duplicates, name
    )
    kept = (both_directions, keep_self_loops, keep_duplicates)
    most = drawing.expected(*kept) if piece is None else drawing.expected_of(piece.keys, *kept)
    starts, shift = work.count(window)
    columns = cupy.empty(min(int(starts[-1]), most), np.int32)
    degrees = cupy.zeros(window.rows + 1, np.uint64)  # row v's degree is at v + 1
    slices = list(
        Layout(
            shift,
            len(starts) - 1,
            np.dtype(np.uint64),
            len(starts),
            _keys_at_a_time(columns.nbytes + degrees.nbytes),
        ).passes(starts)
    )
    keys = cupy.empty(max((int(starts[b] - starts[a]) for a, b in slices), default=0), np.uint64)
    m = 0
    for done, (first, last) in enumerate(slices):
        report((1 + done) / (1 + len(slices)))
        begin, end = first << shift, min(last << shift, window.rows)
        held = keys[: int(starts[last] - starts[first])]
        if not len(held):
            continue
        work.keep(window.first + begin, end - begin, held)
        held.sort()
        columns, m = work.write(held, columns, m, degrees[begin + 1 :])
        release_unused(cupy)  # memory from sorting: the next slice needs another size
    del keys
    if m < 0.9 * len(columns):
        columns = columns[:m].copy()
    offsets = cupy.cumsum(degrees.view(np.int64))
    del degrees
    return Csr(
        offsets.astype(offset_dtype(cupy, m), copy=False),
        columns[:m],
        made_of=Tally(drawing.edges, int(starts[-1]), keep_self_loops, keep_duplicates),
    )


def tally_of_drawing(
    drawing: Drawing,
    window: Window,
    shift: int,
    *,
    both_directions: bool,
    keep_self_loops: bool,
    turned: bool,
) -> Array:
    """Count as ``native.tally_of_drawing`` does, in the current GPU's memory."""
    import cupy

    clean = _cleaning(window, both_directions, keep_self_loops, turned)
    return _Slices(drawing, clean, True, "edges").tally(window, shift).view(cupy.int64)


def _cleaning(window: Window, both: bool, loops: bool, turned: bool) -> np.ndarray[Any, Any]:
    return struct(
        CLEANING,
        both=both,
        keep_loops=loops,
        turned=turned,
        low=window.low,
        width=window.high - window.low,
    )


def _keys_at_a_time(graph: int) -> int:
    """The number of keys that a slice may have next to a graph of ``graph`` bytes, which already has its
    memory."""
    wanted = max(SMALL, int(_SHARE * graph) // _KEY_BYTES)
    return max(1, min(wanted, _MOST, available_device_bytes() // (_KEY_BYTES + 1)))


class _Slices:
    """Launches the kernels for one recipe."""

    def __init__(
        self, drawing: Drawing, clean: np.ndarray[Any, Any], keep_duplicates: bool, name: str
    ) -> None:
        import cupy

        self._cupy = cupy
        self._drawing, self._clean, self._name = drawing, clean, name
        self._keep_duplicates = np.int32(keep_duplicates)
        processors = cupy.cuda.Device().attributes["MultiProcessorCount"]
        self._grid = max(1, min(-(-drawing.edges // BLOCK), processors * _BLOCKS_PER_PROCESSOR))

    def count(self, window: Window) -> tuple[np.ndarray[Any, Any], int]:
        """The place where each bucket's keys begin, and the rows in a bucket as a power of two."""
        shift = bucket_shift(window.rows)
        counts = to_numpy(self.tally(window, shift))
        return np.concatenate(([0], np.cumsum(counts.astype(np.int64)))), shift

    def tally(self, window: Window, shift: int) -> Array:
        """The number of keys in each bucket of a window's rows."""
        counts = self._cupy.zeros(buckets_of(window, shift), np.uint64)
        self._draw("count", np.uint32(window.first), np.uint32(window.rows), np.int32(shift), counts)
        return counts

    def keep(self, first: int, rows: int, keys: Array) -> None:
        """Fill ``keys`` with the keys of the given rows."""
        tail = self._cupy.zeros(1, np.uint64)
        self._draw("keep", np.uint32(first), np.uint32(rows), keys, np.int64(len(keys)), tail)
        if int(tail[0]) != len(keys):
            raise GunrockError(
                f"{self._name}: {int(tail[0])} edges were drawn where {len(keys)} had "
                "been counted: the GPU's memory, or this program, is at fault"
            )

    def write(self, keys: Array, columns: Array, m: int, degrees: Array) -> tuple[Array, int]:
        """Append the columns of sorted keys to the first m, and count those of each row. Returns all
        columns, in new memory if there was too little, and their number."""
        blocks = -(-len(keys) // (BLOCK * _KEYS_A_THREAD))
        kept = self._cupy.empty(blocks, np.int64)
        arguments = (keys, np.int64(len(keys)), self._keep_duplicates)
        _module().get_function("gr_count_kept")((blocks,), (BLOCK,), (*arguments, kept))
        kept = self._cupy.cumsum(kept)
        more = int(kept[-1])
        if m + more > len(columns):  # very bad luck
            grown = self._cupy.empty(m + more + m // 16, np.int32)
            grown[:m] = columns[:m]
            columns = grown
        _module().get_function("gr_write_kept")(
            (blocks,), (BLOCK,), (*arguments, kept, columns[m:], degrees)
        )
        return columns, m + more

    def _draw(self, step: str, *arguments: Any) -> None:
        kernel = _module().get_function(f"gr_{step}_{self._drawing.struct}")
        kernel(
            (self._grid,),
            (BLOCK,),
            (self._drawing.recipe, self._clean, np.int64(self._drawing.edges), *arguments),
        )


def _module() -> Any:
    import cupy

    return _module_of(int(cupy.cuda.Device().id))


@cache
def _module_of(device: int) -> Any:
    """The compiled module of one device: a module cannot be used on another."""
    import cupy

    arch = int(cupy.cuda.Device(device).compute_capability)
    return code(arch).load(lambda path: cupy.RawModule(path=str(path))).code


def code(arch: int) -> Code:
    """The kernels' code for a compute capability."""
    from gunrock_cli.toolchain.code import text_key
    from gunrock_cli.toolchain.nvrtc import gpu_code

    text = source()
    return gpu_code("what draws edges", text_key("slices", text), text, "slices.cu", arch)
