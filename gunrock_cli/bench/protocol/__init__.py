"""The measuring protocol: one primitive, run, counted, checked and recorded."""
