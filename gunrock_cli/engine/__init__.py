"""Compile kernels/ for a backend and run it: ``cuda`` (CuPy, NVRTC), ``cpu`` (host C++ compiler)."""
