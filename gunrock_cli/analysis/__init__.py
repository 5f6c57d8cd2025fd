"""Examine a graph with primitives: levels, diameter, statistics."""
