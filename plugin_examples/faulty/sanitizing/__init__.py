"""Witnesses of the family: sanitizing."""
