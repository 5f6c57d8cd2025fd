"""The parts of reports: tables of cells, plots, and numbers in print."""
