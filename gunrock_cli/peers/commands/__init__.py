"""Peers described by a file: any program that reads a graph and prints its times.

The ``*.toml`` files here are ready descriptions (data only, no part of the programs); docs/peers.md says
how to write another. A program runs only if somebody names its peer to be measured."""
