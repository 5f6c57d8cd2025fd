"""The measuring protocol and its records."""
