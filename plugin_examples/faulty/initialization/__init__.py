"""Witnesses of the family: initialization."""
