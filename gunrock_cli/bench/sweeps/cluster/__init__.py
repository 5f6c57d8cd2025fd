"""Sweeps over a Dask cluster: the home process hands cells to workers, and it alone writes records.

``machine``  what a worker's host has, and its version of the code
``devices``  locks, so that no two cells are timed on one device at once
``worker``   the code that runs on the workers
``home``     which cell goes to which worker, and what happens to the cells of a lost one
``connect``  an existing scheduler, or a temporary one"""
