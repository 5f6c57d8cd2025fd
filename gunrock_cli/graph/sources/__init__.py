"""Where graphs come from: files in many formats, generators, and downloads."""
