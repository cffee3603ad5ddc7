"""Witnesses of the family: serialization."""
