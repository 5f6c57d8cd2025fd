"""The highest rates of a device, and the two times that follow from them: the floor and the model.

The floor is the shortest time in which the device can move the bytes that no program can avoid: nothing
beats it. The model is how long this way to the answer is expected to take, random gathers included;
neighbors that share cache lines may beat it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from gunrock_cli.bench.records.shapes import Rates
from gunrock_cli.primitives.base import Accesses, Traffic


@dataclass(frozen=True)
class Ceilings:
    """The best bytes/s of the memory and of the cache (a GPU's L2; all caches of a CPU).

    ``copy`` counts bytes read plus written; ``gathers`` are random 4-byte accesses/s by the size in
    bytes of the table that they access.
    """

    memory_read: float
    memory_write: float
    cache_read: float
    cache_write: float
    cache_bytes: int
    copy: float
    gathers: dict[int, float]

    def floor_ms(self, traffic: Traffic) -> float:
        """The time to move every byte once per pass. Bytes that exceed the cache move at the memory's
        rates, those that fit at the cache's; reads and writes are split in their overall proportion."""
        total = traffic.read + traffic.written
        if not total:
            return 0.0
        cached = min(1.0, self.cache_bytes / total)
        memory = traffic.read / self.memory_read + traffic.written / self.memory_write
        cache = traffic.read / self.cache_read + traffic.written / self.cache_write
        return 1e3 * traffic.passes * ((1 - cached) * memory + cached * cache)

    def model_ms(self, accesses: Accesses) -> float:
        """The larger of two times: the bytes over the copy rate, and the gathers over their rate."""
        moving = accesses.moved / self.copy
        return 1e3 * accesses.passes * max(moving, accesses.gathers / self.gather_rate(accesses.table))

    def gather_rate(self, table_bytes: int) -> float:
        """The rate of the largest measured table that is not larger (the faster neighbor)."""
        sizes = sorted(self.gathers)
        fitting = [size for size in sizes if size <= table_bytes] or sizes[:1]
        return self.gathers[fitting[-1]]

    def to_dict(self) -> Rates:
        """The rates for JSON, whose keys are strings."""
        return {
            "memory_read": self.memory_read,
            "memory_write": self.memory_write,
            "cache_read": self.cache_read,
            "cache_write": self.cache_write,
            "cache_bytes": self.cache_bytes,
            "copy": self.copy,
            "gathers": {str(size): rate for size, rate in self.gathers.items()},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Ceilings:
        """Read the result of ``to_dict``; ValueError, KeyError or TypeError for anything else."""
        rates = {
            field.name: float(data[field.name])
            for field in fields(cls)
            if field.name not in ("cache_bytes", "gathers")
        }
        gathers = {int(size): float(rate) for size, rate in dict(data["gathers"]).items()}
        if not gathers or min(*rates.values(), *gathers.values()) <= 0:
            raise ValueError("a rate that is not positive")
        return cls(**rates, cache_bytes=int(data["cache_bytes"]), gathers=gathers)
