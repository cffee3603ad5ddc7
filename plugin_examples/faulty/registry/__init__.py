"""Witnesses of the family: registry."""
