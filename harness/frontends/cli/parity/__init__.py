"""Comparing the reference runtime's names with those of the tensorrt package."""
