"""Witnesses of the family: execution."""
