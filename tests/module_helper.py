"""Python files that lie in no package, as modules."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

_BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


def module_at(path: Path) -> ModuleType:
    """What it defines; its name is the file's."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # where its dataclasses look for their types
    spec.loader.exec_module(module)
    return module


def benchmark(name: str) -> ModuleType:
    """One of benchmarks/."""
    return module_at(_BENCHMARKS / f"{name}.py")
