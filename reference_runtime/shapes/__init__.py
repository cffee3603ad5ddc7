"""Symbolic shapes: expressions, facts about tensors, shape rules."""
