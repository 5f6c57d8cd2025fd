"""Writers of tables, one module a format, each with a function from a Table to text."""
