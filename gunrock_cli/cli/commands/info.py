"""``gunrock info``: this machine's hardware and software, and the backends that can be used."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import click


@click.command(epilog="\b\nExamples:\n  gunrock info\n  gunrock info --json")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(as_json: bool) -> None:
    """Show the GPU, the toolchain, usable backends and the caches."""
    found = collect()
    if as_json:
        import json

        click.echo(json.dumps(found))
        return
    from rich.table import Table

    from gunrock_cli.cli.console import plain, print_table

    table = Table(show_header=False)
    for name, value in found.items():
        table.add_row(name.replace("_", " "), "-" if value is None else plain(value))
    print_table(table)


def collect() -> dict[str, object]:
    """All facts by name; None for a missing thing, a reason for a backend that cannot be used."""
    from gunrock_cli.bench.records.environment import device_info, library_versions, project_version
    from gunrock_cli.engine.backend import Backend, choose_backend
    from gunrock_cli.toolchain.available import why_no_cpu, why_no_cuda
    from gunrock_cli.toolchain.binaries import binaries_dir
    from gunrock_cli.version import __version__

    no_cuda, no_cpu = why_no_cuda(), why_no_cpu()
    found: dict[str, object] = {
        "gunrock": __version__,
        "commit": project_version()["commit"],
        "code_hash": project_version()["code_hash"],
        "backend_cuda": no_cuda or "usable",
        "backend_cpu": no_cpu or "usable",
    }
    for name, reason in (("cuda", no_cuda), ("cpu", no_cpu)):
        if reason is None:
            backend: Backend = choose_backend(name)
            found.update({f"{name}_{key}": value for key, value in device_info(backend).items()})
            found.update(
                {
                    key: value
                    for key, value in library_versions(name).items()
                    if not (name == "cpu" and key in found)
                }
            )
    folder = binaries_dir().parent
    found["cache"] = str(folder)
    for kind in ("kernels", "graphs", "ceilings"):
        found[f"cache_{kind}"] = _held(folder / kind)
    return found


def _held(folder: Path) -> str:
    """The number of files in a folder, and their size; if not all of them can be seen, why."""
    problems: list[OSError] = []
    sizes = []
    for path, _, names in os.walk(folder, onerror=problems.append):
        for name in names:
            with suppress(FileNotFoundError):  # deleted meanwhile
                sizes.append(os.lstat(os.path.join(path, name)).st_size)
    known = f"{len(sizes)} files, {sum(sizes) / 1e6:.1f} MB"
    if folder.parent.is_symlink() and not os.path.exists(folder.parent):
        return f"{folder.parent} is a link to nothing"
    unseen = [error for error in problems if not isinstance(error, FileNotFoundError)]
    return f"{known} that can be read ({unseen[0].filename}: {unseen[0].strerror})" if unseen else known
