"""Build a plugin's cases with NVIDIA's builder, in new interpreters."""
