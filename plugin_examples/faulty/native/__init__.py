"""Faults planted in C++: each source is compiled with one macro for each fault."""
