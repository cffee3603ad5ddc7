"""The plugin under test, and how TensorRT calls it."""
