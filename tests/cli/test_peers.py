"""``gunrock peers list``."""

from __future__ import annotations

import json

from click.testing import CliRunner

from gunrock_cli.cli.main import cli
from gunrock_cli.peers import peer_names


def test_list_as_json_names_every_peer() -> None:
    result = CliRunner().invoke(cli, ["peers", "list", "--json"])
    rows = json.loads(result.stdout)
    assert [row["name"] for row in rows] == list(peer_names())
    scipy = next(row for row in rows if row["name"] == "scipy")
    assert scipy["available"]
    assert scipy["versions"]["scipy"]


def test_list_as_table() -> None:
    result = CliRunner().invoke(cli, ["peers", "list"])
    assert result.exit_code == 0
    assert "SciPy csgraph" in result.stdout
