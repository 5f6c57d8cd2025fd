"""Records: what they hold, how they are written, read and compared."""
