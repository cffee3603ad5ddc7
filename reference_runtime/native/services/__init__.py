"""Provide the objects of TensorRT that C++ plugins call, and forward a builder's calls to C++ plugins."""
