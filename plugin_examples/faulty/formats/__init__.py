"""Witnesses of the family: formats."""
