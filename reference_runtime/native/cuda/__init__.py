"""CUDA's runtime for C++ libraries: memory, copies, streams and events of the host device; kernels need stand-ins."""
