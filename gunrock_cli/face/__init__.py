"""The Python interface: ``import gunrock_cli as gunrock; gunrock.bfs(A, source=0)``.

Like the command line, it calls ``bench.protocol.runner.measure``. Nothing here knows a primitive by name.
Errors are raised; nothing is printed, and nothing ends the process. See docs/python.md."""
