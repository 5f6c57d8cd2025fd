"""What reports are made of: tables of cells, plots, and numbers in print."""
