"""What a graph is: rows, lists of edges, names, weights, and what tells it from others; reads no file."""
