"""The entry point: finds the commands, loads only the requested one, and reports errors.

A command is a module of ``cli/commands`` that defines ``command``; a primitive becomes a command by its
module in ``primitives/``. Heavy imports (NumPy, SciPy, pandas, CuPy) belong inside the functions of those
modules, so that ``--help`` and completion answer at once."""

from __future__ import annotations

from gunrock_cli.cli.starting import ending_at_once

with ending_at_once():
    import importlib
    import io
    import os
    import pkgutil
    import sys
    from collections.abc import Iterator, Sequence
    from contextlib import contextmanager, suppress
    from itertools import pairwise
    from typing import Any

    import click

    from gunrock_cli.cli import commands
    from gunrock_cli.cli.environment import check_completion, check_environment
    from gunrock_cli.cli.help_groups import CommandGroup, GroupedCommand
    from gunrock_cli.cli.messages import LOG_FILE, Everywhere, error, messages
    from gunrock_cli.errors import (
        EXIT_BROKEN_PIPE,
        EXIT_INTERRUPTED,
        EXIT_USAGE,
        BackendError,
        GunrockError,
        printable,
    )
    from gunrock_cli.primitives import primitive_names, summary_of
    from gunrock_cli.version import __version__

EXAMPLES = """\b
Examples:
  gunrock bfs --market graph.mtx --src 0
  gunrock bfs rmat --scale 20 --src largest-degree --direction-optimized
  gunrock info
"""


def may_run_on_gpu(words: Sequence[str]) -> bool:
    """True if a primitive's command line, not yet parsed, asks neither for help nor for the CPU."""
    asked = {"-h", "--help", "--help-all", "--backend=cpu"} & {*words, *map("=".join, pairwise(words))}
    return not asked


class _ReaderGone(Exception):
    """Raised when the reader of our stdout (head, less) is gone, which ends the run without an error."""


@contextmanager
def _past_click() -> Iterator[None]:
    """Raise broken pipes past Click, which would exit with 1, the code of a wrong answer."""
    try:
        yield
    except BrokenPipeError as error:
        raise _ReaderGone from error


FIRST_STEPS = """\
gunrock runs, checks and measures graph primitives the way the Gunrock papers do.

  gunrock bfs rmat --scale 16                   a breadth-first search over a generated graph
  gunrock sssp --market graph.mtx --src 0       shortest paths in a graph of your own
  gunrock pagerank rmat --against all           PageRank beside every other system that is installed

gunrock --help lists all commands; gunrock doctor says what is missing here.
"""


class LazyGroup(CommandGroup):
    """Primitives first, then the other commands; a module is imported when its command runs."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with _past_click():  # --help prints from here
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        with _past_click():
            return super().invoke(ctx)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Resolve a command as Click does, but say of an unknown name what was meant, or that it is
        missing."""
        if args[0] in primitive_names() and not ctx.resilient_parsing and may_run_on_gpu(args[1:]):
            from gunrock_cli.toolchain.wake import wake_gpu

            wake_gpu()
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            from gunrock_cli.cli.hints import no_such_command

            if args[0].startswith("-"):
                raise
            raise click.UsageError(no_such_command(args[0], self.list_commands(ctx)), ctx) from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        found = (module.name for module in pkgutil.iter_modules(commands.__path__))
        return list(primitive_names()) + sorted(name.replace("_", "-") for name in found)

    def summarized(self, ctx: click.Context, name: str) -> click.Command:
        """The command with its summary line, for which no primitive is imported."""
        if name in primitive_names():
            return click.Command(name, help=summary_of(name))
        return super().summarized(ctx, name)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in primitive_names():
            from gunrock_cli.cli.primitive_command import primitive_command

            return primitive_command(cmd_name)
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"{commands.__name__}.{cmd_name.replace('-', '_')}")
        found: click.Command = module.command
        return found


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    epilog=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(__version__, "-V", "--version", prog_name="gunrock")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.option("--wide", is_flag=True, help="Show all columns of tables, however narrow the terminal.")
@click.option("-q", "--quiet", is_flag=True, help="Results and errors only: no progress, no warnings.")
@click.option("-v", "--verbose", is_flag=True, help="Say on stderr what is being done, step by step.")
@click.option(LOG_FILE, metavar="FILE", help="Append what is said beside results, and steps, with times.")
@click.pass_context
def cli(ctx: click.Context, /, debug: bool, **everywhere: Any) -> None:
    """Run, check and measure GPU graph primitives the way the Gunrock papers do.

    The options below go with every command, at any place of its line.
    """
    ctx.obj = {"debug": debug}
    if ctx.invoked_subcommand is None:
        click.echo(FIRST_STEPS, nl=False, err=True)
        ctx.exit(EXIT_USAGE)
    check_environment()


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; every failure gives one clear line on stderr and an exit code."""
    try:
        _main(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:  # before a command runs, or after
        error("gunrock: interrupted")
        sys.exit(EXIT_INTERRUPTED)


def _main(argv: Sequence[str]) -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names that cannot be encoded are shown escaped
            stream.reconfigure(errors="backslashreplace")
    try:
        how = Everywhere.taken_from(argv)
    except GunrockError as problem:
        error(f"gunrock: {_shown(problem)}")
        sys.exit(problem.exit_code)
    if how.wide:
        from gunrock_cli.cli.console import show_everything

        show_everything()
    try:
        with messages(how):
            _run(how)
    except GunrockError as problem:  # from the log
        if how.debug:
            raise
        error(f"gunrock: {_shown(problem)}")
        sys.exit(problem.exit_code)


def _run(how: Everywhere) -> None:
    """Run a command line; every failure ends in an exit code."""
    try:
        check_completion()
        # Click returns the code of ctx.exit() and of --help here, instead of exiting with it.
        code = cli.main(args=how.words, prog_name="gunrock", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()  # nobody reports an error at the end of the process
        if isinstance(code, int) and code:
            sys.exit(code)
    except click.exceptions.Exit as problem:
        sys.exit(problem.exit_code)
    except (click.Abort, KeyboardInterrupt):
        error("gunrock: interrupted")
        sys.exit(EXIT_INTERRUPTED)
    except click.exceptions.NoArgsIsHelpError as problem:
        problem.show()
        sys.exit(EXIT_USAGE)
    except click.ClickException as problem:
        error(_one_line(problem))
        sys.exit(EXIT_USAGE)
    except GunrockError as problem:
        if how.debug:
            raise
        error(f"gunrock: {_shown(problem)}")
        sys.exit(problem.exit_code)
    except (BrokenPipeError, _ReaderGone):
        _leave_stdout()
        sys.exit(EXIT_BROKEN_PIPE)
    except OSError as problem:
        if how.debug:
            raise
        _leave_stdout()
        place = "" if problem.filename is None else f"{printable(os.fsdecode(problem.filename))}: "
        error(f"gunrock: {place}{problem.strerror or problem}")
        sys.exit(EXIT_USAGE)


def _leave_stdout() -> None:
    """Discard the buffered output: the process must not fail again as it ends."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _shown(error: GunrockError) -> str:
    """The error in one line, except for a compiler's words."""
    lines = str(error).split("\n") if isinstance(error, BackendError) else [str(error)]
    return "\n".join(map(printable, lines))


def _one_line(error: click.ClickException) -> str:
    """What Click found wrong, worded like all other errors; and where the options are."""
    message = error.format_message()
    context = error.ctx if isinstance(error, click.UsageError) else None
    if isinstance(error, click.NoSuchOption) and context is not None:
        from gunrock_cli.cli.hints import no_such_option

        message = no_such_option(error, context.command)  # Click proposes whatever is spelled alike
    words = printable(" ".join(message.split())).rstrip(".")
    if context is None:
        return f"gunrock: {words}"
    flag = "--help-all" if isinstance(context.command, GroupedCommand) else "--help"
    return f"gunrock: {words} ({context.command_path} {flag} lists what there is)"


if __name__ == "__main__":
    main()
