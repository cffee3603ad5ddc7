"""Symbolic shapes: expressions of dimensions, known dimensions and values of tensors, and the rules of layers."""
