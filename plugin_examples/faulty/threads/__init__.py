"""Witnesses of the family: threads."""
