"""``gunrock peers``: the other systems that can be measured."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, NotRequired, TypedDict

import click

from gunrock_cli.cli.help_groups import CommandGroup

if TYPE_CHECKING:
    from gunrock_cli.peers.base import Peer


@click.group(
    cls=CommandGroup,
    epilog="""\b
Examples:
  gunrock peers list
  gunrock bfs rmat --scale 16 --against all
  gunrock bfs rmat --scale 16 --against gap,./my-system.toml
""",
)
def command() -> None:
    """Other systems to measure side by side (--against NAME,NAME)."""


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="A JSON array on stdout.")
def list_command(as_json: bool) -> None:
    """Every peer: what it runs, what its clock covers, and how to get it where it is missing.

    First those that are libraries, then programs, which are looked for in the folders of GUNROCK_PEERS
    and in PATH. A FILE.toml of your own describes another (docs/peers.md).
    """
    from rich.table import Table

    from gunrock_cli.cli.console import plain, print_table
    from gunrock_cli.peers import get_peer, known_names

    rows = [_row(peer) for peer in map(get_peer, known_names())]
    if as_json:
        click.echo(json.dumps(rows))
        return
    libraries = Table("peer", "system", "primitives", "here", "what is timed")
    programs = Table("peer", "system", "primitives", "here", "version", "what is timed", "what is wrong")
    for row in rows:
        versions = ", ".join(f"{name} {version}" for name, version in row["versions"].items())
        head = (row["name"], row["title"], " ".join(row["primitives"]))
        if row["programs"] is None:
            libraries.add_row(*map(plain, (*head, row["reason"] or versions, row["times"])))
        else:
            programs.add_row(
                *map(plain, (*head, _here(row["programs"]), row["version"], row["times"], row["wrong"]))
            )
    print_table(libraries, least=("what is timed", "system"))
    print_table(programs, least=("what is wrong", "what is timed", "version"))


class Row(TypedDict):
    """A peer, as --json shows it; of a described program, also its version and how it was built."""

    name: str
    title: str
    primitives: list[str]
    times: str
    available: bool
    reason: str | None
    versions: Mapping[str, str]
    programs: Mapping[str, str | None] | None
    version: NotRequired[str]
    built: NotRequired[str]
    wrong: NotRequired[str]


def _row(peer: Peer) -> Row:
    from gunrock_cli.peers.commands.peer import CommandPeer

    reason = peer.available()
    row: Row = {
        "name": peer.name,
        "title": peer.title,
        "primitives": list(peer.primitives),
        "times": peer.times,
        "available": reason is None,
        "reason": reason,
        "versions": peer.versions() if reason is None else {},
        "programs": None,
    }
    if isinstance(peer, CommandPeer):
        row["programs"] = peer.where()
        row["version"] = peer.description.version
        row["built"] = peer.description.built
        row["wrong"] = peer.description.wrong
    return row


def _here(programs: Mapping[str, str | None]) -> str:
    """The places of a peer's programs, and the primitives for which they are missing."""
    if not any(programs.values()):
        return "no"
    found = list(dict.fromkeys(path for path in programs.values() if path))
    missing = [name for name, path in programs.items() if path is None]
    return " ".join(found) + (f"; not for {' '.join(missing)}" if missing else "")
