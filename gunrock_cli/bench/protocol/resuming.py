"""The state of a long run in a file, from which another process goes on (``--resume``)."""

from __future__ import annotations

import json
import time
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.files import atomic_write
from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.portions import Course

EVERY_S = 60.0
"""The time between two writes, or longer, so that they take at most a twentieth of a run."""
_ABOUT = "about"


def identity(primitive: Primitive, graph: Graph, options: Options, tasks: int) -> dict[str, Any]:
    """What two processes must have in common to share a run: all that its answer depends on."""
    values = options.recorded()
    asked = [each.key for each in primitive.options if each.changes_answer or each.lists_vertices]
    return {
        "primitive": primitive.name,
        "graph": [graph.hash, graph.n, graph.m, graph.undirected],
        "options": {key: values.get(key) for key in asked},
        "tasks": tasks,
    }


@dataclass(frozen=True)
class Finished:
    """What an interrupted run has finished: ``done`` of ``of`` tasks. ``outputs`` is their part of the
    answer, None if each value needs all."""

    done: int
    of: int
    outputs: dict[str, Array] | None


class State:
    """The file of a run of that identity."""

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        self._path, self._about = path, about
        self._next = time.monotonic() + EVERY_S

    def course(self) -> Course:
        """Where to begin: as the file says, or without one at the beginning. InputError for a file of
        another run, or of none."""
        if not self._path.exists():
            return Course()
        try:
            with np.load(self._path, allow_pickle=False) as file:
                found = {name: file[name] for name in file.files}
            about = json.loads(str(found.pop(_ABOUT)))
            course = Course(about.pop("done"), about.pop("ms"), about.pop("steps"), found)
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
            raise InputError("not a state that --resume has written", path=str(self._path)) from error
        if about != json.loads(json.dumps(self._about)):
            raise InputError(
                "the state of another run, of other options or another graph; name another file",
                path=str(self._path),
            )
        return course

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
