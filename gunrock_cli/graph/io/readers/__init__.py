"""Readers of graph files: one module a format, each with ``read(path, progress) -> EdgeList``
(``binary`` returns a finished graph)."""
