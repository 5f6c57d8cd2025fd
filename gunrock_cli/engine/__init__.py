"""Compiles kernels/ for a backend and runs it: ``cuda`` (CuPy, NVRTC), ``cpu`` (host C++ compiler)."""
