"""Compiling a primitive's kernels without a GPU or a graph."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.engine.backend import engine_macros, entry_bytes
from gunrock_cli.engine.contract import SYMBOL, Contract
from gunrock_cli.engine.tuning import tune
from gunrock_cli.errors import BackendError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.on_gpu import as_on_gpu
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.compile import macros
from gunrock_cli.primitives.resolve import planned, planned_in_parts
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.toolchain import host_compiler, nvrtc
from gunrock_cli.toolchain.architectures import architecture
from gunrock_cli.toolchain.machine_code import KernelCode, gpu_kernels, host_code, variable
from gunrock_cli.toolchain.unit import Unit

HOST = "host"
"""The architecture that stands for this machine's processor and the cpu backend."""


@dataclass(frozen=True)
class Code:
    """A primitive's compiled code."""

    kernels: list[KernelCode]
    contract: Contract


def compile_for(
    arch: int | str, unit: Unit, constants: Mapping[str, int] | None = None, flags: tuple[str, ...] = ()
) -> Code:
    """Compile for a compute capability or for ``HOST``, with the compiler's ``flags`` besides the usual
    ones; BackendError with the compiler's words if it refuses, or if kernel and Python disagree."""
    if arch == HOST:
        with tempfile.TemporaryDirectory(prefix="gunrock-") as folder:
            target = Path(folder) / "unit.so"
            host_compiler.compile_shared(unit.text, unit.path, target, *flags)
            binary = target.read_bytes()
        kernels = host_code(binary)
    else:
        binary, log = nvrtc.compile_verbosely(unit, int(arch), *map(str.encode, flags))
        kernels = gpu_kernels(binary, log)
    contract = Contract(variable(binary, SYMBOL), unit.path.name)
    contract.check_complete()
    contract.check_constants(constants or {}, unit.path.stem)
    if arch != HOST:
        _check_shared(contract, int(arch))
    return Code(kernels, contract)


def _check_shared(contract: Contract, arch: int) -> None:
    """Check the shared memory of a launch, which the compiler does not know."""
    needed, room = contract.size("BlockShared"), architecture(arch).shared
    if needed > room:
        raise BackendError(
            f"{contract.kernel}: a block needs {needed} bytes of shared memory, and "
            f"sm_{arch} has {room}; use fewer threads or smaller queues"
        )


def kernel_unit(
    primitive: Primitive,
    arch: int | str,
    options: Mapping[str, Any] | None = None,
    run: RunOptions | None = None,
    more: Mapping[str, str | int] | None = None,
    graph: Graph | None = None,
    second: bool = False,
) -> Unit:
    """The kernel as it would be compiled for a small graph (or ``graph``), these options (unresolved,
    defaults for the rest) and a GPU of that compute capability. ``more`` are macros that take precedence;
    ``second`` asks for the kernel to which the first may leave a run, if there is one."""
    run, more = run or RunOptions(), more or {}
    if graph is None:
        graph = small_graph(primitive, options)
        if arch != HOST and run.of_advance:
            graph = as_on_gpu(graph)  # more options leave an advance there than on cores
    plan = planned_in_parts if run.several else planned
    variant = plan(primitive, graph, primitive.asked(options or {}), run)
    other = variant.successor
    relays = other is not None
    if second and other is not None:
        variant = other
    own = macros(primitive, variant, run, relays)
    found = engine_macros(graph, run.settings, {**own, **more})
    if arch != HOST:
        device = architecture(int(arch))
        shape = tune(
            device.shared,
            *entry_bytes(found),
            device.threads,
            variant.launch,
            bool(found["GR_CULL_WARP_HASH"]),
        )
        found = {**found, **shape.defines(), **more}
    return Unit.of(variant.kernel_file, found, variant.constants)


def small_graph(primitive: Primitive, options: Mapping[str, Any] | None = None) -> Graph:
    """A path of three vertices, with weights if these options (unresolved) need them."""
    ends = np.array([0, 1], np.int32)
    graph = build_graph(
        3,
        ends,
        ends + 1,
        None,
        undirected=True,
        keep_self_loops=False,
        keep_duplicates=False,
        name="small",
        origin={},
        xp=np,
    )
    weighted = primitive.reads_weights(primitive.asked(options or {}))
    return with_weights(graph, "random:1:64") if weighted else graph
