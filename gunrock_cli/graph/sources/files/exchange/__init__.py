"""The formats in which other systems keep graphs: one module for each format or family, which reads
and writes it. ``formats`` lists them."""
