"""gunrock: run, check and measure GPU graph primitives the way the Gunrock papers do."""

from gunrock_cli.version import __version__ as __version__
