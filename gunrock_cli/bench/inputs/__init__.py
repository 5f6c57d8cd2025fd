"""What a measurement runs on: the graph, its sources, and the devices that share it."""
