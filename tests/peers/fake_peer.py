"""A stand-in for another system's program: reads an edge list (.el), searches it breadth-first, prints
one time per run, and writes depths; or misbehaves as its first argument says.

    fake_peer.py MODE GRAPH SOURCE RUNS ANSWER N"""

from __future__ import annotations

import array
import os
import signal
import sys
import time
from collections import defaultdict, deque


def depths(path: str, source: int, n: int) -> list[int]:
    neighbours = defaultdict(list)
    with open(path) as file:
        for line in file:
            u, v = map(int, line.split()[:2])
            neighbours[u].append(v)
            neighbours[v].append(u)
    found, queue = [-1] * n, deque([source])
    found[source] = 0
    while queue:
        u = queue.popleft()
        for v in neighbours[u]:
            if found[v] < 0:
                found[v] = found[u] + 1
                queue.append(v)
    return found


def main() -> None:
    mode, path, source, runs, answer, n = sys.argv[1:]
    found = depths(path, int(source), int(n))
    misbehave(mode, found)
    for run in range(int(runs)):
        print(f"Trial Time:     {0.00001 * (run + 1):.5f}")
    print("reached:", sum(depth >= 0 for depth in found))
    print("Verification:", "FAIL" if mode == "wrong" else "PASS", flush=True)
    with open(answer, "wb") as file:
        array.array("i", found).tofile(file)


def misbehave(mode: str, found: list[int]) -> None:
    if mode == "wrong":
        found[found.index(1)] = 7
    elif mode == "hang":
        print("thinking", flush=True)
        time.sleep(600)
    elif mode == "stubborn":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        print("no", flush=True)
        time.sleep(600)
    elif mode in ("fork", "fork-and-end"):
        if os.fork() == 0:
            os.setsid()  # away from the group
            with open(os.environ["FAKE_PID"], "w") as file:
                file.write(str(os.getpid()))
            time.sleep(600)
        while not os.path.exists(os.environ["FAKE_PID"]):
            time.sleep(0.01)
        if mode == "fork":
            time.sleep(600)
    elif mode == "crash":
        print("before \x1b[31mred\x1b[0m", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    elif mode == "exit":
        sys.exit("cannot read the graph")
    elif mode == "memory":
        sys.exit("terminate called after throwing an instance of 'std::bad_alloc'")
    elif mode == "silent":
        sys.exit(0)
    elif mode == "noisy":
        while True:
            os.write(1, b"x" * 65536)
    elif mode in ("negative", "nan", "inf", "zero", "words", "hours"):
        said = {"negative": "-0.5", "zero": "0.00000", "words": "..", "hours": "3600.0"}.get(mode, mode)
        print(f"Trial Time: {said}")
        sys.exit(0)
    elif mode == "few":
        print("Trial Time: 0.00001")
        sys.exit(0)
    elif mode == "short":
        del found[5:]


if __name__ == "__main__":
    main()
