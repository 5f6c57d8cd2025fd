import pytest


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    """No test sees the user's cache or data sets, nor another test's."""
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setenv("GUNROCK_DATASETS", str(tmp_path_factory.mktemp("datasets")))
