"""Readers of graph files: one module for each format, with ``read(path, progress) -> EdgeList``
(``binary`` returns a finished graph)."""
