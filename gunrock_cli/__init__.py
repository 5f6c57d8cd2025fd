"""gunrock: run, check and measure GPU graph primitives the way the Gunrock papers do."""

__version__ = "0.1.0"
