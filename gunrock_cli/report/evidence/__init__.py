"""What records and papers say: read, identified, marked and compared."""
