"""Witnesses of the family: fuzzing."""
