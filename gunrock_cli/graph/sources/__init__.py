"""Sources of graphs: files in many formats, generators, and downloads."""
