"""gunrock: run, check and measure GPU graph primitives the way the Gunrock papers do.

``import gunrock_cli as gunrock; gunrock.bfs(A, source=0)``: every primitive is a function here
(docs/python.md). Each is imported at its first use.
"""

from importlib.util import find_spec as _find_spec
from typing import Any as _Any

from gunrock_cli.version import __version__ as __version__


def __getattr__(name: str) -> _Any:
    # Names that begin with _ are Python's own, and subpackages are left to the import system.
    if not name.startswith("_") and _find_spec(f"{__name__}.{name}") is None:
        from gunrock_cli.face.names import find, names
        from gunrock_cli.face.near import nearest

        found = find(name)
        if found is not None:
            globals()[name] = found
            return found
        raise AttributeError(f"gunrock has no {name!r}: {nearest(name, names())}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    from gunrock_cli.face.names import names

    return [*(name for name in globals() if name.startswith("__")), *names()]
