"""Many measurements: cells of a plan, each in a process, here or on a cluster."""
