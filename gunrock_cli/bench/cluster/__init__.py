"""Sweeps over a Dask cluster: the home process hands cells to workers, and it alone writes records.

``machine``  what a worker's host has, and which code is there
``devices``  locks, so that no two cells are timed on one device at once
``worker``   what runs on the workers
``home``     which cell goes to which worker, and what becomes of the cells of a lost one
``connect``  a scheduler that is there, or one made for the occasion
"""
