"""One module a figure; see report/registry.py."""
