"""What needs primitives to examine a graph: levels, diameter, statistics."""
