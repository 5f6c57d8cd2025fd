"""Readers of graph files: one module per format, with ``read(path, progress) -> EdgeList`` (``binary``
returns a finished graph)."""
