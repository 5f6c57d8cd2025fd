"""Graphs from and to files: readers, writers, and the cache of loaded graphs."""
