"""Stands in for the gunrock executable in tests of sweeps: behaves as its graph's name says, or
--do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
from records_helper import failed_record, make_record

primitive, graph = sys.argv[1:3]
if "--do" in sys.argv:  # as cells of one graph differ
    graph = sys.argv[sys.argv.index("--do") + 1]
options = dict(
    word[2:].split("=") if "=" in word else (word[2:], True)
    for word in sys.argv[3:]
    if word.startswith("--") and word != "--json"
)
assert sys.argv[-1] == "--json"
if graph == "wrong":
    print(failed_record("wrong", "3 labels differ", primitive, graph).to_json())
    sys.exit(1)
if graph == "oom":
    print("gunrock: not enough memory for the graph", file=sys.stderr)
    sys.exit(2)
if graph == "crash":
    os.abort()
if graph == "usage":
    print("noise before\ngunrock: no such option", file=sys.stderr)
    sys.exit(2)
if graph == "silent":
    sys.exit(0)
if graph == "hang":
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    Path(os.environ["CHILD_PID_FILE"]).write_text(str(child.pid))
    time.sleep(60)
if graph == "raises":
    raise ValueError("of the program's own")
if graph == "leaves":
    os.kill(os.getpid(), signal.SIGKILL)
if graph == "slow":
    time.sleep(0.3)
if graph.startswith("kills-worker"):  # the worker of a cluster, whose child guards this process
    tries = Path("tries")
    tries.write_text(f"{tries.read_text() if tries.exists() else ''}{os.getpid()}\n")
    if graph == "kills-worker" or len(tries.read_text().split()) == 1:
        guard = psutil.Process(os.getppid())
        assert "guard.py" in " ".join(guard.cmdline())
        os.kill(guard.ppid(), signal.SIGKILL)
        time.sleep(60)
if graph == "spans":
    with open("spans", "a") as file:
        print("begin", sys.argv[4], file=file, flush=True)
        time.sleep(0.2)
        print("end", sys.argv[4], file=file, flush=True)
print("a line that is no record")
print(make_record(primitive, graph, options=options, command=[], id=f"id-{os.getpid()}").to_json())
if graph == "peer-hangs":
    sys.stdout.flush()
    time.sleep(60)
if graph == "peers":
    print(make_record(primitive, graph, system="scipy", id=f"peer-{os.getpid()}").to_json())
