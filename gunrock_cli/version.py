"""The version of the package, in a module that every other may import."""

__version__ = "0.1.0"
