"""The formats in which other systems keep graphs: one module reads and writes each format or family.
``formats`` lists them."""
