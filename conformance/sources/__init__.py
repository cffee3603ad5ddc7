"""Where TensorRT states its requirements: one module for each kind of subject."""
