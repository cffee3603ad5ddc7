"""Witnesses of the family: tactics."""
