"""Plugins that depend on TensorRT in ways that every builder accepts."""
