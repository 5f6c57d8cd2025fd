"""Graphs from and to files: readers, writers, downloads, and the cache of loaded graphs."""
