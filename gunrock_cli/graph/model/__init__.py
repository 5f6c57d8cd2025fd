"""The parts of a graph: rows, lists of edges, names, weights, and a hash; no module here reads a file."""
