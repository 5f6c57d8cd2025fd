import pytest


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    """Keep every test from the user's cache and data sets, and from other tests'."""
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setenv("GUNROCK_DATASETS", str(tmp_path_factory.mktemp("datasets")))


@pytest.fixture(params=["numpy", "compiled"])
def cpu_path(request, monkeypatch):
    """Go both ways to read and build on the CPU, whatever the size: by libraries, and by compiled
    code."""
    from gunrock_cli.graph.rows import native, native_library

    monkeypatch.setattr(native, "WORTH_IT", 0 if request.param == "compiled" else 1 << 62)
    if request.param == "compiled" and native_library.library() is None:
        pytest.skip("no C++ compiler")
    return request.param
