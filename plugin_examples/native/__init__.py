"""Plugins in C++: sources, how to build them, and their cases."""
