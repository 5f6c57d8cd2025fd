"""The highest rates of a device, and the floors and models that follow from them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gunrock_cli.bench.ceilings import bandwidth_host
from gunrock_cli.bench.ceilings import measured as ceilings
from gunrock_cli.bench.ceilings.rates import Ceilings
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import BackendError
from gunrock_cli.primitives.base import Accesses, Traffic

KNOWN = Ceilings(
    memory_read=4e12,
    memory_write=2e12,
    cache_read=8e12,
    cache_write=5e12,
    cache_bytes=60_000_000,
    copy=1e12,
    gathers={1 << 20: 8e9, 1 << 25: 4e9, 1 << 30: 1e9},
)


def test_a_model_is_the_larger_of_two_times() -> None:
    assert KNOWN.model_ms(Accesses(2_000_000_000, 0, 1)) == pytest.approx(2)
    assert KNOWN.model_ms(Accesses(0, 8_000_000, 1 << 20)) == pytest.approx(1)
    assert KNOWN.model_ms(Accesses(2_000_000_000, 8_000_000, 1 << 20)) == pytest.approx(2)
    assert KNOWN.model_ms(Accesses(2_000_000_000, 0, 1, passes=3)) == pytest.approx(6)


@pytest.mark.parametrize(
    ("table", "rate"), [(1, 8e9), (1 << 20, 8e9), ((1 << 25) - 1, 8e9), (1 << 25, 4e9), (1 << 40, 1e9)]
)
def test_a_table_between_two_sizes_gets_the_faster_rate(table: int, rate: float) -> None:
    assert KNOWN.gather_rate(table) == rate


@pytest.mark.parametrize(
    ("traffic", "milliseconds"),
    [
        (Traffic(0, 0), 0),
        (Traffic(8_000_000, 0), 0.001),  # all in the cache
        (Traffic(0, 5_000_000), 0.001),
        (Traffic(8_000_000, 5_000_000), 0.002),
        (Traffic(120_000_000, 0), 60e6 / 4e9 + 60e6 / 8e9),  # half of it
        (Traffic(0, 240_000_000), 180e6 / 2e9 + 60e6 / 5e9),
        # a quarter of either in the cache: 60 of 240 million
        (Traffic(160_000_000, 80_000_000), 120e6 / 4e9 + 60e6 / 2e9 + 40e6 / 8e9 + 20e6 / 5e9),
        (Traffic(120_000_000, 0, passes=7), 7 * (60e6 / 4e9 + 60e6 / 8e9)),
    ],
)
def test_a_floor_counts_each_byte_at_its_rate(traffic: Traffic, milliseconds: float) -> None:
    assert KNOWN.floor_ms(traffic) == pytest.approx(milliseconds)


def test_they_survive_json() -> None:
    assert Ceilings.from_dict(json.loads(json.dumps(KNOWN.to_dict()))) == KNOWN


def test_a_host_is_measured() -> None:
    found = bandwidth_host.measure()
    assert found.cache_read >= found.memory_read > 1e8
    assert found.cache_write >= found.memory_write > 1e8
    assert found.copy > 1e8
    assert list(found.gathers) == [1 << 20, 1 << 23, 1 << 25, 1 << 27]
    assert min(found.gathers.values()) > 1e6


@pytest.mark.gpu
def test_a_gpu_is_measured() -> None:
    from gunrock_cli.bench.ceilings import bandwidth_device

    found = bandwidth_device.measure()
    assert found.cache_read >= found.memory_read > 1e10
    assert found.cache_write >= found.memory_write > 1e10
    assert found.copy > 1e10
    assert found.cache_bytes > 1 << 20
    assert min(found.gathers.values()) > 1e8
    assert bandwidth_device.identity()["multiprocessors"] > 0
    limit = bandwidth_device.memory_limit()
    assert limit
    assert 0.5 * limit < found.memory_read < 1.05 * limit


def test_the_device_kernels_compile() -> None:
    from gunrock_cli.toolchain.nvrtc import nvrtc

    try:
        rtc = nvrtc()
    except BackendError as error:
        pytest.skip(str(error))
    text = Path(bandwidth_host.__file__).with_name("cpp").joinpath("bandwidth.cu").read_bytes()
    _, program = rtc.nvrtcCreateProgram(text, b"device.cu", 0, [], [])
    options = [b"--std=c++17", b"--gpu-architecture=sm_90"]
    (error,) = rtc.nvrtcCompileProgram(program, len(options), options)
    assert error == rtc.nvrtcResult.NVRTC_SUCCESS


# --- the caches of a processor ------------------------------------------------------------------
def make_cores(folder: Path, caches: dict[str, tuple[str, str, str, str]], cores: int) -> None:
    """``caches`` by index: level, type, size, and who shares it ("own": nobody)."""
    for core in range(cores):
        (folder / f"cpu{core}" / "cpufreq").mkdir(parents=True)
        (folder / f"cpu{core}" / "cpufreq" / "scaling_max_freq").write_text(f"{3_000_000 + core}\n")
        for index, (level, kind, size, sharing) in caches.items():
            entry = folder / f"cpu{core}" / "cache" / index
            entry.mkdir(parents=True)
            shown = str(core) if sharing == "own" else sharing
            for name, text in (
                ("level", level),
                ("type", kind),
                ("size", size),
                ("shared_cpu_list", shown),
            ):
                (entry / name).write_text(text + "\n")


def test_caches_are_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_cores(
        tmp_path,
        {
            "index0": ("1", "Data", "32K", "own"),
            "index1": ("1", "Instruction", "32K", "own"),
            "index3": ("3", "Unified", "1024K", "0-1"),
        },
        4,
    )
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: {0, 1})
    assert bandwidth_host.cache_bytes(tmp_path) == (32 + 32 + 1024) << 10
    assert bandwidth_host.highest_clock(tmp_path) == 3_000_001


def test_a_system_that_does_not_tell(tmp_path: Path) -> None:
    """No floor then follows from the memory's rates."""
    import psutil

    assert bandwidth_host.cache_bytes(tmp_path) == psutil.virtual_memory().total
    assert bandwidth_host.highest_clock(tmp_path) is None


# --- kept ceilings ------------------------------------------------------------------------------------
class Device:
    """A stand-in for a module that measures."""

    def __init__(self) -> None:
        self.facts: dict[str, Any] = {"name": "one", "clock_khz": 1000, "cores": 2}
        self.measured = 0
        self.limit: float | None = None

    def memory_limit(self) -> float | None:
        return self.limit

    def identity(self) -> dict[str, Any]:
        return self.facts

    def measure(self) -> Ceilings:
        self.measured += 1
        return KNOWN


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Device:
    found = Device()
    monkeypatch.setattr(ceilings, "_device", lambda backend: found)
    return found


def test_they_are_measured_once_a_device(
    device: Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path))
    backend = choose_backend("cpu", 1)
    assert ceilings.ceilings(backend) == ceilings.ceilings(backend) == KNOWN
    assert device.measured == 1


@pytest.mark.parametrize("change", [{"name": "other"}, {"clock_khz": 900}, {"cores": 1}])
def test_another_device_clock_or_number_of_cores_is_measured(
    device: Device, change: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path))
    backend = choose_backend("cpu", 1)
    before = dict(device.facts)
    ceilings.ceilings(backend)
    device.facts = before | change
    ceilings.ceilings(backend)
    assert device.measured == 2
    device.facts = before
    ceilings.ceilings(backend)
    assert device.measured == 2


def test_what_a_disturbed_device_gave_is_neither_kept_nor_used(
    device: Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path))
    backend = choose_backend("cpu", 1)
    device.limit = 3 * KNOWN.memory_read
    with pytest.raises(BackendError, match="gave 4000 GB/s of the 12000"):
        ceilings.ceilings(backend)
    assert not list(tmp_path.rglob("*.json"))
    device.limit = None
    ceilings.ceilings(backend)
    device.limit = 3 * KNOWN.memory_read  # ceilings kept before there was a limit are measured again
    with pytest.raises(BackendError):
        ceilings.ceilings(backend)
    assert device.measured == 3
    device.limit = 1.5 * KNOWN.memory_read
    assert ceilings.ceilings(backend) == KNOWN


@pytest.mark.parametrize(
    "rubbish",
    [
        "",
        "[]",
        "{}",
        json.dumps({"copy": 1}),
        json.dumps(KNOWN.to_dict() | {"copy": 0}),
        json.dumps(KNOWN.to_dict() | {"gathers": {}}),
    ],
)
def test_rubbish_is_measured_again(
    device: Device, rubbish: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path))
    backend = choose_backend("cpu", 1)
    ceilings.ceilings(backend)
    (file,) = (tmp_path / "ceilings").glob("*.json")
    file.write_text(rubbish)
    assert ceilings.ceilings(backend) == KNOWN
    assert device.measured == 2


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(
    device: Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "file"))
    assert ceilings.ceilings(choose_backend("cpu", 1)) == KNOWN
