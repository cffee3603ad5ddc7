"""Witnesses of the family: implicit batch."""
