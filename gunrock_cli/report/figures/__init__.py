"""One module per figure; see report/registry.py."""
