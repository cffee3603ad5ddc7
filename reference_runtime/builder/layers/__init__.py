"""Build the layers of an engine; one module for each kind of layer."""
