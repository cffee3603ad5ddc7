"""Witnesses of the family: output allocators."""
