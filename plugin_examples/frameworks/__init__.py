"""Plugins whose kernels are written with a library that has to be installed: numba, torch, triton."""
