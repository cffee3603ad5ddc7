"""The plugin interfaces, one module for each version: the classes that TensorRT sees, without behaviour."""
