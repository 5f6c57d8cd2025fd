"""The formats in which other systems keep graphs: a module each or a family, with what reads and what
writes it. ``formats`` says which there are."""
