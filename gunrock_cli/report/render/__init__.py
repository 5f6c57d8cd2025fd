"""Writers of tables: one module per format, each with a function from a Table to text."""
