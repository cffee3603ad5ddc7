"""Witnesses of the family: networks."""
