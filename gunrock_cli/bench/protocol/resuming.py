"""The state of a long run in a file, from which another process goes on (``--resume``)."""

from __future__ import annotations

import json
import math
import os
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.files import atomic_write
from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.npz import DAMAGED, form_of, read_array
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.portions import Course, InPortions

EVERY_S = 60.0
"""The time between two writes, or longer, so that they take at most a twentieth of a run."""
_ABOUT = "about"


def identity(primitive: Primitive, graph: Graph, variant: InPortions[Any]) -> dict[str, Any]:
    """What two processes must have in common to share a run: all that its answer depends on, and the
    kernel, on which depends what is kept."""
    values = variant.options.recorded()
    asked = [each.key for each in primitive.options if each.changes_answer or each.lists_vertices]
    return {
        "primitive": primitive.name,
        "graph": [graph.hash, graph.n, graph.m, graph.undirected],
        "options": {key: values.get(key) for key in asked},
        "kernel": variant.kernel_file.stem,
        "tasks": variant.tasks,
    }


@dataclass(frozen=True)
class Finished:
    """What an interrupted run has finished: ``done`` of ``of`` tasks. ``outputs`` is their part of the
    answer, None if each value needs all, or if this process has finished none."""

    done: int
    of: int
    outputs: dict[str, Array] | None


class State:
    """The file of a run of that variant."""

    def __init__(self, path: Path, primitive: Primitive, graph: Graph, variant: InPortions[Any]) -> None:
        self._path, self._variant = path, variant
        self._about = identity(primitive, graph, variant)
        self._next = time.monotonic() + EVERY_S

    def course(self) -> Course:
        """Where to begin: as the file says, or without one at the beginning. InputError for a file of
        another run, or of none."""
        try:
            file = self._path.open("rb")
        except FileNotFoundError:
            return Course()
        except OSError as error:
            raise self._refused(f"cannot be read: {error.strerror or error}") from error
        with file:
            try:
                with zipfile.ZipFile(file) as archive:
                    size = os.fstat(file.fileno()).st_size
                    if sum(each.file_size for each in archive.infolist()) > size:  # none is packed
                        raise ValueError("the arrays claim more than the file holds")
                    return self._read(archive)
            except DAMAGED as error:
                raise self._refused("not a state that --resume has written; name another file") from error

    def _refused(self, why: str) -> InputError:
        return InputError(why, path=str(self._path))

    def _read(self, archive: zipfile.ZipFile) -> Course:
        """The file's course; one of DAMAGED if it is none of this variant."""
        about = json.loads(read_array(archive, _ABOUT).item())
        if not isinstance(about, dict):
            raise TypeError(f"{_ABOUT} is no object")
        done, ms, steps = (about.pop(key) for key in ("done", "ms", "steps"))
        if about != json.loads(json.dumps(self._about)):
            raise self._refused(
                "the state of another run, of other options or another graph; name another file"
            )
        if not (type(done) is int and 0 < done <= self._variant.tasks):
            raise ValueError(f"{done} of {self._variant.tasks} tasks are done")
        if not (type(ms) is float and 0 <= ms < math.inf and type(steps) is int and steps >= 0):
            raise ValueError(f"{steps} steps took {ms} ms")
        kept = self._variant.kept(done)
        if sorted(archive.namelist()) != sorted(f"{name}.npy" for name in (_ABOUT, *kept)):
            raise ValueError("other arrays")
        for name, array in kept.items():
            if form_of(archive, name) != (array.shape, array.dtype):
                raise ValueError(f"{name} has another shape or type")
        return Course(done, ms, steps, {name: read_array(archive, name) for name in kept})

    def note(self, course: Callable[[], Course]) -> None:
        """Write the state if it is time to."""
        begun = time.monotonic()
        if begun >= self._next:
            self.write(course())
            end = time.monotonic()
            self._next = end + max(EVERY_S, 20 * (end - begun))

    def write(self, course: Course) -> None:
        """Write the state, whole or not at all."""
        about = {**self._about, "done": course.done, "ms": course.ms, "steps": course.steps}
        arrays: dict[str, Any] = {name: to_numpy(array) for name, array in course.found.items()}
        with atomic_write(self._path) as file:
            np.savez(file, **{_ABOUT: np.array(json.dumps(about)), **arrays})
