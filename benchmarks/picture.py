"""Draw a run of a command as a terminal shows it: README's picture.

    python benchmarks/picture.py docs/bfs.svg bfs rmat --scale 16 --src largest-degree --against scipy -q

The command runs, and what it prints is what the picture shows.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

WIDTH = 100


def shown_by(words: list[str]) -> str:
    """The output of ``gunrock WORDS`` on a terminal, with colors."""
    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    done = subprocess.run(
        [sys.executable, "-m", "gunrock_cli.cli.main", *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    return done.stdout


def picture(line: str, printed: str) -> str:
    """The SVG of a terminal with the line and its output, without fonts from the network."""
    with open(os.devnull, "w") as nowhere:
        console = Console(file=nowhere, record=True, width=WIDTH, force_terminal=True)
        console.print(Text.assemble(("$ ", "green"), (line, "bold")))
        console.print(Text.from_ansi(printed.rstrip()))
        svg = console.export_svg(title="gunrock", unique_id="gunrock")
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("words", nargs=argparse.REMAINDER, help="of the command, without `gunrock`")
    args = parser.parse_args()
    args.output.write_text(picture(" ".join(["gunrock", *args.words]), shown_by(args.words)))


if __name__ == "__main__":
    main()
