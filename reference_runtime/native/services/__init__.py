"""Objects of TensorRT's that C++ plugins call: expressions, the registry, the logger, and what a context lends."""
