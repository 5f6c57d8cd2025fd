"""The page's example runs, and the page names every function of the backend."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from gunrock_cli.face import networkx_backend
from gunrock_cli.face.networkx_info import backend_info

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "networkx.md").read_text()


@pytest.mark.skipif(
    not entry_points(group="networkx.backends", name="gunrock"),
    reason="the package was installed before it had a NetworkX backend: pip install -e .",
)
def test_the_example_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 1
    code = blocks[0] + "\nassert len(ranks) == 34 and abs(sum(ranks.values()) - 1) < 1e-9"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_networkx_is_told_of_every_function() -> None:
    """It lists a function's backends by what it is told when it is imported."""
    told = set(backend_info()["functions"])
    assert told == {name for name in networkx_backend.__all__ if not name.startswith("convert_")}
    assert len(told) >= 60


def test_every_function_is_named() -> None:
    for name in networkx_backend.__all__:
        assert (
            name.startswith("convert_")
            or "components" in name
            or "connected" in name
            or f"`{name}`" in PAGE
        )
