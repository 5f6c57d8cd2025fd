"""One module a table; see report/registry.py."""
