"""Witnesses of the family: destruction."""
