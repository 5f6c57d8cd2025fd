"""Put the compiled kernels of the folder GUNROCK_CARRIED into the wheel, if it is set (`make dist`)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Carried(BuildHookInterface):
    """Hatchling finds the class by its base."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """``version`` is "editable" for `pip install -e`, which compiles as it goes."""
        folder = os.environ.get("GUNROCK_CARRIED")
        if not folder or version == "editable":
            return
        if not Path(folder).is_dir():
            raise FileNotFoundError(f"GUNROCK_CARRIED={folder}: no such folder")
        build_data["force_include"][str(Path(folder).resolve())] = "gunrock_cli/_carried"
