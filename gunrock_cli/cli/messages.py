"""What is said besides results, on stderr: errors, warnings, notices, and with -v the steps in between.

``--log-file`` keeps all of it with times, whatever is shown. Modules below the command line use the
logger ``gunrock``, which also ends here.
"""

from __future__ import annotations

import logging
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import click

from gunrock_cli.errors import UsageError
from gunrock_cli.visible import visible

FLAGS = {
    "--debug": "debug",
    "--wide": "wide",
    "-q": "quiet",
    "--quiet": "quiet",
    "-v": "verbose",
    "--verbose": "verbose",
}
LOG_FILE = "--log-file"
_SHOWN = "shown"  # on a log record: it is already on stderr
_log = logging.getLogger("gunrock")
_choice = {"quiet": False, "set up": False}


@dataclass
class Everywhere:
    """The options that every command takes, anywhere on its line; ``words`` is the line without them."""

    words: list[str] = field(default_factory=list)
    debug: bool = False
    wide: bool = False
    quiet: bool = False
    verbose: bool = False
    log_file: Path | None = None

    @classmethod
    def taken_from(cls, line: Sequence[str]) -> Everywhere:
        """UsageError for a --log-file without a name, and for -q together with -v."""
        found, words = cls(), iter(line)
        for word in words:
            name, sign, value = word.partition("=")
            if word in FLAGS:
                setattr(found, FLAGS[word], True)
            elif name == LOG_FILE:
                value = value if sign else next(words, "")
                if not value:
                    raise UsageError(f"{LOG_FILE}: name a file")
                found.log_file = Path(value)
            else:
                found.words.append(word)
        if found.quiet and found.verbose:
            raise UsageError("--quiet contradicts --verbose; give one of them")
        return found


@contextmanager
def messages(how: Everywhere) -> Iterator[None]:
    """Show and keep what is asked for, for the block. InputError for a log that cannot be written."""
    handlers: list[logging.Handler] = [logging.NullHandler()]  # else logging itself prints warnings
    if not how.quiet:
        handlers.append(_Stderr(logging.DEBUG if how.verbose else logging.WARNING))
    if how.log_file is not None:
        handlers.append(_log_to(how.log_file))
    level = _log.level
    _log.setLevel(logging.DEBUG if how.verbose or how.log_file else logging.INFO)
    _choice.update({"quiet": how.quiet, "set up": True})
    for handler in handlers:
        handler.addFilter(_one_line)
        _log.addHandler(handler)
    try:
        _log.debug("gunrock: %s", shlex.join(["gunrock", *how.words]))
        yield
    finally:
        _choice.update({"quiet": False, "set up": False})
        _log.setLevel(level)
        for handler in handlers:
            _log.removeHandler(handler)
            handler.close()


def is_quiet() -> bool:
    """True if only errors should be shown, and no progress."""
    return _choice["quiet"]


def notice(text: str) -> None:
    """Say what is good to know, such as where it runs and where records go."""
    text = visible(text)
    if not is_quiet():
        click.echo(text, err=True)
    _keep(logging.INFO, text)


def warning(text: str) -> None:
    """What casts doubt on a result."""
    if not is_quiet():
        from gunrock_cli.cli.console import console, plain

        console(stderr=True).print(plain(text, "yellow"), soft_wrap=True)
    _keep(logging.WARNING, visible(text))


def error(text: str) -> None:
    """Why the exit code is not 0."""
    click.echo(text, err=True)
    _keep(logging.ERROR, text)


def step(text: str) -> None:
    """What is being done: shown by -v."""
    _log.debug("gunrock: %s", text)


def _keep(level: int, text: str) -> None:
    """For the log only, as it has been shown. If nothing was set up, logging would show it again."""
    if _choice["set up"]:
        _log.log(level, "%s", text, extra={_SHOWN: True})


def _one_line(record: logging.LogRecord) -> bool:
    """Escape whatever is not text in a message's names from outside; a message already shown may be a
    compiler's lines."""
    if not getattr(record, _SHOWN, False):
        record.msg, record.args = visible(record.getMessage()), None
    return True


class _Stderr(logging.Handler):
    """Messages of the modules below."""

    def emit(self, record: logging.LogRecord) -> None:
        if not getattr(record, _SHOWN, False):
            click.echo(record.getMessage(), err=True)


class _LogFile(logging.FileHandler):
    """A disk that fills up costs lines of the log, not the run."""

    def handleError(self, record: logging.LogRecord) -> None:
        pass


def _log_to(path: Path) -> logging.Handler:
    from gunrock_cli.files import check_writable, write_error

    check_writable(path, append=True, make_folder=True)
    try:
        handler = _LogFile(path, encoding="utf-8")
    except OSError as problem:
        raise write_error(path, problem) from problem
    form = logging.Formatter("%(asctime)s.%(msecs)03d %(levelname)s %(message)s", "%Y-%m-%dT%H:%M:%S")
    handler.setFormatter(form)
    return handler
