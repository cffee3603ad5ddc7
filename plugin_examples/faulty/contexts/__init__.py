"""Witnesses of the family: contexts."""
