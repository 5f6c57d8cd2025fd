"""Compilers and their binaries: the host's C++ compiler, NVRTC, the cache of what they built."""
