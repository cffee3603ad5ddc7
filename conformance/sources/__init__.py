"""List the sources of TensorRT's requirements: one module for each kind of subject."""
