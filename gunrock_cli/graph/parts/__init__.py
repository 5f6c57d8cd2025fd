"""A graph divided over several devices: who has which vertices, and the parts themselves."""
