"""Plugins that are sound on the reference runtime, and not on another TensorRT: NVIDIA's builder shows it."""
