"""One module per table; see report/registry.py."""
