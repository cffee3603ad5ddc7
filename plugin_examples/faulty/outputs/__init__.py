"""Witnesses of the family: outputs."""
