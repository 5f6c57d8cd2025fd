"""Reading the file that describes a peer: anything that differs from docs/peers.md is an InputError."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gunrock_cli.errors import UsageError
from gunrock_cli.peers.commands.description import (
    ANSWER_TYPES,
    COUNTED,
    DEFAULT_TIMEOUT,
    MS_PER_UNIT,
    Description,
    FileAnswer,
    OwnCheck,
    PrintedAnswer,
    Program,
    TimeRule,
    placeholders,
)
from gunrock_cli.peers.commands.fitting import check_fits
from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.tomlfile import TomlChecker, read_toml

_FILE = {"name", "title", "primitive", "version", "backend", "built", "wrong"}
_PROGRAM = {
    "command",
    "format",
    "time",
    "answer",
    "check",
    "clock",
    "timeout",
    "env",
    "fixed",
    "iterations",
    "undirected",
}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,39}")
_PRIMITIVE = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RESERVED = ("all", "gunrock")
_MOST_DROPPED = 1000
_LONGEST_PATTERN = 500


def read(path: Path) -> Description:
    """Read the whole file; one-line InputError for any mistake. Its statements about primitives that ship
    are checked against them."""
    found = _Checker(path).file(read_toml(path))
    for name, program in found.programs.items():
        if name in primitive_names():
            try:
                check_fits(program, get_primitive(name))
            except UsageError as error:
                _Checker(path).refuse(name, str(error))
    return found


class _Checker(TomlChecker):
    """Converts TOML's values to a Description, or says where the file differs."""

    def file(self, data: Mapping[str, Any]) -> Description:
        self.known(data, _FILE | _PROGRAM, "the file")
        for key in ("name", "primitive"):
            if key not in data:
                self.refuse("the file", f"needs {key}", colon=False)
        name = self.text(data["name"], "name")
        if not _NAME.fullmatch(name) or name in _RESERVED:
            self.refuse(
                "name",
                f"{name!r} cannot be a peer's: letters, digits and . _ + -, at most 40, "
                f"and not {' or '.join(_RESERVED)}",
            )
        backend = self.one_of(data.get("backend", "cpu"), ("cpu", "cuda"), "backend")
        return Description(
            name,
            self.path,
            self.programs(data),
            self.optional(data, "title") or name,
            self.optional(data, "version"),
            backend,
            self.optional(data, "built"),
            self.optional(data, "wrong"),
        )

    def programs(self, data: Mapping[str, Any]) -> dict[str, Program]:
        """One program per primitive: a single name's, or one per section, with the file's common values
        as defaults."""
        shared = {key: value for key, value in data.items() if key in _PROGRAM}
        sections = data["primitive"]
        if not isinstance(sections, dict):
            name = self.primitive(self.text(sections, "primitive"))
            return {name: self.program(name, shared, "")}
        if not sections:
            self.refuse("primitive", "must be a name or a section per primitive: [primitive.bfs]")
        found = {}
        for name, section in sections.items():
            where = f"primitive.{self.primitive(name)}"
            if not isinstance(section, dict):
                self.refuse(where, "must be a section")
            self.known(section, _PROGRAM, where)
            joined = {**shared, **section}
            if isinstance(shared.get("env"), dict) and isinstance(section.get("env"), dict):
                joined["env"] = {**shared["env"], **section["env"]}
            found[name] = self.program(name, joined, f"{where}: ")
        return found

    def program(self, name: str, data: Mapping[str, Any], where: str) -> Program:
        for key in ("command", "format", "time"):
            if key not in data:
                self.refuse(where + key, "is missing", colon=False)
        command = self.command(data["command"], f"{where}command")
        answer = self.answer(name, data["answer"], f"{where}answer") if "answer" in data else None
        if isinstance(answer, FileAnswer) and "check" in data:
            self.refuse(f"{where}check", "is of no use where the whole answer is checked here")
        return Program(
            name,
            command,
            self.text(data["format"], f"{where}format"),
            self.time(data["time"], f"{where}time"),
            answer,
            self.own_check(data["check"], command, f"{where}check") if "check" in data else None,
            self.text(data.get("clock", Program.clock), f"{where}clock"),
            self.seconds(data, where) or DEFAULT_TIMEOUT,
            self.environment(data, where),
            self.table(data, "fixed", where, self.scalar),
            self.pattern(data["iterations"], f"{where}iterations") if "iterations" in data else None,
            self.boolean(data.get("undirected", False), f"{where}undirected"),
        )

    def command(self, value: Any, where: str) -> tuple[str, ...]:
        words = tuple(self.filling(word, where) for word in self.values(value, where, self.argument))
        if not words[0] or placeholders(words[0]):
            self.refuse(where, "must begin with the program's name")
        return words

    def argument(self, value: Any, where: str) -> str:
        return self.text(value, where) if value != "" else ""

    def filling(self, text: str, where: str) -> str:
        try:
            placeholders(text)
        except ValueError as error:
            self.refuse(where, str(error))
        return text

    def environment(self, data: Mapping[str, Any], where: str) -> dict[str, str]:
        found = self.table(
            data, "env", where, lambda value, place: self.filling(self.argument(value, place), place)
        )
        for name in found:
            if not _VARIABLE.fullmatch(name):
                self.refuse(f"{where}env", f"{name!r} is not the name of a variable")
        return found

    def time(self, value: Any, where: str) -> TimeRule:
        table = self.inner(value, {"pattern", "unit", "drop"}, ("pattern", "unit"), where)
        drop = table.get("drop", 0)
        if isinstance(drop, bool) or not isinstance(drop, int) or not 0 <= drop <= _MOST_DROPPED:
            self.refuse(f"{where}.drop", f"must be a whole number from 0 to {_MOST_DROPPED}")
        return TimeRule(
            self.pattern(table["pattern"], f"{where}.pattern"),
            self.one_of(table["unit"], tuple(MS_PER_UNIT), f"{where}.unit"),
            drop,
        )

    def answer(self, name: str, value: Any, where: str) -> FileAnswer | PrintedAnswer:
        if isinstance(value, dict) and "pattern" in value:
            table = self.inner(value, {"pattern", "is"}, ("pattern", "is"), where)
            of = self.one_of(table["is"], tuple(COUNTED), f"{where}.is")
            if name not in COUNTED[of]:
                self.refuse(f"{where}.is", f"{of!r} is no answer of {name}")
            return PrintedAnswer(self.pattern(table["pattern"], f"{where}.pattern"), of)
        table = self.inner(value, {"type", "unreached", "normalize"}, ("type",), where)
        unreached = table.get("unreached", [])
        values = unreached if isinstance(unreached, list) else [unreached]
        return FileAnswer(
            self.one_of(table["type"], (*ANSWER_TYPES, "pairs"), f"{where}.type"),
            tuple(self.marker(each, f"{where}.unreached") for each in values),
            self.boolean(table.get("normalize", False), f"{where}.normalize"),
        )

    def marker(self, value: Any, where: str) -> str | int | float:
        """A value that stands for "not reached", such as infinity or NaN."""
        if isinstance(value, float):
            return value
        return self.scalar(value, where)

    def own_check(self, value: Any, timed: tuple[str, ...], where: str) -> OwnCheck:
        table = self.inner(value, {"pass", "fail", "command"}, ("pass", "fail"), where)
        command = self.command(table["command"], f"{where}.command") if "command" in table else ()
        if command and command[0] != timed[0]:
            self.refuse(f"{where}.command", f"must begin with {timed[0]!r} too: it checks what was timed")
        return OwnCheck(
            self.pattern(table["pass"], f"{where}.pass", groups=0),
            self.pattern(table["fail"], f"{where}.fail", groups=0),
            command,
        )

    def inner(self, value: Any, keys: set[str], needed: tuple[str, ...], where: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            self.refuse(where, "must be a table")
        self.known(value, keys, where)
        for key in needed:
            if key not in value:
                self.refuse(where, f"needs {key}", colon=False)
        return value

    def pattern(self, value: Any, where: str, groups: int = 1) -> re.Pattern[str]:
        """A regular expression with that many groups; its cost is limited where it is used."""
        text = self.text(value, where)
        if len(text) > _LONGEST_PATTERN:
            self.refuse(where, f"is longer than {_LONGEST_PATTERN} characters")
        try:
            with warnings.catch_warnings():  # about syntax whose meaning may change
                warnings.simplefilter("ignore")
                found = re.compile(text)
        except (re.error, OverflowError, RecursionError) as error:
            self.refuse(where, f"is no regular expression: {error}")
        if found.groups != groups:
            self.refuse(
                where,
                f"must have {groups} group{'s' * (groups != 1)}, has {found.groups} (one "
                "that only holds together is written (?:...))",
            )
        return found

    def primitive(self, name: str) -> str:
        if not _PRIMITIVE.fullmatch(name):
            self.refuse("primitive", f"{name!r} is not the name of a primitive")
        return name

    def one_of(self, value: Any, choices: tuple[str, ...], where: str) -> str:
        if value not in choices:
            self.refuse(where, f"{value!r} is not one of {', '.join(choices)}")
        return str(value)

    def boolean(self, value: Any, where: str) -> bool:
        if not isinstance(value, bool):
            self.refuse(where, "must be true or false")
        return value

    def optional(self, data: Mapping[str, Any], key: str) -> str:
        return self.text(data[key], key) if key in data else ""
