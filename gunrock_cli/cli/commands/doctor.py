"""``gunrock doctor``: missing software, and the commands that install it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

import click

NEEDED, WANTED = "needed", "wanted"


@dataclass(frozen=True)
class Finding:
    """One requirement: if it is met, its version or why it is missing, and its purpose."""

    name: str
    there: bool
    what: str
    purpose: str
    kind: str = WANTED


@click.command(epilog="\b\nExamples:\n  gunrock doctor\n  gunrock doctor --json")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(as_json: bool) -> None:
    """Say what this machine lacks, and the exact command that gets it.

    Exit code 0 where a primitive can be run and recorded, else 2.
    """
    found = findings()
    healthy = all(each.there for each in found if each.kind == NEEDED)
    if as_json:
        click.echo(json.dumps({"healthy": healthy, "findings": [asdict(each) for each in found]}))
    else:
        _print(found)
    if not healthy:
        raise SystemExit(2)


def findings() -> list[Finding]:
    """The requirements of a run, a record or a comparison."""
    from gunrock_cli.peers import get_peer, peer_names
    from gunrock_cli.toolchain.available import why_no_compiler, why_no_cpu, why_no_cuda

    no_cuda, no_cpu, no_compiler = why_no_cuda(), why_no_cpu(), why_no_compiler()
    either = "a GPU or a C++ compiler" if no_cuda and no_cpu else _backend_names(no_cuda, no_cpu)
    found = [
        Finding("a backend", not (no_cuda and no_cpu), either, "to run a primitive at all", NEEDED),
        Finding("backend cuda", no_cuda is None, no_cuda or "usable", "to run on the GPU"),
        Finding(
            "backend cpu",
            no_cpu is None,
            no_cpu or (f"usable for carried kernels alone: {no_compiler}" if no_compiler else "usable"),
            "to run on this machine's cores, and to read text graphs at full speed",
        ),
        _carried(),
        _cache(),
        _optional("tables", "pyarrow", "parquet", "to read and write Parquet and Arrow"),
        _optional("cluster", "distributed", "cluster", "to share a sweep out over machines"),
    ]
    for peer in map(get_peer, peer_names()):
        reason = peer.available()
        versions = (
            ", ".join(f"{name} {number}" for name, number in peer.versions().items())
            if reason is None
            else ""
        )
        found.append(
            Finding(
                f"peer {peer.name}",
                reason is None,
                reason or versions,
                f"to measure beside: {' '.join(peer.primitives)}",
            )
        )
    return found


def _backend_names(no_cuda: str | None, no_cpu: str | None) -> str:
    return ", ".join(name for name, reason in (("cuda", no_cuda), ("cpu", no_cpu)) if reason is None)


def _optional(name: str, package: str, extra: str, purpose: str) -> Finding:
    """A package from one of the extras of pyproject.toml."""
    from importlib import metadata

    from gunrock_cli.installation import install_extra

    try:
        return Finding(name, True, f"{package} {metadata.version(package)}", purpose)
    except metadata.PackageNotFoundError:
        return Finding(name, False, f"{package} is not installed: {install_extra(extra)}", purpose)


def _carried() -> Finding:
    """What the package carries compiled."""
    from gunrock_cli.toolchain.carried import archives, is_sound

    purpose = "to run default kernels without compiling them first"
    found = archives()
    sound = [archive for archive in found if is_sound(archive)]
    if not sound:
        why = "those in the package are damaged; install it again" if found else "the package has none"
        return Finding("carried kernels", False, why, purpose)
    by_compiler: dict[str, list[str]] = {}
    for archive in sound:
        by_compiler.setdefault(archive.made_by, []).append(f"{archive.kernels} for {archive.target}")
    words = "; ".join(f"{', '.join(of)} by {name}" for name, of in by_compiler.items())
    return Finding("carried kernels", True, words, purpose)


def _cache() -> Finding:
    import shutil
    import tempfile

    from gunrock_cli.resources import cache_root

    purpose = "to compile and to load a graph only once"
    folder = cache_root()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x")
        free = shutil.disk_usage(folder).free / 1e9
    except OSError as error:
        return Finding(
            "cache",
            False,
            f"{folder}: {error.strerror or error}; set GUNROCK_CACHE_DIR to a folder that can be written",
            purpose,
        )
    return Finding("cache", True, f"{folder} ({free:.1f} GB free)", purpose)


def _print(found: list[Finding]) -> None:
    """Print one line per requirement; for missing ones it begins with their purpose."""
    from gunrock_cli.cli.console import console, plain

    width = max(len(each.name) for each in found)
    for each in found:
        sign = "ok" if each.there else "missing"
        style = "green" if each.there else "red" if each.kind == NEEDED else "yellow"
        words = each.what if each.there else f"{each.purpose}: {each.what}"
        console().print(
            plain(f"{sign:8}", style) + plain(f"{each.name:{width}}  {words}"), soft_wrap=True
        )
