"""Measurements by rules of their own: each option, two benchmarks, and a profiler."""
