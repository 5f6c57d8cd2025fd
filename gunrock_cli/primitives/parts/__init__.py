"""The half of a primitive that runs it on several devices."""
