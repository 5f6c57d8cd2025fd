"""What needs primitives to look at a graph: levels, diameter, statistics."""
