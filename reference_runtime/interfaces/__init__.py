"""The plugin interfaces, one module a version: what a plugin is to TensorRT, without any behaviour of its own."""
