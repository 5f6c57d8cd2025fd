"""The blocks of docs/tutorials.md, run in their order in one folder, as a reader types them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SECTIONS = re.findall(r"^```(\w*)\n(.*?)^```$", (ROOT / "docs" / "tutorials.md").read_text(), re.M | re.S)


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_all_blocks_run_in_order(tmp_path: Path) -> None:
    (tmp_path / "scripts").symlink_to(ROOT / "scripts")
    gunrock = tmp_path / "bin" / "gunrock"
    gunrock.parent.mkdir()
    gunrock.write_text(f'#!/bin/sh\nexec {sys.executable} -m gunrock_cli.cli.main "$@"\n')
    gunrock.chmod(0o755)
    environment = {**os.environ, "PATH": f"{gunrock.parent}:{os.environ['PATH']}"}
    python = ""  # the blocks of Python are one program, as in a notebook
    for language, block in SECTIONS:
        if language == "python":
            python += block
            command = [sys.executable, "-c", python]
        else:
            command = ["bash", "-ec", block]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{block}\n{done.stderr[-2000:]}"
    assert (tmp_path / "page" / "index.html").read_text().count("<h1>My graph</h1>") == 1
    assert r"\begin{tabular}" in (tmp_path / "paper" / "ppopp16-table3.tex").read_text()


def test_every_section_has_something_to_run() -> None:
    languages = [language for language, _ in SECTIONS]
    assert languages.count("python") == 3
    assert languages.count("") == 3
