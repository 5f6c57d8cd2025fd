"""The notebook's cells run in order, and its stored output is what they print."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from docs.guide import FILES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "first-look.ipynb"
NOTEBOOK: dict[str, Any] = json.loads(PAGE.read_text())
CODE = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]


def shown(kind: str) -> list[str]:
    """The notebook's stored output of one kind."""
    outputs = [output for cell in NOTEBOOK["cells"] for output in cell.get("outputs", [])]
    assert "error" not in {output["output_type"] for output in outputs}
    return ["".join(output["text"]) for output in outputs if output["output_type"] == kind]


def test_the_cells_run_and_print_what_is_shown() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(CODE)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MPLBACKEND": "Agg"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "".join(shown("stream"))
    assert "pass by scipy" in done.stdout


def test_the_primitive_is_the_guides() -> None:
    """There is only one text, which the guide's tests check."""
    for name in ("degree_distribution.cuh", "degree_distribution.py"):
        assert any(FILES[name] in cell for cell in CODE)


def test_it_is_a_notebook_with_its_pictures() -> None:
    assert (NOTEBOOK["nbformat"], NOTEBOOK["metadata"]["kernelspec"]["name"]) == (4, "python3")
    pictures = [
        output
        for cell in NOTEBOOK["cells"]
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    assert len(pictures) == 2
