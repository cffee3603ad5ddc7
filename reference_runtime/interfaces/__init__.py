"""The plugin interfaces, one module a version: the classes that TensorRT sees, without behaviour of their own."""
