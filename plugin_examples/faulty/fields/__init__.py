"""Witnesses of the family: fields."""
