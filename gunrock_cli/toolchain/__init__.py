"""Compilers and their binaries: the host's C++ compiler, NVRTC, and the cache of their output."""
