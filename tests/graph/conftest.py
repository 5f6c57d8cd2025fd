import pytest

from gunrock_cli.toolchain import binaries


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    """No test sees the user's cache or data sets, nor another test's. Only compiled code is shared: that
    cache has tests of its own (tests/toolchain/test_binaries.py)."""
    compiled = binaries.binaries_dir()
    monkeypatch.setattr(binaries, "binaries_dir", lambda: compiled)
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setenv("GUNROCK_DATASETS", str(tmp_path_factory.mktemp("datasets")))


@pytest.fixture(params=["numpy", "compiled"])
def cpu_path(request, monkeypatch):
    """Both ways to read and build on the CPU, whatever the size: libraries, and compiled code."""
    from gunrock_cli.graph.rows import native, native_library

    monkeypatch.setattr(native, "WORTH_IT", 0 if request.param == "compiled" else 1 << 62)
    if request.param == "compiled" and native_library.library() is None:
        pytest.skip("no C++ compiler")
    return request.param
