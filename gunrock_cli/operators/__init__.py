"""Host halves of ``kernels/operators``: modes, launch shapes, and which way suits a graph's lists."""
