"""The tool accepts the description of a program in docs/cluster.md."""

from __future__ import annotations

import re
from pathlib import Path

from gunrock_cli.peers.commands.descriptionfile import read

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cluster.md"


def test_the_description_is_read(tmp_path: Path) -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text(), re.DOTALL)
    path = tmp_path / "cugraph-dask.toml"
    path.write_text(text)
    assert read(path).name == "cugraph-dask"


def test_the_program_is_python() -> None:
    (text,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    compile(text, "cugraph_dask_bfs.py", "exec")
