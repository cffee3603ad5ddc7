"""Hold the plugin under test, and call it as TensorRT does."""
