"""Read the names that a kernel's source declares: C++ can tell everything about a member but its name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from gunrock_cli.errors import BackendError

LONGEST_NAME = 47
"""The limit of ``Entry::name`` in kernels/core/contract.cuh."""
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_PROBLEM = re.compile(r"^struct\s+Problem\s*\{(.*?)\n?\};", re.DOTALL | re.MULTILINE)
_MEMBER = re.compile(r"(?:const\s+)?\w+(?:\s*\*\s*|\s+)(\w+)")
_PHASES = re.compile(r"^([ \t]*)enum\s+(?:class\s+)?Phase\b[^{;]*\{([^}]*)\}", re.MULTILINE)


@dataclass(frozen=True)
class Declared:
    """The names in the order of the source."""

    members: tuple[str, ...]  # of struct Problem
    phases: tuple[str, ...]  # of enum Phase

    @classmethod
    def of(cls, path: Path) -> Declared:
        """The names in a primitive's .cuh; BackendError in one line if it cannot be read."""
        text = _COMMENT.sub("", path.read_text("utf-8"))
        found = cls(_members(text, path), _phases(text, path))
        for name in (*found.members, *found.phases):
            if len(name) > LONGEST_NAME:
                raise BackendError(
                    f"{path}: the name {name} is longer than {LONGEST_NAME} letters; "
                    "give it a shorter one"
                )
        return found

    def macros(self) -> list[str]:
        """The macros that pass them to kernels/core/entry.cuh."""
        return [name_list("GR_PROBLEM_MEMBERS", self.members), name_list("GR_PHASES", self.phases)]


def name_list(macro: str, names: tuple[str, ...]) -> str:
    """A macro that applies another to each of the names."""
    return f"#define {macro}(X) {' '.join(f'X({name})' for name in names)}".rstrip()


def _members(text: str, path: Path) -> tuple[str, ...]:
    struct = _PROBLEM.search(text)
    if struct is None:
        raise BackendError(f"{path}: no 'struct Problem {{ ... }};' with one member per line")
    names = []
    for statement in filter(None, (part.strip() for part in struct[1].split(";"))):
        match = _MEMBER.fullmatch(statement)
        if match is None:
            raise BackendError(
                f"{path}: cannot read the Problem member '{' '.join(statement.split())}'; "
                "write 'type name;' or 'type* name;'"
            )
        names.append(match[1])
    return tuple(names)


def _phases(text: str, path: Path) -> tuple[str, ...]:
    found = _PHASES.search(text)
    if found is None:
        return ()
    if found[1]:
        raise BackendError(
            f"{path}: enum Phase stands inside of another declaration; put it before struct Enactor"
        )
    names = (part.partition("=")[0].strip() for part in found[2].split(","))
    return tuple(filter(None, names))
