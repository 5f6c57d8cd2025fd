"""What ``--partition`` and ``--devices`` take: apart from the partitions themselves, which need NumPy."""

KINDS = ("auto", "contiguous", "layered", "striped", "random")
MOST_PARTS = 16
