"""The files and commands of docs/writing-a-primitive.md."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "writing-a-primitive.md"
FILES: dict[str, str] = dict(
    re.findall(r"`(\w+\.(?:cuh|py))`:\n```\w+\n(.*?)```", PAGE.read_text(), re.DOTALL)
)
COMMANDS: list[str] = re.findall(r"^gunrock (run .*)$", PAGE.read_text(), re.MULTILINE)
SWEEPS: list[str] = re.findall(r"^gunrock (sweep .*)$", PAGE.read_text(), re.MULTILINE)


def write_files(folder: Path) -> None:
    for name, text in FILES.items():
        (folder / name).write_text(text)
