"""One module a command: each defines ``command``, a click.Command."""
