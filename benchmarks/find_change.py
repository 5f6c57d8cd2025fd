"""The commit at which a cell became slower or faster: a bisection that measures.

    python benchmarks/find_change.py GOOD BAD [--rounds 5] [--limit 5%] -- bfs rmat --scale 16

GOOD and BAD are revisions, and a gunrock command follows --. Each commit is measured in turns with GOOD,
a process of either at a time, in worktrees in a temporary folder; kernels are compiled only where they
differ. A commit whose ratio is on BAD's side of the middle has changed, one on GOOD's side is the same;
one whose interval holds the middle is measured longer, then skipped, as is one where the command fails.
Ends with the first commit that changed, and its time over that of the commit before.
"""

from __future__ import annotations

import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from gunrock_cli.bench.records.regressions import judge
from gunrock_cli.bench.records.statistics import Ratio, ratio
from gunrock_cli.cli.number_types import Share, Whole

MOST_TIMES = 4
"""How often the rounds are measured before a comparison is left undecided."""
RUN = "from gunrock_cli.cli.main import main; main()"
FOUND = re.compile(r"^([0-9a-f]{40}) is the first changed commit", re.MULTILINE)
COMMIT = re.compile(r"^[0-9a-f]{40}$", re.MULTILINE)


class Refused(click.ClickException):
    """A reason to end, in one line."""

    exit_code = 2


class Failed(Exception):
    """Raised if the command gives no time at a commit."""


# --- commits ----------------------------------------------------------------------------------------
def git(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", "-C", str(tree), *words], capture_output=True, text=True, env=os.environ | {"LC_ALL": "C"}
    )


def commit_of(tree: Path, revision: str) -> str:
    if git(tree, "rev-parse", "--git-dir").returncode:
        raise Refused(f"{tree} is in no git repository: go to one")
    found = git(tree, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if found.returncode:
        raise Refused(f"{revision!r} is no commit of this repository: git log lists them")
    return found.stdout.strip()


def titled(tree: Path, commit: str) -> str:
    return git(tree, "log", "-1", "--format=%h %s", commit).stdout.strip()


def check(tree: Path, good: str, bad: str) -> None:
    """Refuse what cannot be bisected."""
    if git(tree, "status", "--porcelain", "--untracked-files=no").stdout.strip():
        raise Refused("uncommitted changes would not be measured: commit or stash them")
    if good == bad or git(tree, "merge-base", "--is-ancestor", good, bad).returncode:
        raise Refused(f"{good[:12]} is no ancestor of {bad[:12]}: name the older commit first")


@contextmanager
def worktrees(tree: Path, *commits: str) -> Iterator[list[Path]]:
    """A worktree at each commit, removed at the end."""
    with tempfile.TemporaryDirectory(prefix="gunrock-find-change-") as folder:
        found = [Path(folder) / str(number) for number in range(len(commits))]
        try:
            for path, commit in zip(found, commits, strict=True):
                added = git(tree, "worktree", "add", "--detach", str(path), commit)
                if added.returncode:
                    raise Refused(added.stderr.strip().splitlines()[-1])
            yield found
        finally:
            for path in found:
                git(tree, "worktree", "remove", "--force", str(path))


# --- times ------------------------------------------------------------------------------------------
def median_ms(tree: Path, words: Sequence[str]) -> float:
    """The median of a command's runs, in a process of the tree's code."""
    if not (tree / "gunrock_cli" / "__init__.py").exists():  # Python would take the installed one
        raise Failed("the commit has no gunrock_cli")
    done = subprocess.run(
        [sys.executable, "-P", "-c", RUN, *words, "--json"],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(tree)},
    )
    if done.returncode:
        raise Failed((done.stderr.strip().splitlines() or ["it printed nothing"])[-1])
    return float(statistics.median(json.loads(done.stdout.splitlines()[0])["runs_ms"]))


@dataclass(frozen=True)
class Comparison:
    """How two trees are compared: a command, in ``rounds`` of a process of each."""

    words: Sequence[str]
    rounds: int

    def of(self, old: Path, new: Path, decided: Callable[[Ratio], bool]) -> Ratio:
        """The new time over the old one, measured until it is decided, or MOST_TIMES as long. Medians of
        processes are compared, as the runs of one share its conditions."""
        before: list[float] = []
        after: list[float] = []
        for _ in range(MOST_TIMES):
            for turn in range(self.rounds):
                sides = [(old, before), (new, after)]
                for tree, times in sides[:: -1 if turn % 2 else 1]:
                    times.append(median_ms(tree, self.words))
            found = ratio(before, after, use="median")
            if decided(found):
                break
        return found


def verdict_of(found: Ratio, whole: Ratio) -> str:
    """The side of the middle, between no change and the ``whole`` one, on which a ratio's interval is."""
    middle = math.sqrt(whole.value)
    changed, same = found.low > middle, found.high < middle
    if whole.value < 1:
        changed, same = found.high < middle, found.low > middle
    return whole.difference if changed else "same" if same else "ambiguous"


def shown(found: Ratio) -> str:
    return f"x{found.value:.3f} ({found.low:.3f} to {found.high:.3f})"


# --- the search -------------------------------------------------------------------------------------
def whole_change(comparison: Comparison, good: Path, bad: Path, limit: float) -> Ratio:
    """The ratio at BAD. Refused if it is no change of at least ``limit``."""
    found = comparison.of(good, bad, lambda found: judge(found, limit) != "ambiguous")
    verdict = judge(found, limit)
    click.echo(f"{titled(bad, 'HEAD')}: {shown(found)} {verdict}")
    if verdict == "same":
        raise Refused(f"no change: {shown(found)}, within {limit:.0%}")
    if verdict == "ambiguous":
        raise Refused(f"too noisy to tell: {shown(found)}; raise --rounds, or free the machine")
    return found


def answer(comparison: Comparison, good: Path, candidate: Path, whole: Ratio) -> str:
    """What git bisect is told about the candidate's commit: changed, same or skip."""
    title = titled(candidate, "HEAD")
    try:
        found = comparison.of(good, candidate, lambda found: verdict_of(found, whole) != "ambiguous")
    except Failed as error:
        click.echo(f"{title}: skipped, the command fails: {error}")
        return "skip"
    verdict = verdict_of(found, whole)
    click.echo(f"{title}: {shown(found)} {verdict}{', skipped' if verdict == 'ambiguous' else ''}")
    return {"same": "same", "ambiguous": "skip"}.get(verdict, "changed")


def search(comparison: Comparison, good: Path, candidate: Path, whole: Ratio) -> str:
    """The first changed commit. Refused if commits that were skipped leave it open."""
    ends = [git(tree, "rev-parse", "HEAD").stdout.strip() for tree in (candidate, good)]
    told = git(candidate, "bisect", "start", "--term-new=changed", "--term-old=same", *ends)
    while not (found := FOUND.search(told.stdout)):
        if told.returncode:
            left = COMMIT.findall(told.stdout)
            if not left:
                raise Refused((told.stderr.strip() or told.stdout.strip()).splitlines()[-1])
            titles = "; ".join(titled(candidate, commit) for commit in left)
            raise Refused(f"as commits were skipped, it is one of {len(left)}: {titles}")
        told = git(candidate, "bisect", answer(comparison, good, candidate, whole))
    return found[1]


def report(comparison: Comparison, good: Path, candidate: Path, commit: str) -> None:
    """Measure the commit and the one before it, and print both."""
    git(candidate, "bisect", "reset")
    git(candidate, "checkout", "--detach", commit)
    git(good, "checkout", "--detach", f"{commit}^")
    try:
        found = comparison.of(good, candidate, lambda found: found.certain)
    except Failed:
        click.echo(f"first changed: {titled(candidate, commit)}; the command fails at the commit before")
        return
    click.echo(f"first changed: {titled(candidate, commit)}, {shown(found)} of the commit before")


@click.command(help=__doc__, context_settings={"ignore_unknown_options": True})
@click.argument("good")
@click.argument("bad")
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND...")
@click.option("--rounds", type=Whole(3), default=5, help="Processes of each side at first.")
@click.option("--limit", type=Share(), default=0.05, help="The least change of interest (5%).")
def main(good: str, bad: str, words: tuple[str, ...], rounds: int, limit: float) -> None:
    tree = Path.cwd()
    first, last = commit_of(tree, good), commit_of(tree, bad)
    check(tree, first, last)
    comparison = Comparison(words, rounds)
    with worktrees(tree, first, last) as (old, candidate):
        for path, revision in ((old, good), (candidate, bad)):
            try:
                median_ms(path, words)
            except Failed as error:
                raise Refused(f"the command fails at {revision}: {error}") from None
        whole = whole_change(comparison, old, candidate, limit)
        report(comparison, old, candidate, search(comparison, old, candidate, whole))


if __name__ == "__main__":
    main()
