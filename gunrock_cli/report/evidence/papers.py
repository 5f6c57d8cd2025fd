"""The papers' printed figures, as shipped with the tool (``results/paper``)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gunrock_cli.report.evidence.identity import Size
from gunrock_cli.report.forms.cells import MISSING, Cell, Mark
from gunrock_cli.resources import paper_dir

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Published:
    """One printed figure; ``value`` is NaN if the paper prints a word instead."""

    value: float
    note: str

    def cell(self, *, percent: bool = False) -> Cell:
        """The cell as the paper shows it: its digits, or OOM."""
        if math.isnan(self.value):
            text = "OOM" if self.note == "out of memory" else MISSING
            return Cell(text, None, "published", note=self.note)
        marks = (Mark("*", f"{self.note}."),) if self.note else ()
        text = f"{self.value:.2f}%" if percent else f"{self.value:.10g}"
        return Cell(text, self.value, "published", note=self.note, marks=marks)


Printed = dict[tuple[str, str, str, str], Published]
"""The printed figures by (primitive, dataset, system, metric)."""


def _number(text: str) -> float:
    """Parse 2.1M or 30K."""
    return float(text[:-1]) * {"M": 1e6, "K": 1e3}[text[-1]]


class Papers:
    """Lookups in ``measurements.csv``, ``datasets*.csv`` and ``hardware.csv``."""

    @cached_property
    def measurements(self) -> pd.DataFrame:
        import pandas as pd

        frame = pd.read_csv(paper_dir() / "measurements.csv", keep_default_na=False)
        frame["value"] = pd.to_numeric(frame["value"], errors="coerce")
        return frame

    @cached_property
    def items(self) -> pd.DataFrame:
        """What the papers have, and where it is here: ``items.csv``."""
        import pandas as pd

        return pd.read_csv(paper_dir() / "items.csv", dtype=str, keep_default_na=False)

    @cached_property
    def datasets(self) -> pd.DataFrame:
        import pandas as pd

        return pd.read_csv(paper_dir() / "datasets.csv", dtype=str)

    @cached_property
    def merrill_datasets(self) -> pd.DataFrame:
        import pandas as pd

        return pd.read_csv(paper_dir() / "datasets-merrill12.csv")

    @cached_property
    def sizes(self) -> dict[str, dict[str, Size]]:
        """The sizes of the papers' data sets, by source and short name."""
        found: dict[str, dict[str, Size]] = {}
        for line in self.datasets.to_dict("records"):
            found.setdefault(str(line["source"]), {})[str(line["short"])] = Size(
                _number(str(line["vertices"])), _number(str(line["edges"]))
            )
        found["merrill12"] = {
            str(line["name"]): Size(1e6 * line["n_millions"], 1e6 * line["m_millions"])
            for line in self.merrill_datasets.to_dict("records")
        }
        return found

    @cached_property
    def _hardware(self) -> pd.DataFrame:
        import pandas as pd

        return pd.read_csv(paper_dir() / "hardware.csv", dtype=str)

    def table(self, source: str, table: str) -> Printed:
        """A table's figures, in the paper's order."""
        frame = self.measurements
        frame = frame[(frame["source"] == source) & (frame["table"] == table)]
        keys = zip(frame["primitive"], frame["dataset"], frame["system"], frame["metric"],
                   strict=True)  # fmt: skip
        values = zip(frame["value"], frame["note"], strict=True)
        return {
            (str(key[0]), str(key[1]), str(key[2]), str(key[3])): Published(float(value), str(note))
            for key, (value, note) in zip(keys, values, strict=True)
        }

    def hardware(self, source: str, systems: list[str]) -> str:
        """One sentence: the hardware of these systems in that paper."""
        frame = self._hardware[self._hardware["source"] == source]
        by_system = dict(zip(frame["system"], frame["hardware"], strict=True))
        where: dict[str, list[str]] = {}
        for system in systems:
            where.setdefault(str(by_system.get(system, by_system["*"])), []).append(system)
        parts = [f"{', '.join(names)} on {hardware}" for hardware, names in where.items()]
        return f"Published († {frame['paper'].iloc[0]}): {'; '.join(parts)}."
