"""``gunrock peers``: the systems that can be measured beside gunrock."""

from __future__ import annotations

import json

import click


@click.group(epilog="""\b
Examples:
  gunrock peers list
  gunrock bfs rmat --scale 16 --against all
""")
def command() -> None:
    """Other systems to measure side by side (--against NAME,NAME)."""


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="A JSON array on stdout.")
def list_command(as_json: bool) -> None:
    """Every peer: what it runs, what its clock covers, and how to get it where it is missing."""
    from rich.table import Table

    from gunrock_cli.cli.console import console, plain
    from gunrock_cli.peers import get_peer, peer_names

    rows = []
    for peer in map(get_peer, peer_names()):
        reason = peer.available()
        rows.append({"name": peer.name, "title": peer.title, "primitives": list(peer.primitives),
                     "times": peer.times, "available": reason is None, "reason": reason,
                     "versions": peer.versions() if reason is None else {}})
    if as_json:
        click.echo(json.dumps(rows))
        return
    table = Table("peer", "system", "primitives", "here", "what is timed")
    for row in rows:
        versions = row["versions"]
        assert isinstance(versions, dict)
        here = ", ".join(f"{name} {version}" for name, version in versions.items())
        table.add_row(*map(plain, (row["name"], row["title"],
                                   " ".join(row["primitives"]),  # type: ignore[arg-type]
                                   row["reason"] or here, row["times"])))
    console().print(table)
