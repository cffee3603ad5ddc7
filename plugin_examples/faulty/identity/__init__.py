"""Witnesses of the family: identity."""
