"""The classes of the plugin interfaces, one module for each version; `calling` has TensorRT's calls to plugins."""
