"""What Python programs call: ``import gunrock_cli as gunrock; gunrock.bfs(A, source=0)``.

A caller of ``bench.runner.measure`` beside the command line. Nothing here knows a primitive by name;
errors are raised, nothing is printed, and nothing ends the process. See docs/python.md.
"""
