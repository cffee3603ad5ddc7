"""CUDA's runtime for C++ on the host device: memory, copies, streams and events act there; kernels need stand-ins."""
