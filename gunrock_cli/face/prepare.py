"""A primitive made ready for one graph, for callers who run it often: each call is only a run."""

from __future__ import annotations

import os
import threading
from typing import Any

from gunrock_cli.engine.backend import choose_backend, out_of_memory_as_error
from gunrock_cli.errors import UsageError
from gunrock_cli.face.arguments import by_key, in_pythons_words
from gunrock_cli.face.dynamic import present
from gunrock_cli.face.functions import primitive_of
from gunrock_cli.face.options import LOADING, PREPARED
from gunrock_cli.face.result import Answer
from gunrock_cli.face.solve import by_their_numbers, check_names, fitted_graph, sources_of
from gunrock_cli.face.tables import Layout
from gunrock_cli.graph.arrays import module_of
from gunrock_cli.graph.model.graph import Array, array_module, moved
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.execution import execution_of
from gunrock_cli.primitives.option_values import with_defaults
from gunrock_cli.primitives.run_options import RUN_OPTIONS, RunOptions


class Prepared:
    """A compiled primitive, with its graph and its arrays in the memory where it runs.

    Called with a source, if the primitive has one, it runs once, unchecked, and returns an ``Answer``,
    whose arrays are the caller's own. Its ``ms`` may include some 10 us more than a record's, which a run
    would have to wait to avoid. Calls from several threads wait for each other. UsageError for several
    sources, or for one that the primitive does not take."""

    def __init__(self, primitive: Primitive, a: Any, given: dict[str, Any]) -> None:
        if "source" in given and primitive.source is not None:
            raise UsageError("source is not prepared: give it to each call")
        check_names(primitive, given, PREPARED)
        a = present(a)
        how = with_defaults(PREPARED, given)
        backend = choose_backend(how["backend"], how["threads"])
        own = primitive.asked(given)
        self.primitive = primitive
        with out_of_memory_as_error(f"preparing {primitive.name}"):
            self.graph = fitted_graph(primitive, a, own, how, backend)
            own = by_their_numbers(primitive, self.graph, own, given)
            run = RunOptions(
                max_steps=how["max_steps"], settles=False, **with_defaults(RUN_OPTIONS, given)
            )
            backend = backend.fitted(primitive.entries_looked_at(self.graph))
            self._execution = execution_of(primitive, self.graph, own, backend, run)
            self.options = self._execution.options
            self._program, self._problem = self._execution.program(), self._execution.problem()
        self._layout = Layout.of(primitive, self.graph, self.options)
        self._xp = module_of(a)
        self._lock = threading.Lock()

    def __call__(self, source: Any = None) -> Answer:
        primitive, start = self.primitive, self._start(source)
        with self._lock, out_of_memory_as_error(f"{primitive.name} on {self.graph.name}"):
            run = self._execution.run(self._program, self._problem, start)
            found = self._execution.outputs(self._problem)
            outputs = {name: self._own(array) for name, array in found.items()}
        return Answer(
            outputs,
            self._layout,
            primitive.name,
            run.ms,
            run.steps,
            tuple(primitive.takes.limits_of(run.limits)),
        )

    def __repr__(self) -> str:
        return f"<{self.primitive.name}, prepared for {self.graph.name}>"

    def _start(self, source: Any) -> int:
        found = sources_of(self.primitive, self.graph, self.options, 0 if source is None else source)
        if len(found) > 1:
            raise UsageError(f"a prepared {self.primitive.name} starts from one source: call it for each")
        if not found and source is not None:
            raise UsageError(f"{self.primitive.name} starts from no source")
        return found[0] if found else 0

    def _own(self, array: Array) -> Array:
        """Return the array as the caller's own: a copy if the next run may write into its memory; an
        array made for this answer alone is returned as it is."""
        if array_module(array) is not self._xp:
            return moved(array, self._xp)
        is_fresh = (
            isinstance(self._problem, dict)
            and array.base is None
            and all(array is not each for each in self._problem.values())
        )
        return array if is_fresh else array.copy()


def prepare(primitive: str | os.PathLike[str] | Primitive, A: Any, **how: Any) -> Prepared:
    """Make a primitive (its name, its FILE.py or itself) ready for A.

    After ``search = prepare("bfs", graph)``, each ``search(source)`` is only a run: no record is made,
    and nothing is checked. The primitive's own options and those of where to run hold for all runs.
    Raises one-line errors.GunrockError, also if memory is too small."""
    known = primitive_of(primitive)
    how = by_key(known.options, how)
    with in_pythons_words((*known.options, *PREPARED, *LOADING), how):
        return Prepared(known, A, how)
