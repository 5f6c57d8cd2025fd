"""The declaration of one option."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Option:
    """One option, as the command line, records and the Python face see it.

    ``define`` names the macro that a compile-time option sets (bools as 0/1, choices as their
    ``constants``, or their index). Options without one reach the kernel through ``Variant.members``.

    ``gunrock compare-modes`` compares the values of every bool that has a default, every option with
    choices, and every option with ``compares``, except those with ``changes_answer``."""

    name: str  # as on the command line, with dashes
    default: Any
    help: str
    kind: type = str
    choices: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """The words that a number (``kind`` int or float) takes besides numbers, such as auto."""
    define: str | None = None
    constants: tuple[str, ...] = ()
    """The kernel's names for the choices."""
    minimum: float | None = None  # inclusive, unless min_open
    maximum: float | None = None
    min_open: bool = False
    changes_answer: bool = False
    """True if it asks for a different answer, not for a different way to the same one."""
    expert: bool = False
    """True if only experts need it: help shows it last, and only with ``--help-all``."""
    lists_vertices: bool = False
    """True if its value names vertices, as text; from Python also as a list or an array."""
    takes_list: bool = False
    """True if commas belong to its value, rather than separating values for a sweep."""
    compares: tuple[Any, ...] = ()
    """The values that compare-modes runs if the option takes text or has no default."""
    panel: str = ""
    """The heading under which its values are compared; its own name if empty."""
    unset: Any = None
    """The value that a run takes in place of ``default=None``, as help shows it."""
    shared: bool = False
    """True if other systems also follow it: peers are given its value."""
    own: bool = False
    """True if it asks another question when it is set, which no other system here is asked: it is refused
    with peers."""
    limit: int | None = None
    """The kernel's number for the option (``note_limit``), if it is a limit that can end a run, or a part
    of it, early."""
    only_asked: bool = False
    """True for a second spelling, which resolved options and records do not hold."""
    python: str = ""
    """The argument that it is from Python, if not its key: there, nothing else has that name."""
    under: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Values of other options, by key, under which this option's values are compared: they let it take
    effect and leave all else equal. The user's settings take precedence."""

    @property
    def key(self) -> str:
        """The name of the field, also in records."""
        return self.name.replace("-", "_")

    @property
    def argument(self) -> str:
        """The name of the argument from Python."""
        return self.python or self.key

    @property
    def compared(self) -> tuple[Any, ...]:
        """The values that compare-modes runs; none if the option is not compared."""
        if self.changes_answer:
            return ()
        if self.compares or self.default is None:
            return self.compares
        if self.kind is bool:
            return (False, True)
        return tuple(choice for choice in self.choices if choice != "auto")
