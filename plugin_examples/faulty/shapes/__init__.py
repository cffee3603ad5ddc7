"""Witnesses of the family: shapes."""
