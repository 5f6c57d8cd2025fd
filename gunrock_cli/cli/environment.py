"""The environment variables that gunrock reads, checked before they are used.

OMP_NUM_THREADS is checked where threads are counted (toolchain/threads.py); a compiler itself reports
errors in GUNROCK_CXXFLAGS."""

from __future__ import annotations

import os
import stat

from gunrock_cli.errors import UsageError

FOLDERS = ("GUNROCK_CACHE_DIR", "GUNROCK_DATASETS")


def check_completion() -> None:
    """Raise UsageError for an unknown shell, for which Click would exit without a word."""
    from click.shell_completion import get_completion_class

    asked = os.environ.get("_GUNROCK_COMPLETE", "")
    shell, _, step = asked.partition("_")
    if asked and (get_completion_class(shell) is None or step not in ("source", "complete")):
        raise UsageError(f"_GUNROCK_COMPLETE={asked}: give bash_source, zsh_source or fish_source")


def check_environment() -> None:
    """Raise UsageError if a folder's variable names something else, and for terminal sizes that rich
    would take for numbers, as ² is a digit."""
    for name in ("COLUMNS", "LINES"):
        size = os.environ.get(name, "")
        if size.isdigit() and not size.isascii():
            raise UsageError(f"{name}={size}: this is not a number; give one, or unset it")
    for name in FOLDERS:
        text = os.environ.get(name)
        if not text:
            continue
        try:
            folder = stat.S_ISDIR(os.stat(text).st_mode)
        except FileNotFoundError:
            continue  # it is made when needed
        except OSError as error:
            raise UsageError(f"{name}={text[:80]}: {error.strerror}") from None
        if not folder:
            raise UsageError(f"{name}={text}: this is not a folder; name one, or unset it")
