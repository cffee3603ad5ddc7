"""Operators of ONNX, computed by ONNX's own reference."""
