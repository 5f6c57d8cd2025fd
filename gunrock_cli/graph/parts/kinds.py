"""The values of ``--partition`` and ``--devices``, apart from the partitions themselves, which need
NumPy."""

KINDS = ("auto", "contiguous", "layered", "striped", "random")
MOST_PARTS = 16
