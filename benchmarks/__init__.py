"""Programs that measure this project itself, run as ``python benchmarks/NAME.py`` from an editable
installation, and the code that they share."""
