"""Load Python files that are in no package, and the programs of benchmarks/, as modules."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


def load_script(path: Path) -> ModuleType:
    """The file at ``path``, run again at each call."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # its dataclasses look here for their types
    spec.loader.exec_module(module)
    return module


def load_benchmark(name: str) -> ModuleType:
    """``benchmarks/NAME.py``, imported at its first use, as some need packages that may be missing."""
    return importlib.import_module(f"benchmarks.{name}")
