"""Records and papers: read, identified, marked and compared."""
