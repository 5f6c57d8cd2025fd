"""Command lines of Gunrock 0.3 to 1.x: an old option is replaced by today's name, with a notice on
stderr; an option whose meaning has changed is refused in one line that says what to use.

``OLD`` lists all old options; docs/gunrock-1.md shows it. Names in it have dashes: versions wrote
``--do_a`` and ``--do-a``, ``--delta_factor`` and ``--delta-factor``, and both are understood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import click

from gunrock_cli.cli.help_groups import Group, GroupedCommand, GroupedOption, shows_all
from gunrock_cli.cli.invocation import run_as
from gunrock_cli.cli.messages import notice
from gunrock_cli.errors import UsageError, printable

ANY = "*"


@dataclass(frozen=True)
class Old:
    """An old option. ``today`` is the nearest of today's options: a command without it has neither.

    ``values``: today's words for each old value (for ``ANY`` with ``{}`` in place of the value, for "" if
    the option stands alone). ``advice``: what to do instead, for all other values."""

    today: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    advice: str = ""

    def words(self, value: str, command: str) -> str | None:
        """Today's words with the same meaning, or None."""
        found = self.values.get(value, self.values.get(ANY))
        return None if found is None else found.format(value, command=command)


def _renamed(today: str) -> Old:
    return Old(today, {ANY: f"{today}={{}}"})


_WEIGHTS = Old("--weights", advice="--weights random:LOW:HIGH draws weights")
OLD: dict[str, Old] = {
    "--traversal-mode": Old(
        "--advance-mode",
        {
            "LB": "--advance-mode=LB",
            "TWC": "--advance-mode=TWC",
            "0": "--advance-mode=LB",
            "1": "--advance-mode=TWC",
        },
        "--advance-mode takes LB, TWC, and LB_NODES, which is nearest to LB_LIGHT",
    ),
    "--src": Old("--src", {"largestdegree": "--src=largest-degree", "randomize": "--src=random"}),
    "--iteration-num": _renamed("--iterations"),
    "--num-runs": _renamed("--iterations"),
    "--quick": Old("--check", {"": "--check=none"}),
    "--validation": Old(
        "--check",
        {"none": "--check=none", "last": "--check=reference"},
        "--check reference checks the last answer of each source",
    ),
    "--do-a": Old("--alpha", advice="--alpha decides when to pull, by another rule"),
    "--do-b": Old("--beta", advice="--beta decides when to push again, by another rule"),
    "--delta": _renamed("--damping"),  # PageRank's; SSSP's is today's own
    "--error": Old("--tolerance", advice="--tolerance bounds the change of all ranks together"),
    "--max-iter": _renamed("--max-iterations"),
    "--graph-type": Old(
        "",
        {"market": "", "rmat": "rmat", "rgg": "rgg", "smallworld": "smallworld"},
        "generators go by their names: gunrock bfs rmat --scale 20",
    ),
    "--graph-file": _renamed("--market"),
    "--rmat-scale": _renamed("--scale"),
    "--rmat-edgefactor": _renamed("--edge-factor"),
    "--rmat-a": _renamed("--a"),
    "--rmat-b": _renamed("--b"),
    "--rmat-c": _renamed("--c"),
    "--rmat-seed": _renamed("--seed"),
    "--rgg-scale": _renamed("--scale"),
    "--rgg-nodes": _renamed("--nodes"),
    "--rgg-thfactor": _renamed("--threshold-factor"),
    "--rgg-threshold": _renamed("--radius"),
    "--rgg-seed": _renamed("--seed"),
    "--sw-scale": _renamed("--scale"),
    "--sw-nodes": _renamed("--nodes"),
    "--sw-k": _renamed("--neighbors"),
    "--sw-p": _renamed("--rewire"),
    "--sw-seed": _renamed("--seed"),
    "--random-edge-values": _WEIGHTS,
    "--edge-value-range": _WEIGHTS,
    "--edge-value-min": _WEIGHTS,
    "--jsonfile": _renamed("--output"),
    "--jsondir": Old("--output", {ANY: "--output={}/{command}.jsonl"}),
    "--instrumented": Old(
        "--trace", advice="--trace shows what every step did, --count the edges it looked at"
    ),
    "--in-sizing": Old("--queue-sizing", advice="--queue-sizing sizes all queues: leave it out"),
    "--device": Old(
        advice="the environment variable CUDA_VISIBLE_DEVICES chooses the GPU, --devices 0,1 "
        "several for one run"
    ),
}
SWEPT = (Group.ALGORITHM, Group.SOURCE, Group.MEASURING)
"""Groups of options that a sweep can run through several values."""


_UNDERSTOOD = (
    "Options of Gunrock 1.x (--traversal-mode, --quick, --do_a ...) are understood, or refused with what "
    "to use today: docs/gunrock-1.md."
)


class PrimitiveCommand(GroupedCommand):
    """A primitive's command: takes today's options, and the old ones with the same meaning. ``lacks``:
    flags that other primitives have, and why this one does not."""

    def __init__(self, *args: Any, lacks: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lacks = lacks

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            self._refuse_lacking(args)
        words = args if ctx.resilient_parsing else _Line(self).today(args)
        if words != args:
            run_as(ctx, args, words)  # a record's command is read with today's names
        return super().parse_args(ctx, words)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        if shows_all(ctx):
            formatter.write_paragraph()
            formatter.write_text(_UNDERSTOOD)

    def _refuse_lacking(self, words: Sequence[str]) -> None:
        for word in words:
            if word == "--":
                return
            flag = word.partition("=")[0].replace("_", "-")
            if flag in self._lacks:
                raise UsageError(f"{flag}: {self._lacks[flag]}")


class _Line:
    """Translates the words of one command into today's."""

    def __init__(self, command: click.Command) -> None:
        self._command = command.name or ""
        self._flags: Mapping[str, click.Option] = {
            flag: param
            for param in command.params
            if isinstance(param, click.Option)
            for flag in (*param.opts, *param.secondary_opts)
        }

    def today(self, words: Sequence[str]) -> list[str]:
        """The line in today's words; unknown words are left for Click to refuse."""
        found: list[str] = []
        rest = list(words)
        while rest:
            word = rest.pop(0)
            if word == "--":
                return [*found, word, *rest]
            if word.startswith("--"):
                found += self._option(word, rest)
            elif word == "market" and rest and not rest[0].startswith("-"):
                found += _said(f"{word} {rest[0]}", f"--market={rest.pop(0)}")
            else:
                found.append(word)
        return found

    def _option(self, word: str, rest: list[str]) -> list[str]:
        """Translate an option, whose value is taken from ``rest`` if it is not in the word itself."""
        given, sign, value = word.partition("=")
        name = given if given in self._flags else given.replace("_", "-")
        known, old = self._flags.get(name), self._old(name)
        if known is None and old is None:
            return [word]
        old = old or Old()
        if known is None and not old.values:
            _refuse(word, old)
        if known.is_flag if known else "" in old.values:
            as_today = known and name == given and not sign
            return [word] if as_today else self._flag(given, name, value)
        as_given = [word] if sign or not rest else [word, rest[0]]
        if not sign and not rest:
            return as_given
        today = self._valued(given, name, value if sign else rest.pop(0), old)
        return as_given if today is None else today

    def _old(self, name: str) -> Old | None:
        """The entry of an old option, unless this command has another option of that name, or nothing
        like it."""
        old = OLD.get(name)
        if old is None or (name in self._flags and old.today != name):
            return None
        return old if not old.today or old.today in self._flags else None

    def _flag(self, given: str, name: str, value: str) -> list[str]:
        """Translate an option that stands alone today; Gunrock 1.x also had ``--idempotence=false``."""
        told = f"{given}={value}" if value else given
        known = self._flags.get(name)
        if known and "," in value:
            _refuse_list(told, name, value)
        if value.lower() in ("", "true", "1"):
            return _said(told, name if known else OLD[name].values[""])
        if value.lower() not in ("false", "0"):
            raise UsageError(f"{told}: give {name} alone, or true or false")
        other = (known.secondary_opts if name in known.opts else known.opts) if known else ()
        return _said(told, other[0] if other else "")

    def _valued(self, given: str, name: str, value: str, old: Old) -> list[str] | None:
        """Translate an option with a value; None if it is unchanged today. For lists, Gunrock 1.x ran
        every combination."""
        told = f"{given}={value}"
        today = [old.words(one, self._command) for one in value.split(",")]
        if name in self._flags:
            today = [words or f"{name}={one}" for words, one in zip(today, value.split(","), strict=True)]
        if None in today:
            _refuse(told, old)
        param = self._flags.get(old.today or name)
        if (
            len(today) > 1
            and isinstance(param, GroupedOption)
            and param.group in SWEPT
            and not (param.takes_list or param.name == "against")
        ):
            _refuse_list(
                told, old.today or name, ",".join(str(words).partition("=")[2] for words in today)
            )
        words = old.words(value, self._command)
        if words is None and given == name:
            return None
        return _said(told, f"{name}={value}" if words is None else words)


def _said(old: str, today: str) -> list[str]:
    """Return today's words, after a notice about them."""
    notice(printable(f"gunrock: {old} is {today or 'the default'} today"))
    return [today] if today else []


def _refuse(told: str, old: Old) -> NoReturn:
    raise UsageError(f"{told}: an option of Gunrock 1.x; today {old.advice}")


def _refuse_list(told: str, name: str, values: str) -> NoReturn:
    raise UsageError(
        f"{told}: a run takes one value; gunrock sweep --set {name.lstrip('-')}={values} "
        "runs all, gunrock compare-modes every mode"
    )
