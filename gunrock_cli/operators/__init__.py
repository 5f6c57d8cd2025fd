"""Host halves of ``kernels/operators``: modes, launch shapes, and the choice of a way for a graph's
lists."""
