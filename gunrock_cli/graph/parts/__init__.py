"""A graph divided over several devices: the owners of vertices, and the parts themselves."""
