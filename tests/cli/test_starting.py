"""Ctrl-C before other code can report it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gunrock_cli.cli.starting import ending_at_once


def test_interrupted_while_modules_are_imported_is_130(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)\n"
    )
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        [sys.executable, "-m", "gunrock_cli.cli.main", "info"],
        check=False,
        text=True,
        capture_output=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "gunrock: interrupted\n")


@pytest.fixture
def handled() -> Iterator[None]:
    """Restore the handler of Ctrl-C."""
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


def handler_while_starting() -> Any:
    with ending_at_once():
        return signal.getsignal(signal.SIGINT)


@pytest.mark.usefixtures("handled")
@pytest.mark.parametrize("kept", [signal.SIG_IGN, lambda *_: None], ids=["ignored", "another's"])
def test_what_others_do_with_it_stays(kept: Any) -> None:
    signal.signal(signal.SIGINT, kept)
    assert handler_while_starting() is kept
    assert signal.getsignal(signal.SIGINT) is kept


@pytest.mark.usefixtures("handled")
def test_it_is_an_exception_again_once_all_is_imported() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    assert handler_while_starting() is not signal.default_int_handler
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("handled")
def test_a_thread_that_imports_leaves_it_alone() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(handler_while_starting).result() is signal.default_int_handler
